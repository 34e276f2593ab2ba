/**
 * Replays recorded events to a detector, the way a host would have reported them.
 *
 * @module
 */

import type { AgentEvent, LoopDetector, Verdict } from 'loophound'
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
type TextEvent = Extract<AgentEvent, { t: 'text' }>

/**
 * Replays events to a detector and yields the verdicts, one step at a time. Between steps the
 * detector is yours: deliver a nudge and call `clearAfterFeedback()`, or leave the loop at a stop.
 *
 * Adjacent calls are one batch. A text directly before a call belongs to that call's turn; any
 * other text is a turn of its own. Each turn is begun once, whether there is an event for it
 * (`{ t: 'turn' }`) or not. If there is one, all texts up to the next result belong to it. User
 * messages from the harness reset nothing, and are not steps.
 *
 * @example
 * ```ts
 * for (const { verdict } of replay(detector, events)) {
 *   if (verdict.action === 'stop') break
 * }
 * ```
 */
export function replay(
  detector: LoopDetector,
  events: Iterable<AgentEvent>,
): Generator<ReplayStep, void, void> {
  return replayChecked(detector, checked(events))
}

function* checked(events: Iterable<AgentEvent>): Iterable<AgentEvent> {
  let index = 0
  for (const event of events) {
    yield readEvent(event, `replay(events): item ${index}`)
    index += 1
  }
}

/** As {@link replay}, for events that were already checked. */
export function* replayChecked(
  detector: LoopDetector,
  events: Iterable<AgentEvent>,
): Generator<ReplayStep, void, void> {
  const replayer = new Replayer(detector)
  for (const event of events) yield* replayer.push(event)
  yield* replayer.end()
}

/**
 * Replays events that come one at a time, such as those of one agent among several in a stream. It
 * holds the newest calls or text back until the next event shows what they are part of.
 */
export class Replayer {
  readonly #detector: LoopDetector
  #index = -1
  #call = -1
  /**
   * Whether a model turn has begun, with an explicit event or implied by its content, and is not
   * complete yet.
   */
  #turn: 'none' | 'implied' | 'explicit' = 'none'
  #turnHasCalls = false
  #calls: CallEvent[] = []
  #lastCall = -1
  #text: { readonly event: TextEvent; readonly index: number } | undefined

  constructor(detector: LoopDetector) {
    this.#detector = detector
  }

  /** Adds the next event; yields a step for each report to the detector that it leads to. */
  *push(event: AgentEvent): Generator<ReplayStep, void, void> {
    this.#index += 1
    const detector = this.#detector
    const { t } = event
    if (t === 'usage' || t === 'spawn') return
    yield* this.#settle(t)
    const isModel = t === 'call' || t === 'text' || t === 'chunk'
    if (isModel && this.#turn === 'none' && this.#calls.length === 0) {
      yield { ...this.#step('turn', event, detector.beginTurn()), events: [] }
    }
    const isExplicit = this.#turn === 'explicit'
    if (!isModel || !isExplicit) this.#turn = 'none'
    switch (t) {
      case 'turn':
        yield this.#step('turn', event, detector.beginTurn())
        this.#turn = 'explicit'
        this.#turnHasCalls = false
        break
      case 'call':
        this.#calls.push(event)
        this.#lastCall = this.#index
        this.#turnHasCalls = true
        break
      case 'result': {
        const { id, name, ok, output, at } = event
        yield this.#step('result', event, detector.recordResult({ id, name, ok, output, at }))
        break
      }
      case 'text':
        this.#text = { event, index: this.#index }
        if (isExplicit && this.#turnHasCalls) yield* this.#say(true)
        break
      case 'chunk':
        if (!isExplicit) this.#turn = 'implied'
        yield this.#step('chunk', event, detector.pushText(event.text, event.channel))
        break
      case 'compacted':
        detector.contextCompacted()
        yield this.#step('compacted', event, detector.verdict)
        break
      case 'user':
        if (event.origin === 'harness') break
        detector.userMessage()
        yield this.#step('user', event, detector.verdict)
        break
    }
  }

  /** Reports what is still held back. Nothing may follow. */
  *end(): Generator<ReplayStep, void, void> {
    yield* this.#settle('turn')
  }

  /** Reports what was held back until an event of this kind. */
  *#settle(next: AgentEvent['t']): Iterable<ReplayStep> {
    if (this.#calls.length > 0 && next !== 'call') {
      const calls = this.#calls
      this.#calls = []
      const verdict = this.#detector.recordBatch(calls)
      this.#call += calls.length
      const [event] = calls.slice(-1)
      if (event) yield { ...this.#step('calls', event, verdict, this.#lastCall), events: calls }
    }
    if (!this.#text) return
    const isExplicit = this.#turn === 'explicit'
    // Reasoning may come between a text and the calls of its turn.
    if (isExplicit && next === 'chunk') return
    const isPart = next === 'call' || (isExplicit && next === 'text')
    yield* this.#say(isPart)
    if (isPart && !isExplicit) this.#turn = 'implied'
  }

  /** Reports the text that was held back, as part of a turn or as a separate turn. */
  *#say(isPart: boolean): Iterable<ReplayStep> {
    if (!this.#text) return
    const { event, index } = this.#text
    this.#text = undefined
    const detector = this.#detector
    const verdict = isPart ? detector.pushText(event.text) : detector.recordText(event.text)
    yield this.#step('text', event, verdict, index)
  }

  #step(
    kind: ReplayStep['kind'],
    event: AgentEvent,
    verdict: Verdict,
    index = this.#index,
  ): ReplayStep {
    return { kind, events: [event], event: index, call: this.#call, verdict }
  }
}
