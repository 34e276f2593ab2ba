/**
 * What every adapter needs between an agent framework and a detector: calls that come twice, nudges
 * that wait for their moment, and a stop that never leaves a call without its result.
 *
 * @module
 */

import { DISPOSE } from '../check.js'
import type { LoopDetector } from '../detector.js'
import type { PresetName, ToolCall, ToolResult, Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import { Calls } from './calls.js'
import { RUN } from './decision.js'
import { type ReadGuardOptions, readGuardOptions } from './options.js'
import { Outlook } from './outlook.js'
import { ErrorReport } from './report.js'
import { readGuardSnapshot, writeGuardSnapshot } from './snapshot.js'
import type { Decision, GuardOptions, GuardSnapshot, StepContent, VerdictContext } from './types.js'

/**
 * Stands between an agent and its tools, and does what a {@link LoopDetector} says. All adapters use
 * it; use it yourself in a loop that you wrote.
 *
 * - A call that is presented twice, with the same id, counts once and gets the same decision.
 * - Equal calls within one step count once: a model that calls in parallel is not in a loop.
 * - A nudge waits until {@link LoopGuard.takeNudge | takeNudge()} is called, before the next model call.
 * - A refused call always has a `reply`, to be given to the model as its result.
 * - A stop takes effect when the step is over, so that no call is left without its result.
 * - It never breaks the agent: what goes wrong inside is reported to `onError`, and the call runs.
 *
 * Use one guard for one run or thread; {@link GuardPool} keeps them apart by name.
 *
 * @example
 * ```ts
 * const guard = new LoopGuard()
 * while (guard.beginStep()) {
 *   const nudge = guard.takeNudge()
 *   if (nudge) messages.push({ role: 'user', content: nudge })
 *   const calls = await askModel(messages)
 *   for (const call of calls) {
 *     const { run, reply } = guard.call(call)
 *     const output = run ? await runTool(call) : reply
 *     guard.result({ id: call.id, output })
 *     messages.push({ role: 'tool', tool_call_id: call.id, content: output })
 *   }
 *   if (guard.endStep() || calls.length === 0) break
 * }
 * ```
 */
export class LoopGuard {
  /** The detector that is asked. */
  readonly detector: LoopDetector
  /** The name given in the options; `null` without one. */
  readonly id: string | null

  readonly #options: ReadGuardOptions
  readonly #errors: ErrorReport
  readonly #outlook = new Outlook()
  readonly #calls: Calls
  #isInStep = false

  /**
   * @param options A preset's name, a detector, or options.
   * @throws TypeError for an unknown option or a value of the wrong type.
   * @throws RangeError for a value that is not allowed.
   *
   * @example
   * ```ts
   * new LoopGuard()
   * new LoopGuard('nudge')
   * new LoopGuard({ detector: { preset: 'nudge', threshold: 4 }, onVerdict: (v) => log(v.message) })
   * new LoopGuard({ mode: 'observe', onVerdict: (v) => metrics.count(v.kind) })
   * ```
   */
  constructor(options?: PresetName | GuardOptions | LoopDetector) {
    this.#options = readGuardOptions(options)
    this.detector = this.#options.detector
    this.id = this.#options.id
    this.#errors = new ErrorReport(this.#options.onError)
    const host = {
      detector: this.detector,
      errors: this.#errors,
      outlook: this.#outlook,
      observes: this.#options.observes,
      beginStep: () => this.beginStep(),
      take: this.#take.bind(this),
    }
    this.#calls = new Calls(host, this.#options.remember)
  }

  /** Whether verdicts are acted on or only reported. */
  get mode(): 'act' | 'observe' {
    return this.#options.observes ? 'observe' : 'act'
  }

  /** The verdict that asked for the run to be stopped; `null` while there is none. */
  get stopped(): Verdict | null {
    return this.#outlook.state.stopped
  }

  /**
   * Whether to end the run here and now. Never `true` within a step, as a call there may still wait
   * for its result.
   */
  get shouldStop(): boolean {
    return this.stopped !== null && !this.#isInStep
  }

  /** The nudge that waits to be taken, if there is one. */
  get nudge(): string | null {
    return this.#outlook.state.nudge?.message ?? null
  }

  /**
   * A model call is about to be made. It counts toward the iteration cap, once for each step however
   * often this is called.
   *
   * @returns Whether it may be made; `false` after a stop.
   */
  beginStep(): boolean {
    if (this.#isInStep) return true
    if (this.stopped) return false
    this.#errors.attempt(CONTINUE, () => this.#take(this.detector.beginTurn(), 'turn', null))
    if (this.stopped) return false
    this.#isInStep = true
    return true
  }

  /**
   * A tool call, before it runs. Begins a step if none is under way.
   *
   * @returns Whether to run it, and what to give the model instead. The same for the same id.
   *
   * @example
   * ```ts
   * const { run, reply } = guard.call({ id: call.id, name: call.name, args: call.arguments })
   * const output = run ? await tools[call.name](call.arguments) : reply
   * ```
   */
  call(call: ToolCall): Decision {
    return this.#errors.attempt(RUN, () => this.#calls.present([call])[0] ?? RUN)
  }

  /**
   * The calls of one step, where all of them are known before the first one runs. They are judged as
   * one round.
   *
   * @returns A decision for each, in the same order.
   */
  calls(calls: readonly ToolCall[]): readonly Decision[] {
    return this.#errors.attempt([], () => this.#calls.present(calls))
  }

  /**
   * What came of a call. It belongs to the call with its `id`; without one, to the oldest call that
   * has no result yet (of its `name`, if it has one). The reply to a call that was refused is not a
   * result of the tool: it may be given here, and is ignored.
   *
   * @returns What the detector thinks of it.
   */
  result(result: ToolResult): Verdict {
    return this.#errors.attempt(CONTINUE, () => this.#calls.answer(result))
  }

  /** A whole model turn that had no tool calls. */
  text(text: string): Verdict {
    return this.#errors.attempt(CONTINUE, () =>
      this.#take(this.detector.recordText(text), 'text', null),
    )
  }

  /**
   * Takes text as it streams. Text that repeats itself is cut off, with a nudge for the next model
   * call, and in the end the run stops; text that only says little that is new is nudged, not cut.
   *
   * @param channel Whether it is shown to the user or part of the model's reasoning.
   * @returns Whether to cut the stream off.
   *
   * @example
   * ```ts
   * for await (const chunk of stream) {
   *   if (guard.pushText(chunk)) return abort.abort()
   *   show(chunk)
   * }
   * ```
   */
  pushText(chunk: string, channel: 'text' | 'reasoning' = 'text'): boolean {
    const verdict = this.#errors.attempt(CONTINUE, () =>
      this.#take(this.detector.pushText(chunk, channel), 'chunk', null),
    )
    const isLoop = verdict.action !== 'continue' && verdict.level !== 'notice'
    return isLoop && !this.#options.observes
  }

  /**
   * The step is over: every call of it has its result.
   *
   * @param content What it turned out to hold, where that is known. Calls in it that the guard has
   * not seen, such as those that the model's provider ran itself, are recorded now.
   * @returns Whether to end the run; same as {@link LoopGuard.shouldStop | shouldStop}.
   */
  endStep(content: StepContent = {}): boolean {
    this.#errors.attempt(undefined, () => this.#reconcile(content))
    this.#outlook.endStep(this.#calls.count > 0)
    this.#calls.endStep()
    this.#isInStep = false
    return this.shouldStop
  }

  /**
   * The text to put into the conversation before the next model call, given once; `null` if there is
   * none.
   *
   * @param options With `sticky`, a nudge that was given already is given again until a step goes by
   * without a verdict: for hosts that drop injected messages after one model call.
   */
  takeNudge(options: { readonly sticky?: boolean } = {}): string | null {
    const nudge = this.#outlook.takeNudge()
    if (!nudge) return options.sticky ? this.#outlook.state.delivered : null
    this.#errors.attempt(undefined, () => {
      if (this.#options.clears(nudge.kind)) this.detector.clearAfterFeedback()
    })
    return nudge.message
  }

  /** A person spoke: streaks restart, and what was about to be injected or stopped is not. */
  userMessage(): void {
    this.#outlook.calmDown()
    this.#errors.attempt(undefined, () => this.detector.userMessage())
  }

  /**
   * Raises the iteration cap, and lets a run go on that it stopped.
   *
   * @returns How many turns were granted.
   */
  extend(by: 'stop' | 'continue_50' | 'continue_200' | number): number {
    const granted = this.detector.extend(by)
    if (granted > 0 && this.stopped?.kind === 'iteration-cap') this.#outlook.allow()
    return granted
  }

  /** Forgets everything but the options. */
  reset(): void {
    this.#outlook.calmDown()
    this.#calls.clear()
    this.#isInStep = false
    this.detector.reset()
  }

  /**
   * The guard's memory as plain JSON, to go on from later with
   * {@link LoopGuard.restore | restore()}. `JSON.stringify(guard)` uses it.
   */
  snapshot(): GuardSnapshot {
    const state = {
      isInStep: this.#isInStep,
      ...this.#outlook.state,
      ...this.#calls.state,
    }
    return writeGuardSnapshot(state, this.detector.toJSON())
  }

  /** Same as {@link LoopGuard.snapshot | snapshot()}, for `JSON.stringify`. */
  toJSON(): GuardSnapshot {
    return this.snapshot()
  }

  /**
   * Goes on from a snapshot, as if there had been no break. What cannot be read is rejected, and
   * changes nothing.
   *
   * @throws TypeError when it is not a guard's snapshot.
   * @throws RangeError when it is one of another version, or of a detector that looks at other things.
   */
  restore(snapshot: unknown): void {
    const { state, detector } = readGuardSnapshot(snapshot)
    this.detector.restoreFrom(detector)
    this.#isInStep = state.isInStep
    this.#outlook.state = state
    this.#calls.state = state
  }

  /**
   * Gives the detector's memory back, unless the detector is yours. Afterwards every call runs
   * unwatched.
   */
  free(): void {
    if (this.#options.isOwn) this.detector.free()
  }

  /** Same as {@link LoopGuard.free | free()}, for `using`. */
  [DISPOSE](): void {
    this.free()
  }

  #reconcile({ calls = [], results = [], text = '' }: StepContent): void {
    this.#calls.witness(calls)
    for (const result of results) this.result(result)
    if (this.#calls.count === 0 && calls.length === 0 && text.trim() !== '') this.text(text)
  }

  /** Reports a verdict, and keeps what it asks for. */
  #take(verdict: Verdict, on: VerdictContext['on'], call: Concerned): Verdict {
    if (verdict.action === 'continue') return verdict
    const acted = !this.#options.observes
    const context = { on, tool: call?.name ?? null, id: call?.id ?? null, acted, guard: this }
    this.#errors.guarded(this.#options.onVerdict, verdict, context)
    if (acted) this.#outlook.take(verdict, on, call)
    return verdict
  }
}

type Concerned = Parameters<Outlook['take']>[2]
