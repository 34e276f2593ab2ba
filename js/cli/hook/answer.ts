/**
 * Answers one event of a session, whose state is kept in a file.
 *
 * @module
 */

import { type LoopDetectorOptions, LoopGuard } from 'loophound'
import { answerEvents } from '../../adapters/shared/hook-session.js'
import { stateFolder } from '../folders.js'
import { SessionFile, type SessionState } from '../session-file.js'
import { printable, printError } from '../terminal.js'
import type { Fields, Host } from './dialect.js'
import { DIALECTS, recognizeHost } from './dialects.js'

/** The options of the hook. */
export interface HookOptions {
  readonly detector: LoopDetectorOptions
  /** The host; recognized by each input if absent. */
  readonly host: Host | undefined
  readonly observes: boolean
  /** Where state is kept; the user's state folder if absent. */
  readonly folder: string | undefined
}

/** Answers an input; if anything goes wrong, the agent continues as if there were no hook. */
export function answerInput(text: string, options: HookOptions): Fields {
  try {
    // PowerShell puts a byte order mark before it.
    const input: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return answer((typeof input === 'object' && input) || {}, options)
  } catch (error) {
    warn(error)
    return {}
  }
}

function answer(input: object, { detector, host, observes, folder }: HookOptions): Fields {
  const fields = input as Fields
  const name = host ?? recognizeHost(fields)
  const dialect = DIALECTS[name]
  const { sessionId, agentId } = dialect.session(fields)
  // No state is read or written for an irrelevant event.
  if (dialect.read(fields, {}).length === 0) return {}
  const guard = new LoopGuard({
    detector,
    mode: observes ? 'observe' : 'act',
    onError: warn,
    // Each event has its own process, so a one-time warning would appear each time.
    onWarning: false,
    onVerdict: ({ action, kind, tool }) => {
      if (observes) printError(`observed ${action}: ${kind}${tool ? `, ${tool}` : ''}.`)
    },
  })
  // It would guess where steps end until it is told of one, and each event has a new guard.
  guard.endStep()
  try {
    const file = new SessionFile(folder ?? stateFolder(), [name, sessionId, agentId])
    const first: SessionState = { host: name, calls: 0, results: 0, steps: { ...dialect.steps } }
    return file.update(
      guard,
      first,
      (state) => {
        const events = dialect.read(fields, state.steps)
        for (const { type } of events) {
          if (type === 'call') state.calls++
          if (type === 'result' || type === 'batch') state.results++
        }
        const said = answerEvents(guard, events, state.steps, dialect.abilities(fields))
        return dialect.write(fields, said)
      },
      (reason) => printError(`${printable(reason)}. The session begins anew.`),
    )
  } finally {
    guard.free()
  }
}

function warn(problem: unknown): void {
  const reason = problem instanceof Error ? problem.message : String(problem)
  printError(`${printable(reason).replace(/\.$/, '')}. The agent goes on unwatched.`)
}
