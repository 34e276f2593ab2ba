/**
 * What every adapter needs between an agent framework and a detector: it handles calls that are
 * presented twice, nudges that wait for the next model call, and stops that leave no call without a
 * result.
 *
 * @module
 */

import type { Extension, LoopDetector } from '../detector.js'
import { describe, requireObject, supportUsing } from '../input/check.js'
import { decideHandOver, pathDownTo } from '../swarm/delegation.js'
import type { PresetName, TextChannel, ToolCall, ToolResult, Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import type { RememberedCall } from './call-memory.js'
import { Calls, RUN } from './calls.js'
import { ErrorReport } from './error-report.js'
import { type ReadGuardOptions, readGuardOptions } from './options.js'
import { PendingActions } from './pending-actions.js'
import { readGuardSnapshot, writeGuardSnapshot } from './snapshot.js'
import type {
  Decision,
  GuardOptions,
  GuardOutcome,
  GuardSnapshot,
  GuardWarning,
  StepContent,
  VerdictContext,
} from './types.js'
import { Misuse } from './warnings.js'

/** What a step can contain. */
const CONTENT_FIELDS: readonly (keyof StepContent)[] = ['calls', 'results', 'text']

/** The detectors that guards use, to notice when two guards share one. */
const DETECTORS_IN_USE = /* @__PURE__ */ new WeakSet<LoopDetector>()

/**
 * Sits between an agent and its tools, and does what a {@link LoopDetector} says. All adapters use
 * it; use it yourself in an agent loop of your own.
 *
 * - A call that is presented twice, with the same id, counts once and gets the same decision.
 * - Equal calls within one step count once: a model that calls in parallel is not in a loop.
 * - A nudge waits until {@link LoopGuard.takeNudge | takeNudge()} is called, before the next model call.
 * - A refused call always has a `reply`, to be given to the model as its result.
 * - A stop takes effect when the step is over, so that no call is left without its result.
 * - It never breaks the agent: internal errors are reported to `onError`, and the call runs.
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
  /** The detector that makes the verdicts. */
  readonly detector: LoopDetector
  /** The name given in the options; `null` without one. */
  readonly id: string | null

  readonly #options: ReadGuardOptions
  readonly #errors: ErrorReport
  readonly #pending = new PendingActions()
  readonly #calls: Calls
  readonly #misuse: Misuse
  #isInStep = false
  #turns = 0
  #isFinished = false

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
    this.#misuse = new Misuse(this.#options.onWarning)
    this.#errors = new ErrorReport(this.#options.onError, (isSaid) =>
      this.#misuse.known('unreadable-input', isSaid),
    )
    if (DETECTORS_IN_USE.has(this.detector)) this.#misuse.known('shared-detector')
    DETECTORS_IN_USE.add(this.detector)
    const host = {
      detector: this.detector,
      errors: this.#errors,
      pending: this.#pending,
      misuse: this.#misuse,
      swarm: this.#options.swarm,
      observes: this.#options.observes,
      beginStep: () => this.#openStep(),
      nextStep: () => this.#closeStep(),
      report: this.#report.bind(this),
    }
    this.#calls = new Calls(host, this.#options.remember)
    supportUsing(this)
  }

  /** Whether verdicts are acted on or only reported. */
  get mode(): 'act' | 'observe' {
    return this.#options.observes ? 'observe' : 'act'
  }

  /** The verdict that asked for the run to be stopped; `null` while there is none. */
  get stopped(): Verdict | null {
    return this.#pending.state.stopped
  }

  /**
   * Whether to end the run now. Never `true` within a step, as a call there may still be waiting for
   * its result.
   */
  get shouldStop(): boolean {
    return this.stopped !== null && !this.#isInStep
  }

  /** The state of the run: whether it is running, finished or was stopped, and why. */
  get outcome(): GuardOutcome {
    const { stopped } = this
    return Object.freeze({
      state: stopped ? 'stopped' : this.#isFinished ? 'finished' : 'running',
      summary: stopped?.summary ?? null,
      kind: stopped?.kind ?? null,
      calls: this.#calls.total,
      turns: this.#turns,
    })
  }

  /** Returns what is wrong with how the guard is used, as far as the guard can see. */
  diagnose(): readonly GuardWarning[] {
    return this.#misuse.warnings
  }

  /** Reports a misuse that only an adapter can see. Each code is reported once. */
  warn(warning: GuardWarning): void {
    this.#misuse.warn(warning)
  }

  /** The nudge that is waiting to be taken, if there is one. */
  get nudge(): string | null {
    return this.#pending.state.nudge?.message ?? null
  }

  /**
   * Begins a step, before a model call. Each step counts once toward the iteration cap, however
   * many times this is called. In a host that never calls {@link LoopGuard.endStep | endStep()}, a
   * step whose calls are all answered is over.
   *
   * @returns Whether the model call may be made; `false` after a stop.
   */
  beginStep(): boolean {
    this.#misuse.hasBegunStep = true
    // A host that never calls endStep() would go on for ever, and its steps would all be one.
    const isOver = this.#isInStep && this.#calls.count > 0 && !this.#calls.isWaiting
    if (isOver && !this.#misuse.hasEndedStep) {
      this.#misuse.stepAdded()
      this.#closeStep()
    }
    return this.#openStep()
  }

  #openStep(): boolean {
    if (this.#isInStep) return true
    if (this.stopped) return false
    this.#errors.attempt(CONTINUE, () => this.#report(this.detector.beginTurn(), 'turn', null))
    if (this.stopped) return false
    this.#isInStep = true
    this.#isFinished = false
    this.#turns++
    return true
  }

  /**
   * Decides on a tool call, before it runs. Begins a step if none is under way.
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
    return this.#errors.attempt(RUN, () => this.#calls.decide([call])[0] ?? RUN)
  }

  /**
   * Decides on the calls of one step, if all of them are known before the first one runs. They are
   * judged together.
   *
   * @returns A decision for each, in the same order.
   */
  calls(calls: readonly ToolCall[]): readonly Decision[] {
    return this.#errors.attempt([], () => this.#calls.decide(calls))
  }

  /**
   * Records the result of a call. It belongs to the call with its `id`; without one, to the oldest
   * call that has no result yet (of its `name`, if it has one). The reply to a refused call is not
   * a result of the tool: it may be passed here, and is ignored.
   *
   * @returns The detector's verdict.
   */
  result(result: ToolResult): Verdict {
    return this.#errors.attempt(CONTINUE, () => this.#calls.recordResult(result))
  }

  /** Records a whole model turn that had no tool calls. */
  text(text: string): Verdict {
    return this.#errors.attempt(CONTINUE, () =>
      this.#report(this.detector.recordText(text), 'text', null),
    )
  }

  /**
   * Records text as it streams. Text that repeats itself is cut off, with a nudge for the next
   * model call, and eventually the run stops; text that says little new leads to a nudge but is not
   * cut off.
   *
   * @param channel Whether it is shown to the user (`text`), part of the model's reasoning, or the
   *   arguments of a tool call as the model writes them.
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
  pushText(chunk: string, channel: TextChannel = 'text'): boolean {
    const verdict = this.#errors.attempt(CONTINUE, () =>
      this.#report(this.detector.pushText(chunk, channel), 'chunk', null),
    )
    const isLoop = verdict.action !== 'continue' && verdict.level !== 'notice'
    return isLoop && !this.#options.observes
  }

  /**
   * Ends the step: all its calls have their results.
   *
   * @param content What the step contained, if that is known. Calls in it that the guard has not
   * seen, such as those that the model's provider ran itself, are recorded now.
   * @returns Whether to end the run; same as {@link LoopGuard.shouldStop | shouldStop}.
   */
  endStep(content?: StepContent): boolean {
    this.#misuse.hasEndedStep = true
    if (content !== undefined) this.#errors.attempt(undefined, () => this.#recordContent(content))
    if (this.#isInStep) this.#isFinished = this.#calls.count === 0
    this.#closeStep()
    return this.shouldStop
  }

  /**
   * Takes the text to put into the conversation before the next model call; `null` if there is none.
   * Do not report it with {@link LoopGuard.userMessage | userMessage()}: it comes from no person.
   *
   * @param options With `sticky`, a nudge that was already taken is returned again until a step
   * passes without a verdict: for hosts that drop injected messages after one model call.
   */
  takeNudge(options: { readonly sticky?: boolean } = {}): string | null {
    const nudge = this.#pending.takeNudge()
    if (!nudge) return options.sticky ? this.#pending.state.delivered : null
    this.#misuse.nudgeTaken()
    this.#errors.attempt(undefined, () => {
      if (this.#options.clearsAfterNudge(nudge.kind)) this.detector.clearAfterFeedback()
    })
    return nudge.message
  }

  /**
   * Reports a message from a person: all counts restart, and pending nudges, refusals and stops are
   * dropped. Not for a nudge that you put into the conversation, although it is a user message.
   */
  userMessage(): void {
    this.#pending.clear()
    this.#misuse.userMessage()
    this.#errors.attempt(undefined, () => this.detector.userMessage())
  }

  /**
   * Reports that the model's context was compacted: reading everything once more is not a loop.
   * Pending nudges, refusals and stops stay.
   */
  contextCompacted(): void {
    this.#errors.attempt(undefined, () => this.detector.contextCompacted())
  }

  /**
   * Decides on handing a task to another agent, before it happens. Refuses it if that agent is
   * already on the path with the same task, or if the path gets too long. Needs no swarm; with one,
   * cycles between processes are found as well.
   *
   * The option `path` is what an earlier hand-over returned, or the names of the agents above, without
   * their tasks; then this guard's `id` is added, unless the path ends with it. Of a bare name, only the
   * task that it handed on is known.
   *
   * @returns The verdict, whether to hand it over (always so in observe mode), and the `path` for the
   *   guard of the agent that gets the task.
   *
   * @example
   * ```ts
   * const { run, verdict, path } = guard.handOver('coder', prompt)
   * if (!run) return verdict.message
   * return runAgent('coder', prompt, { guard: new LoopGuard({ id: 'coder', path }) })
   * ```
   */
  handOver(
    agent: string,
    task: string,
  ): { verdict: Verdict; run: boolean; path: readonly string[] } {
    const { swarm, path, observes } = this.#options
    const above = pathDownTo(this.id, path)
    return this.#errors.attempt({ verdict: CONTINUE, run: true, path: above }, () => {
      const handOver = { path: above, agent, task }
      const decided = swarm ? swarm.handOver(handOver) : decideHandOver(handOver)
      const { verdict } = decided
      if (verdict.action !== 'continue') this.#notify(verdict, 'call', agent, null)
      const run = observes || (verdict.action !== 'block' && verdict.action !== 'stop')
      return { verdict, run, path: decided.path }
    })
  }

  /**
   * Raises the iteration cap, and lets a run that it stopped continue.
   *
   * @returns How many turns were granted.
   */
  extend(by: Extension): number {
    const granted = this.detector.extend(by)
    if (granted > 0 && this.stopped?.kind === 'iteration-cap') this.#pending.clearStop()
    return granted
  }

  /** Forgets everything but the options. */
  reset(): void {
    this.#pending.clear()
    this.#calls.clear()
    this.#isInStep = false
    this.#isFinished = false
    this.#turns = 0
    this.detector.reset()
  }

  /**
   * Returns the guard's memory as plain JSON, to continue from later with
   * {@link LoopGuard.restore | restore()}. `JSON.stringify(guard)` uses it.
   */
  snapshot(): GuardSnapshot {
    const state = {
      isInStep: this.#isInStep,
      isFinished: this.#isFinished,
      turns: this.#turns,
      ...this.#pending.state,
      ...this.#calls.state,
    }
    return writeGuardSnapshot(state, this.detector.toJSON())
  }

  /** Same as {@link LoopGuard.snapshot | snapshot()}, for `JSON.stringify`. */
  toJSON(): GuardSnapshot {
    return this.snapshot()
  }

  /**
   * Continues from a snapshot, as if there had been no break. An invalid snapshot is rejected and
   * changes nothing.
   *
   * @throws TypeError when it is not a guard's snapshot.
   * @throws RangeError when it is of another version, or of a detector with other patterns.
   */
  restore(snapshot: unknown): void {
    const { state, detector } = readGuardSnapshot(snapshot)
    this.detector.restoreFrom(detector)
    this.#isInStep = state.isInStep
    this.#isFinished = state.isFinished
    this.#turns = state.turns
    this.#pending.state = state
    this.#calls.state = state
  }

  /**
   * Releases the detector's memory, unless you passed the detector. Afterwards every call runs
   * without being checked.
   */
  free(): void {
    DETECTORS_IN_USE.delete(this.detector)
    if (this.#options.ownsDetector) this.detector.free()
  }

  /** Same as {@link LoopGuard.free | free()}, for `using`. */
  [Symbol.dispose](): void {
    this.free()
  }

  #closeStep(): void {
    this.#pending.endStep(this.#calls.count > 0)
    this.#calls.endStep()
    this.#isInStep = false
  }

  #recordContent(content: StepContent): void {
    requireObject(content, 'endStep(content): content')
    const { calls = [], results = [], text = '' } = content
    const [other] = Object.keys(content)
    if (other !== undefined && !CONTENT_FIELDS.some((field) => field in content)) {
      throw new TypeError(
        `endStep(content): content has none of ${CONTENT_FIELDS.join(', ')}, but ${describe(other)}`,
      )
    }
    this.#calls.recordUnguarded(calls)
    for (const result of results) this.result(result)
    if (this.#calls.count === 0 && calls.length === 0 && text.trim() !== '') this.text(text)
  }

  /** Reports a verdict, and keeps what is to be done about it. */
  #report(verdict: Verdict, on: VerdictContext['on'], call: RememberedCall | null): Verdict {
    if (verdict.action === 'continue') return verdict
    this.#notify(verdict, on, call?.name ?? null, call?.id ?? null)
    if (!this.#options.observes) this.#pending.add(verdict, on, call)
    return verdict
  }

  #notify(verdict: Verdict, on: VerdictContext['on'], tool: string | null, id: string | null) {
    const context = { on, tool, id, acted: !this.#options.observes, guard: this }
    this.#errors.notify(this.#options.onVerdict, verdict, context)
  }
}
