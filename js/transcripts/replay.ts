/**
 * Replays recorded events to a detector, the way a host would have reported them.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import type { AgentEvent, Verdict } from '../types.js'
import { readEvent } from './events.js'

/** One report to the detector, and its verdict. */
export interface ReplayStep {
  /** The method that was called. */
  readonly kind: 'turn' | 'calls' | 'result' | 'text' | 'chunk' | 'user' | 'compacted'
  /** The events it was called for; none for a turn that is only implied. */
  readonly events: readonly AgentEvent[]
  /** Index of the last of these events; for an implied turn, of the event it begins with. */
  readonly event: number
  /** Index of the latest call recorded by then; -1 if there was none. */
  readonly call: number
  /** The detector's verdict. */
  readonly verdict: Verdict
}

type CallEvent = Extract<AgentEvent, { t: 'call' }>

/**
 * Replays events to a detector and yields the verdicts, one step at a time. Between steps the
 * detector is yours: deliver a nudge and call `clearAfterFeedback()`, or leave the loop at a stop.
 *
 * Adjacent calls are one batch. A text directly before a call belongs to that call's turn; any other
 * text is a turn of its own. Each turn is begun once, whether there is an event for it
 * (`{ t: 'turn' }`) or not.
 *
 * @example
 * ```ts
 * for (const { verdict } of replay(detector, events)) {
 *   if (verdict.action === 'stop') break
 * }
 * ```
 */
export function* replay(
  detector: LoopDetector,
  events: Iterable<AgentEvent>,
): Generator<ReplayStep, void, void> {
  const list: AgentEvent[] = []
  for (const event of events) list.push(readEvent(event, `replay(events): item ${list.length}`))
  yield* replayEvents(detector, list)
}

/** Does the same for events that were checked already. */
export function* replayEvents(
  detector: LoopDetector,
  list: readonly AgentEvent[],
): Generator<ReplayStep, void, void> {
  // A model turn has begun, and neither a batch nor a text has completed it yet.
  let isTurnOpen = false
  let call = -1

  for (let index = 0; index < list.length; index++) {
    const event = list[index] as AgentEvent
    const step = (kind: ReplayStep['kind'], verdict: Verdict): ReplayStep => ({
      kind,
      events: [event],
      event: index,
      call,
      verdict,
    })
    const isModel = event.t === 'call' || event.t === 'text' || event.t === 'chunk'
    if (isModel && !isTurnOpen) yield { ...step('turn', detector.beginTurn()), events: [] }
    isTurnOpen = false

    switch (event.t) {
      case 'turn':
        yield step('turn', detector.beginTurn())
        isTurnOpen = true
        break
      case 'call': {
        const calls = callsFrom(list, index)
        const verdict = detector.recordBatch(calls)
        index += calls.length - 1
        call += calls.length
        yield { ...step('calls', verdict), events: calls }
        break
      }
      case 'result':
        yield step('result', detector.recordResult(event))
        break
      case 'text':
        isTurnOpen = list[index + 1]?.t === 'call'
        yield step(
          'text',
          isTurnOpen ? detector.pushText(event.text) : detector.recordText(event.text),
        )
        break
      case 'chunk':
        isTurnOpen = true
        yield step('chunk', detector.pushText(event.text, event.channel))
        break
      case 'compacted':
        detector.contextCompacted()
        yield step('compacted', detector.verdict)
        break
      case 'user':
        detector.userMessage()
        yield step('user', detector.verdict)
        break
    }
  }
}

/** Returns the adjacent calls from an index on. */
function callsFrom(events: readonly AgentEvent[], start: number): CallEvent[] {
  const calls: CallEvent[] = []
  for (let index = start; index < events.length; index++) {
    const event = events[index]
    if (event?.t !== 'call') break
    calls.push(event)
  }
  return calls
}
