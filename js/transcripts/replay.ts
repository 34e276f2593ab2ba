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
type ResultEvent = Extract<AgentEvent, { t: 'result' }>
type TextEvent = Extract<AgentEvent, { t: 'text' }>

/** How many results wait for the end of their turn. A turn with more is more than one batch. */
const MAX_RESULTS = 256

/**
 * Replays events to a detector and yields the verdicts, one step at a time. Between steps the
 * detector is yours: deliver a nudge and call `clearAfterFeedback()`, or leave the loop at a stop.
 *
 * Calls with the same `turn` are one batch, even if they ran one after the other: their results
 * follow when the turn is over. Without a `turn`, adjacent calls are one batch. A text directly
 * before a call belongs to that call's turn; any other text is a turn of its own. Each turn is begun
 * once, whether there is an event for it (`{ t: 'turn' }`) or not. If there is one, all texts up to
 * the next result belong to it. User messages from the harness reset nothing, and are not steps.
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
 * holds the newest calls or text back until the next event shows what they are part of, and the
 * results of a turn until all of its calls are known.
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
  /** Results that came while calls of their turn may follow. */
  #results: { readonly event: ResultEvent; readonly index: number }[] = []
  #text: { readonly event: TextEvent; readonly index: number } | undefined

  constructor(detector: LoopDetector) {
    this.#detector = detector
  }

  /** Adds the next event; yields a step for each report to the detector that it leads to. */
  *push(event: AgentEvent): Generator<ReplayStep, void, void> {
    this.#index += 1
    const detector = this.#detector
    const { t } = event
    if (t === 'usage' || t === 'spawn' || (t === 'call' && event.neverRan)) return
    const isSameTurn = this.#isOfHeldTurn(event)
    if (isSameTurn && t === 'user') return
    if (!isSameTurn) {
      const isNewTurn = t === 'call' && this.#calls.length > 0
      yield* this.#settle(t)
      if (isNewTurn) this.#turn = 'none'
    }
    const isModel = t === 'call' || t === 'text' || t === 'chunk'
    if (isModel && this.#turn === 'none' && this.#calls.length === 0) {
      yield { ...this.#step('turn', event, detector.beginTurn()), events: [] }
    }
    const isExplicit = this.#turn === 'explicit'
    // A late result of an earlier turn is no part of a turn that has no calls yet.
    const isLate = t === 'result' && !this.#turnHasCalls
    if (!(isModel || isSameTurn || isLate) || !isExplicit) this.#turn = 'none'
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
      case 'result':
        this.#results.push({ event, index: this.#index })
        if (!isSameTurn || this.#results.length >= MAX_RESULTS) yield* this.#record()
        break
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

  /** Returns whether an event may stand between calls of the turn whose calls are held back. */
  #isOfHeldTurn(event: AgentEvent): boolean {
    const [first] = this.#calls
    if (!first) return false
    const { turn } = first
    const { t } = event
    const isNumbered = turn !== undefined
    if (t === 'call') {
      const isAdjacent = this.#results.length === 0
      return isNumbered && event.turn !== undefined ? event.turn === turn : isAdjacent
    }
    const isText = (t === 'text' || t === 'chunk') && this.#turn === 'explicit'
    const isHarness = t === 'user' && event.origin === 'harness'
    return isNumbered && (t === 'result' || isText || isHarness)
  }

  /** Reports the calls that were held back, and then their results. */
  *#record(): Iterable<ReplayStep> {
    const calls = this.#calls
    const results = this.#results
    this.#calls = []
    this.#results = []
    const last = calls.at(-1)
    if (last) {
      const verdict = this.#detector.recordBatch(calls)
      this.#call += calls.length
      yield { ...this.#step('calls', last, verdict, this.#lastCall), events: calls }
    }
    for (const { event, index } of results) {
      const { id, name, ok, output, at } = event
      const verdict = this.#detector.recordResult({ id, name, ok, output, at })
      yield this.#step('result', event, verdict, index)
    }
  }

  /** Reports what was held back until an event of this kind, which is not of the same turn. */
  *#settle(next: AgentEvent['t']): Iterable<ReplayStep> {
    yield* this.#record()
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
