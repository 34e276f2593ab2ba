/** What a guard does with the nudges of a swarm. */

import { LoopGuard } from 'loophound'
import { memorySwarm, SharedSwarm } from 'loophound/swarm'
import { expect, it } from 'vitest'

it('spaces the nudges of a swarm, and keeps its own, which quotes and advises', async () => {
  const store = memorySwarm()
  const agents = ['a', 'b', 'c'].map((worker) => {
    const swarm = new SharedSwarm({ store, scope: 's', worker, pollMs: 0 })
    return { swarm, guard: new LoopGuard({ swarm, id: worker, onWarning: false }) }
  })
  const nudges: string[] = []
  for (let turn = 0; turn < 24; turn++) {
    for (const { guard, swarm } of agents) {
      if (!guard.beginStep()) continue
      const nudge = guard.takeNudge()
      if (nudge !== null && swarm === agents[0]?.swarm) nudges.push(nudge)
      const id = `${turn}`
      const { run } = guard.call({ id, name: 'run_job', args: { job: 1 } })
      if (run) guard.result({ id, output: 'The job ran: 3 rows, 2 files, no changes to keep.' })
      guard.endStep()
      await swarm.flush()
      await swarm.refresh()
    }
  }
  const shared = nudges.filter((nudge) => nudge.includes('agents, possibly this one too,'))
  expect(shared.length).toBeGreaterThan(0)
  expect(shared.length).toBeLessThan(6)
  const own = nudges.filter((nudge) => nudge.includes('run_job returned the same result'))
  expect(own.length).toBeGreaterThan(0)
  for (const { swarm, guard } of agents) {
    guard.free()
    await swarm.dispose()
  }
})

it('carries out its own verdicts when the swarm fails', () => {
  const fail = () => {
    throw new Error('the swarm is down')
  }
  const swarm = Object.assign(new SharedSwarm({ store: memorySwarm(), scope: 's' }), {
    ask: fail,
    observe: fail,
    observeResult: fail,
  })
  const problems: unknown[] = []
  const onError = (problem: unknown) => void problems.push(problem)
  const guard = new LoopGuard({ swarm, onError, onWarning: false })
  const alone = new LoopGuard({ onWarning: false })
  let refused = 0
  for (let turn = 0; turn < 12; turn++) {
    const answers = [guard, alone].map((each) => {
      const { run } = each.call({ id: `${turn}`, name: 'a', args: {} })
      if (run) each.result({ id: `${turn}`, ok: false, output: 'b' })
      each.endStep()
      return [run, each.takeNudge(), each.shouldStop]
    })
    expect(answers[0]).toEqual(answers[1])
    if (!answers[1]?.[0]) refused += 1
  }
  expect(refused).toBeGreaterThan(0)
  expect(String(problems[0])).toContain('the swarm is down')
})
