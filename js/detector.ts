/**
 * The loop detector as a JavaScript class: it checks what it is given, turns it into text, and asks
 * the engine.
 *
 * @module
 */

import { toText } from './arguments.js'
import { DISPOSE, reading, requireObject, requireOptionalString, requireString } from './check.js'
import { type Answer, type Core, core } from './core/core.js'
import { describe } from './describe.js'
import { Halves } from './halves.js'
import { identityKey } from './identity.js'
import { type Identity, readOptions } from './options.js'
import { readSnapshot } from './snapshot.js'
import type {
  LoopDetectionState,
  LoopDetectorOptions,
  PresetName,
  Snapshot,
  TextChannel,
  ToolCall,
  ToolResult,
  Verdict,
} from './types.js'
import { CONTINUE, sealVerdict } from './verdict.js'

type Engine = InstanceType<Core['Engine']>

const MAX_EXTENSION = 1_000_000

/** A call of a batch, checked and turned into text. */
interface ReadyCall {
  readonly name: string
  readonly text: string
  readonly id: string
  readonly flags: number
}

/**
 * Watches one agent and says when it goes round in circles.
 *
 * Tell it what the agent does, as it happens, and do what the verdicts say. It holds memory of the
 * engine: call {@link LoopDetector.free | free()} when the agent is done, or declare it with `using`.
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
  readonly #core: Core
  readonly #identities: ReadonlyMap<string, Identity> | null
  readonly #halves = new Halves()
  #engine: Engine | null
  #verdict: Verdict = CONTINUE
  /** The flags of the text that {@link LoopDetector.#textOf} made last: a second return value. */
  #flags = 0

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
    const { data, identities } = readOptions(options)
    this.#core = core()
    this.#engine = new this.#core.Engine(data)
    this.#identities = identities
  }

  /**
   * Records a tool call, before it runs.
   *
   * @param name The tool's name.
   * @param args The arguments: an object, the JSON text the model wrote, or nothing.
   * @param id The call's id, to match its result. An empty one counts as none.
   */
  record(name: string, args?: unknown, id?: string): Verdict {
    this.#live()
    requireString(name, 'record(name): name')
    requireOptionalString(id, 'record(id): id')
    const text = this.#textOf(name, args, 'record(args): args')
    return this.#answer(this.#put(name, text, id ?? '', this.#flags))
  }

  /**
   * Records the parallel calls of one model turn, before they run. All are checked before the first
   * is recorded.
   *
   * @returns The hardest verdict among them; with `batch: 'end'`, the one at the end.
   */
  recordBatch(calls: readonly ToolCall[]): Verdict {
    this.#live()
    const ready = this.#readBatch(calls)
    const engine = this.#live()
    engine.beginBatch()
    for (const { name, text, id, flags } of ready) {
      this.#core.recorded(this.#put(name, text, id, flags))
    }
    return this.#answer(engine.endBatch())
  }

  /**
   * Records what came of a call. It belongs to the call with its `id`; without one, to the oldest
   * unanswered call (of its `name`, if it has one). A result that matches no call is ignored.
   */
  recordResult(result: ToolResult): Verdict {
    this.#live()
    requireObject(result, 'recordResult(result): result')
    const {
      id = '',
      name,
      ok,
      output,
    } = reading('recordResult(result): result', () => ({
      id: result.id,
      name: result.name,
      ok: result.ok,
      output: result.output,
    }))
    requireString(id, 'recordResult(result): result.id')
    requireOptionalString(name, 'recordResult(result): result.name')
    if (ok !== undefined && typeof ok !== 'boolean') {
      throw new TypeError(
        `recordResult(result): result.ok must be true or false; got ${describe(ok)}`,
      )
    }
    const text = output === undefined ? '' : toText(output, 'recordResult(result): result.output')
    const engine = this.#live()
    const { ResultFlag, scratch } = this.#core
    const flags =
      (id === '' ? 0 : ResultFlag.HasId) |
      (name === undefined ? 0 : ResultFlag.HasName) |
      (ok === undefined ? 0 : ResultFlag.HasOk) |
      (ok ? ResultFlag.IsOk : 0) |
      (output === undefined ? 0 : ResultFlag.HasOutput)
    scratch.write(text, id, name)
    return this.#answer(engine.recordResult(scratch.first, scratch.second, scratch.third, flags))
  }

  /** Records a whole model turn that had no tool calls. */
  recordText(text: string): Verdict {
    const engine = this.#live()
    requireString(text, 'recordText(text): text')
    const { scratch } = this.#core
    scratch.write(text)
    this.#halves.drop()
    return this.#answer(engine.recordText(scratch.first))
  }

  /**
   * Takes text as it streams, in pieces of any size. A verdict other than `continue` is advice to
   * abort the stream: on `nudge`, go on with the message; on `stop`, end the run.
   *
   * A stream ends with a call, a turn, a text turn, or when a person speaks.
   *
   * @param channel Whether it is shown to the user or part of the model's reasoning.
   */
  pushText(chunk: string, channel: TextChannel = 'text'): Verdict {
    const engine = this.#live()
    requireString(chunk, 'pushText(chunk): chunk')
    if (channel !== 'text' && channel !== 'reasoning') {
      throw new TypeError(
        `pushText(channel): channel must be "text" or "reasoning"; got ${describe(channel)}`,
      )
    }
    const { scratch } = this.#core
    scratch.write(this.#halves.join(chunk, channel))
    return this.#answer(engine.pushText(scratch.first, channel === 'reasoning'))
  }

  /** Begins a model turn, which counts toward the iteration cap. */
  beginTurn(): Verdict {
    const engine = this.#live()
    this.#halves.drop()
    return this.#answer(engine.beginTurn())
  }

  /** A person spoke: streaks restart. */
  userMessage(): void {
    this.#live().userMessage()
    this.#halves.drop()
    this.#verdict = CONTINUE
  }

  /** Whether the agent is in a loop right now. */
  isStuck(): boolean {
    return this.#live().isStuck()
  }

  /** The latest verdict. */
  get verdict(): Verdict {
    this.#live()
    return this.#verdict
  }

  /** Where the detector stands. */
  get state(): LoopDetectionState {
    return Object.freeze(this.#live().state() as LoopDetectionState)
  }

  /** The names of the last five tools called, newest last. */
  recentNames(): string[] {
    return this.#live().recentNames()
  }

  /**
   * The nudge was delivered: the model gets a fresh chance. With the `guard` preset the next
   * detection is a hard stop.
   */
  clearAfterFeedback(): void {
    this.#live().clearAfterFeedback()
    this.#halves.drop()
    this.#verdict = CONTINUE
  }

  /**
   * Raises the iteration cap.
   *
   * @param by `stop` for nothing, `continue_50`, `continue_200`, or a number of turns.
   * @returns How many turns were granted.
   */
  extend(by: 'stop' | 'continue_50' | 'continue_200' | number): number {
    const engine = this.#live()
    const turns = by === 'stop' ? 0 : by === 'continue_50' ? 50 : by === 'continue_200' ? 200 : by
    if (Number.isInteger(turns) && turns >= 0 && turns <= MAX_EXTENSION) return engine.extend(turns)
    const known = typeof turns === 'number' || typeof turns === 'string'
    throw new (known ? RangeError : TypeError)(
      `extend(by): by must be "stop", "continue_50", "continue_200" or a whole number from 0 to ${MAX_EXTENSION}; got ${describe(turns)}`,
    )
  }

  /** Forgets everything but the options. */
  reset(): void {
    this.#live().reset()
    this.#halves.drop()
    this.#verdict = CONTINUE
  }

  /**
   * The detector's memory as plain JSON, to go on from later with
   * {@link LoopDetector.restoreFrom | restoreFrom()}. `JSON.stringify(detector)` uses it.
   */
  toJSON(): Snapshot {
    return this.#live().toJSON() as Snapshot
  }

  /**
   * Goes on from a snapshot, as if there had been no break. Thresholds and texts may differ from
   * those it was made with. What cannot be read is rejected, and changes nothing.
   *
   * @throws TypeError when it is not a snapshot.
   * @throws RangeError when it is one of another version, or of a detector that looks at other things.
   */
  restoreFrom(snapshot: unknown): void {
    this.#live()
    const data = readSnapshot(snapshot)
    const engine = this.#live()
    engine.restore(data)
    this.#halves.drop()
    this.#verdict = sealVerdict(engine.verdict() as Verdict)
  }

  /** Gives the engine's memory back. Afterwards every other method throws. */
  free(): void {
    this.#engine?.free()
    this.#engine = null
  }

  /** Same as {@link LoopDetector.free | free()}, for `using`. */
  [DISPOSE](): void {
    this.free()
  }

  #live(): Engine {
    if (this.#engine === null) throw new TypeError('this LoopDetector was freed; make a new one')
    return this.#engine
  }

  /** The verdict behind an answer; only one other than `continue` is worth the details. */
  #answer(answer: Answer): Verdict {
    this.#verdict =
      this.#core.recorded(answer) === 0 ? CONTINUE : sealVerdict(this.#live().verdict() as Verdict)
    return this.#verdict
  }

  #put(name: string, text: string, id: string, flags: number): Answer {
    const engine = this.#live()
    const { CallFlag, scratch } = this.#core
    scratch.write(text, name, id)
    this.#halves.drop()
    const { first, second, third } = scratch
    return engine.record(first, second, third, id === '' ? flags : flags | CallFlag.HasId)
  }

  /** The text that stands for a call's arguments; {@link LoopDetector.#flags} says what it is. */
  #textOf(name: string, args: unknown, argument: string): string {
    const identity = this.#identities?.get(name)
    const key = identity && identityKey(identity, name, args)
    if (key !== undefined) {
      this.#flags = this.#core.CallFlag.IsKey
      return key
    }
    const text = args === undefined ? '' : toText(args, argument)
    // Set last: a getter among the arguments may have recorded a call of its own.
    this.#flags = args === undefined ? this.#core.CallFlag.NoArgs : 0
    return text
  }

  #readBatch(calls: readonly ToolCall[]): ReadyCall[] {
    if (describe(calls) !== 'an array') {
      throw new TypeError(
        `recordBatch(calls): calls must be an array of calls; got ${describe(calls)}`,
      )
    }
    const ready: ReadyCall[] = []
    const length = reading('recordBatch(calls): calls', () => calls.length)
    for (let index = 0; index < length; index++) {
      const argument = `recordBatch(calls): calls[${index}]`
      const call = reading(argument, () => calls[index])
      requireObject(call, argument)
      const { name, args, id = '' } = reading(argument, () => fieldsOf(call as ToolCall))
      requireString(name, `${argument}.name`)
      requireString(id, `${argument}.id`)
      const text = this.#textOf(name, args, `${argument}.args`)
      ready.push({ name, text, id, flags: this.#flags })
    }
    return ready
  }
}

/** Each property read once, wherever on the prototype chain it is. */
function fieldsOf({ name, args, id }: ToolCall): ToolCall {
  return { name, args, id }
}
