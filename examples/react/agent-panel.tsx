import { type ScanReport, scan } from 'loophound'
import { LoopTimeline, useLoopGuard } from 'loophound/react'
import { useState } from 'react'

/** Runs an agent under a guard, and shows what the guard says and what the run looked like. */
export function AgentPanel({ agent }: { agent: Agent }) {
  const { guard, verdict, outcome, restart } = useLoopGuard('balanced')
  const [report, setReport] = useState<ScanReport | null>(null)

  const run = async () => {
    const events: object[] = []
    while (guard.beginStep()) {
      const call = await agent.next(guard.takeNudge())
      if (!call) break
      events.push({ t: 'turn' }, { t: 'call', ...call })
      const decision = guard.call(call)
      if (decision.run) {
        const result = { id: call.id, ...(await agent.run(call)) }
        guard.result(result)
        events.push({ t: 'result', ...result })
      } else {
        await agent.refuse(call, decision.reply)
      }
      if (guard.endStep()) break
    }
    setReport(scan(events, { timeline: true }))
  }

  return (
    <section>
      <button type="button" onClick={run}>
        Run
      </button>
      <button type="button" onClick={restart}>
        Start again
      </button>
      <p role="status">{outcome.summary ?? verdict?.summary ?? 'No loop so far.'}</p>
      {report && <LoopTimeline report={report} />}
    </section>
  )
}

/** What the panel needs of an agent. */
export interface Agent {
  /** Asks the model for its next call; `null` when it is done. */
  next(nudge: string | null): Promise<{ id: string; name: string; args: unknown } | null>
  /** Runs a tool. */
  run(call: { name: string; args: unknown }): Promise<{ ok: boolean; output: string }>
  /** Gives the model a reason as the result of a call that was not run. */
  refuse(call: { id: string }, reason: string): Promise<void>
}
