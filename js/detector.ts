/**
 * The loop detector as a JavaScript class: checks its input, converts it to text, and passes it to
 * the engine.
 *
 * @module
 */

import { type Answer, type EngineInstance, engineInstance } from './engine/engine.js'
import {
  channelIndex,
  reading,
  requireCalls,
  requireOptionalString,
  requireString,
  supportUsing,
  wrong,
} from './input/check.js'
import { toText } from './input/json-text.js'
import { readSnapshot } from './input/plain-data.js'
import { SurrogateBuffer } from './input/surrogates.js'
import { readToolCall } from './input/tool-call.js'
import { readToolResult } from './input/tool-result.js'
import { type Identity, identityKey, type Redact, readOptions, redacted } from './options.js'
import type {
  Explanation,
  LoopDetectionState,
  LoopDetectorOptions,
  PresetName,
  Snapshot,
  TextChannel,
  ToolCall,
  ToolResult,
  Verdict,
} from './types.js'
import { CONTINUE, freezeVerdict } from './verdict.js'

type Engine = InstanceType<EngineInstance['Engine']>

const MAX_EXTENSION = 1_000_000

/** How much the iteration cap can be raised by; the reference implementation's names, or turns. */
export type Extension =
  | 'stop'
  | 'continue50'
  | 'continue200'
  | 'continue_50'
  | 'continue_200'
  | number

const EXTENSIONS: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ['stop', 0],
  ['continue50', 50],
  ['continue_50', 50],
  ['continue200', 200],
  ['continue_200', 200],
])

/** A call that was checked and turned into text. */
interface ReadyCall {
  readonly name: string
  readonly text: string
  readonly id: string
  readonly at: number
  /** What is shown instead of the arguments; empty without `redact`. */
  readonly shown: string
  readonly flags: number
}

/**
 * Watches one agent and detects when it is stuck in a loop.
 *
 * Report what the agent does, as it happens, and do what the verdicts say. A detector holds memory of
 * the engine: call {@link LoopDetector.free | free()} when the agent is done, or declare it with
 * `using`.
 *
 * @example
 * ```ts
 * const detector = new LoopDetector('nudge')
 * for (const call of toolCalls) {
 *   const verdict = detector.record(call.name, call.arguments, call.id)
 *   if (verdict.action === 'stop') break
 *   const output = verdict.action === 'block' ? verdict.message : await run(call)
 *   if (verdict.action === 'nudge') messages.push({ role: 'user', content: verdict.message })
 *   detector.recordResult({ id: call.id, output })
 * }
 * detector.free()
 * ```
 */
export class LoopDetector {
  readonly #instance: EngineInstance
  readonly #identities: ReadonlyMap<string, Identity> | null
  readonly #redact: Redact | null
  readonly #surrogates = new SurrogateBuffer()
  #engine: Engine | null
  #verdict: Verdict = CONTINUE

  /**
   * @param options A preset's name, or options; those that are absent come from their `preset`.
   * @throws TypeError for an unknown option or a value of the wrong type.
   * @throws RangeError for a value that is not allowed.
   *
   * @example
   * ```ts
   * new LoopDetector()
   * new LoopDetector('guard')
   * new LoopDetector({ preset: 'nudge', threshold: 4, tools: { poll_job: { exempt: true } } })
   * ```
   */
  constructor(options?: PresetName | LoopDetectorOptions) {
    const { data, identities, redact } = readOptions(options)
    this.#instance = engineInstance()
    this.#engine = new this.#instance.Engine(data)
    this.#identities = identities
    this.#redact = redact
    supportUsing(this)
  }

  /**
   * Records a tool call, before it runs.
   *
   * @param name The tool's name.
   * @param args The arguments: an object, the JSON text the model wrote, or nothing.
   * @param id The call's id, to match its result. An empty one counts as none.
   */
  record(name: string, args?: unknown, id?: string): Verdict
  /** Records a tool call as an object, in any shape that SDKs use; it may say when it was made. */
  record(call: ToolCall): Verdict
  record(name: string | ToolCall, args?: unknown, id?: string): Verdict {
    this.#live()
    if (typeof name === 'object' && name !== null) {
      return this.#answer(this.#put(this.#readCall(name, 'record(call): call')))
    }
    requireString(name, 'record(name): name')
    requireOptionalString(id, 'record(id): id')
    return this.#answer(
      this.#put(this.#prepare(name, args, id ?? '', NO_TIME, 'record(args): args')),
    )
  }

  /**
   * Records the parallel calls of one model turn, before they run. All are checked before the first
   * is recorded.
   *
   * @returns The most severe verdict among them; with `batch: 'end'`, the one at the end.
   */
  recordBatch(calls: readonly ToolCall[]): Verdict {
    this.#live()
    const ready = this.#readBatch(calls)
    const engine = this.#live()
    engine.beginBatch()
    for (const call of ready) this.#instance.recorded(this.#put(call))
    return this.#answer(engine.endBatch())
  }

  /**
   * Records the result of a call. It belongs to the call with its `id`; without one, to the oldest
   * call without a result (of its `name`, if it has one). A result that matches no call is ignored.
   */
  recordResult(result: ToolResult): Verdict {
    this.#live()
    const { id, name, ok, output, at } = readToolResult(result, 'recordResult(result): result')
    const text = output === undefined ? '' : toText(output, 'recordResult(result): result.output')
    const engine = this.#live()
    const { ResultFlag, scratch } = this.#instance
    const flags =
      (name === undefined ? 0 : ResultFlag.HasName) |
      (ok === undefined ? 0 : ResultFlag.HasOk) |
      (ok ? ResultFlag.IsOk : 0) |
      (output === undefined ? 0 : ResultFlag.HasOutput)
    scratch.write(text, id, name)
    return this.#answer(
      engine.recordResult(scratch.first, scratch.second, scratch.third, flags, at ?? NO_TIME),
    )
  }

  /** Records a whole model turn that had no tool calls. */
  recordText(text: string): Verdict {
    const engine = this.#live()
    requireString(text, 'recordText(text): text')
    const { scratch } = this.#instance
    scratch.writeText(text)
    this.#surrogates.clear()
    return this.#answer(engine.recordText(scratch.first))
  }

  /**
   * Records text as it streams, in pieces of any size. A verdict other than `continue` is advice to
   * abort the stream: on `nudge`, continue with the message; on `stop`, end the run.
   *
   * A call, a new turn, a whole turn of text or a user message ends the stream.
   *
   * @param channel Whether it is shown to the user (`text`), part of the model's reasoning, or the
   *   arguments of a tool call as the model writes them.
   */
  pushText(chunk: string, channel: TextChannel = 'text'): Verdict {
    const engine = this.#live()
    requireString(chunk, 'pushText(chunk): chunk')
    const index = channelIndex(channel, 'pushText(channel): channel')
    const { scratch } = this.#instance
    scratch.writeText(this.#surrogates.join(chunk, index))
    return this.#answer(engine.pushText(scratch.first, index))
  }

  /** Begins a model turn, which counts toward the iteration cap. */
  beginTurn(): Verdict {
    const engine = this.#live()
    this.#surrogates.clear()
    return this.#answer(engine.beginTurn())
  }

  /** Reports a message from a person: all counts restart. */
  userMessage(): void {
    this.#live().userMessage()
    this.#surrogates.clear()
    this.#verdict = CONTINUE
  }

  /**
   * Reports that the model's context was compacted: it forgot what it read, so reading everything
   * once more is not a loop. Failures and escalation stay.
   */
  contextCompacted(): void {
    this.#live().contextCompacted()
    this.#surrogates.clear()
  }

  /** Returns whether the agent is in a loop right now. */
  isStuck(): boolean {
    return this.#live().isStuck()
  }

  /**
   * Explains the latest verdict: what the newest call and its result counted as, and how close each
   * pattern is to its threshold. After {@link LoopDetector.restoreFrom | restoreFrom()}, there is
   * nothing to explain until the next event.
   */
  explain(): Explanation {
    const explained = this.#live().explain() as Omit<Explanation, 'verdict'>
    return { verdict: this.#verdict, ...explained }
  }

  /** How many calls were recorded; the next one has this index. */
  get callCount(): number {
    return this.#live().calls()
  }

  /** The latest verdict. */
  get verdict(): Verdict {
    this.#live()
    return this.#verdict
  }

  /** The detector's counts and thresholds, in the terms of the reference implementation. */
  get state(): LoopDetectionState {
    return Object.freeze(this.#live().state() as LoopDetectionState)
  }

  /** Returns the names of the last five tools called, newest last. */
  recentNames(): string[] {
    return this.#live().recentNames()
  }

  /**
   * Reports that the nudge was delivered: all counts restart. With the `guard` preset, the next
   * detection is a stop.
   */
  clearAfterFeedback(): void {
    this.#live().clearAfterFeedback()
    this.#surrogates.clear()
    this.#verdict = CONTINUE
  }

  /**
   * Raises the iteration cap.
   *
   * @param by `stop` for nothing, `continue50`, `continue200`, or a number of turns.
   * @returns How many turns were granted.
   */
  extend(by: Extension): number {
    const engine = this.#live()
    const turns: unknown = (typeof by === 'string' ? EXTENSIONS.get(by) : undefined) ?? by
    if (isWholeNumber(turns) && turns >= 0 && turns <= MAX_EXTENSION) return engine.extend(turns)
    const known = typeof turns === 'number' || typeof turns === 'string'
    throw wrong(
      'extend(by): by',
      `"stop", "continue50", "continue200" or a whole number from 0 to ${MAX_EXTENSION}`,
      turns,
      known ? RangeError : TypeError,
    )
  }

  /** Forgets everything but the options. */
  reset(): void {
    this.#live().reset()
    this.#surrogates.clear()
    this.#verdict = CONTINUE
  }

  /**
   * Returns the detector's memory as plain JSON, to continue from later with
   * {@link LoopDetector.restoreFrom | restoreFrom()}. `JSON.stringify(detector)` uses it.
   */
  toJSON(): Snapshot {
    return this.#live().toJSON() as Snapshot
  }

  /**
   * Continues from a snapshot, as if there had been no break. Thresholds and texts may differ from
   * those it was made with. An invalid snapshot is rejected and changes nothing.
   *
   * @throws TypeError when it is not a snapshot.
   * @throws RangeError when it is of another version, or of a detector with other patterns.
   */
  restoreFrom(snapshot: unknown): void {
    this.#live()
    const data = readSnapshot(snapshot)
    const engine = this.#live()
    const answer = engine.restore(data)
    this.#surrogates.clear()
    this.#answer(answer)
  }

  /** Releases the engine's memory. Afterwards every other method throws. */
  free(): void {
    this.#instance.free(this.#engine)
    this.#engine = null
  }

  /** Same as {@link LoopDetector.free | free()}, for `using`. */
  [Symbol.dispose](): void {
    this.free()
  }

  #live(): Engine {
    if (this.#engine === null) throw new TypeError('this LoopDetector was freed; make a new one')
    return this.#engine
  }

  /** Returns the verdict behind an answer; the details are fetched only if it is not `continue`. */
  #answer(answer: Answer): Verdict {
    this.#verdict =
      this.#instance.recorded(answer) === 0
        ? CONTINUE
        : freezeVerdict(this.#live().verdict() as Verdict)
    return this.#verdict
  }

  /** Turns a call's arguments, or the key that its tool's `identity` makes of them, into text. */
  #prepare(name: string, args: unknown, id: string, at: number, argument: string): ReadyCall {
    const { CallFlag } = this.#instance
    const identity = this.#identities?.get(name)
    const key = identity && identityKey(identity, name, args)
    const text = key ?? (args === undefined ? '' : toText(args, argument))
    const shown = this.#redact ? redacted(this.#redact, name, args) : ''
    const flags =
      (key !== undefined ? CallFlag.IsKey : args === undefined ? CallFlag.NoArgs : 0) |
      (this.#redact ? CallFlag.HasShown : 0)
    return { name, text, id, at, shown, flags }
  }

  #put({ name, text, id, at, shown, flags }: ReadyCall): Answer {
    const engine = this.#live()
    const { scratch } = this.#instance
    scratch.write(text, name, id, shown)
    this.#surrogates.clear()
    const { first, second, third, fourth } = scratch
    return engine.record(first, second, third, fourth, flags, at)
  }

  #readBatch(calls: readonly ToolCall[]): ReadyCall[] {
    requireCalls(calls, 'recordBatch(calls): calls')
    const ready: ReadyCall[] = []
    const length = reading('recordBatch(calls): calls', () => calls.length)
    for (let index = 0; index < length; index++) {
      const argument = `recordBatch(calls): calls[${index}]`
      const call = reading(argument, () => calls[index])
      ready.push(this.#readCall(call, argument))
    }
    return ready
  }

  #readCall(call: unknown, argument: string): ReadyCall {
    const { name, args, id, at } = readToolCall(call, argument)
    return this.#prepare(name, args, id, at ?? NO_TIME, `${argument}.args`)
  }
}

function isWholeNumber(value: unknown): value is number {
  return Number.isInteger(value)
}

/** Stands for an unknown time. */
const NO_TIME = Number.NaN
