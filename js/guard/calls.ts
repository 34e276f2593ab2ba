/**
 * The calls of an agent: which are new, which were seen before, which are duplicates within a step,
 * and the decision on each.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import { requireCalls } from '../input/check.js'
import { type PlainCall, readToolCall } from '../input/tool-call.js'
import { type PlainResult, readToolResult } from '../input/tool-result.js'
import type { GuardSwarm } from '../swarm/types.js'
import type { ToolCall, ToolResult, Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import { CallMemory, callKey, type RememberedCall } from './call-memory.js'
import type { ErrorReport } from './error-report.js'
import type { PendingActions } from './pending-actions.js'
import type { Decision, VerdictContext } from './types.js'
import type { Misuse } from './warnings.js'

/** How many results may come before their calls; more than any framework mixes up. */
const MAX_EARLY = 64

/** About how many calls the swarm's nudges are counted. */
const MAX_SWARM_NUDGES = 64

/** How many equal calls of one step count as one decision, besides the first. */
const MAX_DUPLICATES = 8

/** The reply if the detector's texts are empty: a refused call must have a result. */
const REFUSED = 'This call was not run: it repeats what was done before.'

/** The decision when nothing is wrong: one shared object. */
export const RUN: Decision = /* @__PURE__ */ Object.freeze({
  verdict: CONTINUE,
  run: true,
  reply: null,
})

/** Makes a decision; frozen, and almost always {@link RUN}. */
export function decision(verdict: Verdict, run: boolean): Decision {
  if (run) return verdict === CONTINUE ? RUN : Object.freeze({ verdict, run, reply: null })
  return Object.freeze({ verdict, run, reply: verdict.message || REFUSED })
}

/** Returns what was decided on a call; on a duplicate, what was decided on its original. */
export function decisionOn({ decision, original }: RememberedCall): Decision {
  return decision === RUN && original ? original.decision : decision
}

/** A call that the detector is asked about. */
interface NewCall {
  readonly call: RememberedCall
  readonly args: unknown
  readonly at: number | undefined
}

/** What {@link Calls} needs from its guard. */
export interface CallsHost {
  readonly detector: LoopDetector
  readonly errors: ErrorReport
  readonly pending: PendingActions
  readonly misuse: Misuse
  readonly swarm: GuardSwarm | null
  readonly observes: boolean
  beginStep(): boolean
  /** Ends the step and begins another, if the host forgot to. */
  nextStep(): void
  /** Reports a verdict, and keeps what it asks for. */
  report(verdict: Verdict, on: VerdictContext['on'], call: RememberedCall | null): Verdict
}

/** The remembered calls, as they are saved. */
export interface CallsState {
  readonly number: number
  readonly calls: readonly RememberedCall[]
  /** The numbers of the calls of the current step. */
  readonly step: readonly number[]
}

export class Calls {
  readonly #host: CallsHost
  readonly #memory: CallMemory
  /** The calls of the current step by key; duplicates count once. */
  readonly #step = new Map<string, RememberedCall>()
  /** How many duplicates each of these calls has. */
  readonly #duplicates = new Map<string, number>()
  readonly #earlyResults = new Map<string, PlainResult>()
  /** How many nudges the swarm has had about each call. */
  readonly #swarmNudges = new Map<string, number>()
  #number = 0
  /** Whether a call of the current step was recorded with the detector. */
  #isStepRecorded = false

  constructor(host: CallsHost, remember: number) {
    this.#host = host
    this.#memory = new CallMemory(remember)
  }

  get state(): CallsState {
    return {
      number: this.#number,
      calls: [...this.#memory.values()],
      step: [...this.#step.values()].map(({ number }) => number),
    }
  }

  set state({ number, calls, step }: CallsState) {
    this.clear()
    this.#number = number
    const current = new Set(step)
    for (const call of calls) {
      this.#memory.add(call)
      if (current.has(call.number)) this.#step.set(call.key, call)
      else if (this.#step.has(call.key)) this.#countDuplicate(call.key)
    }
    this.#isStepRecorded = step.length > 0
  }

  /** How many different calls the current step has. */
  get count(): number {
    return this.#step.size
  }

  /** Whether a call of the current step has no result yet. */
  get isWaiting(): boolean {
    return [...this.#step.values()].some(({ state }) => state === 'open')
  }

  /** How many calls there were in total. */
  get total(): number {
    return this.#number
  }

  endStep(): void {
    this.#step.clear()
    this.#duplicates.clear()
    this.#isStepRecorded = false
  }

  clear(): void {
    this.#memory.clear()
    this.endStep()
    this.#earlyResults.clear()
    this.#swarmNudges.clear()
    this.#number = 0
  }

  /** Decides on calls of the current step; asks the detector about new ones. */
  decide(calls: readonly ToolCall[]): readonly Decision[] {
    requireCalls(calls, 'calls(calls): calls')
    const read = Array.from(calls, (call: ToolCall) =>
      this.#host.errors.attempt(null, () => readToolCall(call, 'call(call): call')),
    )
    return this.#record(read, true).map((call) => (call ? decisionOn(call) : RUN))
  }

  /** Records calls that ran without the guard being asked, so they can no longer be refused. */
  recordUnguarded(calls: readonly ToolCall[]): void {
    requireCalls(calls, 'endStep(content): content.calls')
    const read = calls.map((call) => readToolCall(call, 'endStep(content): call'))
    this.#record(
      read.filter(({ id }) => id !== '' && !this.#memory.get(id)),
      false,
    )
  }

  recordResult(result: ToolResult): Verdict {
    const read = readToolResult(result, 'result(result): result')
    const { id, name } = read
    const call = id === '' ? this.#memory.oldestOpen(name) : this.#memory.get(id)
    if (call) return this.#answer(call, read)
    if (id !== '') this.#keepEarly(id, read)
    return CONTINUE
  }

  #record(calls: readonly (PlainCall | null)[], canRefuse: boolean): (RememberedCall | null)[] {
    const { errors } = this.#host
    const newCalls: NewCall[] = []
    const recorded = calls.map((call) =>
      errors.attempt(null, () => call && this.#remember(call, newCalls, canRefuse)),
    )
    if (newCalls.length > 0) errors.attempt(undefined, () => this.#judge(newCalls, canRefuse))
    for (const { call } of newCalls) this.#answerEarly(call)
    return recorded
  }

  /** Remembers a call, and adds it to `newCalls` if the detector is to judge it. */
  #remember(
    { id, name, args, at }: PlainCall,
    newCalls: NewCall[],
    canRefuse: boolean,
  ): RememberedCall {
    const key = callKey(name, args)
    const known = id === '' ? undefined : this.#memory.get(id)
    if (known && this.#isPresentedAgain(known, key)) {
      if (!this.#step.has(key)) this.#host.misuse.presentedAfterStep(countPresented(known))
      return known
    }
    if (known) this.#host.misuse.known('ids-reused')
    // If the host does not say when steps begin or end, an equal call after the result of the
    // first is a new decision of the model.
    if (this.#step.get(key)?.state === 'answered') {
      // More equal calls than are parallel ran one after the other: one beginning is the run's.
      if (this.#duplicates.get(key) === MAX_DUPLICATES) this.#host.misuse.hasBegunStep = false
      if (!this.#host.misuse.knowsSteps) {
        this.#host.misuse.stepAdded()
        this.#host.nextStep()
      }
    }
    if (!this.#host.beginStep()) this.#host.misuse.calledAfterStop()
    const original = this.#step.get(key)
    const call: RememberedCall = {
      id: id === '' ? null : id,
      name,
      key,
      number: this.#number++,
      original,
      decision: RUN,
      state: original ? 'duplicate' : 'open',
    }
    this.#memory.add(call)
    this.#host.misuse.called(key, this.#step.size, original !== undefined)
    // Equal calls of one step are one decision, unless there are many.
    const isJudged = !original || this.#countDuplicate(key) > MAX_DUPLICATES
    if (!original) this.#step.set(key, call)
    // After a stop nothing new is started, and nothing more is recorded.
    const { stopped } = this.#host.pending.state
    if (stopped && canRefuse && !original) refuse(call, stopped)
    if (!stopped && isJudged) newCalls.push({ call, args, at })
    return call
  }

  #countDuplicate(key: string): number {
    const count = (this.#duplicates.get(key) ?? 0) + 1
    this.#duplicates.set(key, count)
    return count
  }

  /**
   * Returns whether a known call is presented again. Once a call has its result, the same id means
   * a new call; so it does if the call was refused in an earlier step.
   */
  #isPresentedAgain(known: RememberedCall, key: string): boolean {
    if (known.key !== key || known.state === 'answered') return false
    return known.state === 'open' || this.#step.has(key)
  }

  #judge(newCalls: readonly NewCall[], canRefuse: boolean): void {
    const { detector, pending, observes, swarm, errors } = this.#host
    const calls = newCalls.map(({ call, args, at }) => ({
      name: call.name,
      args,
      id: detectorId(call),
      at,
    }))
    const [first] = calls
    // A batch begins a new turn of the detector, whether or not earlier calls have results.
    const isMore = this.#isStepRecorded && calls.length === 1
    this.#isStepRecorded = true
    const verdict = first && isMore ? detector.record(first) : detector.recordBatch(calls)
    const base = detector.callCount - calls.length
    const isAbout = (index: number) => verdict.calls.includes(base + index)
    const about = newCalls.findIndex((_, index) => isAbout(index))
    this.#host.report(verdict, 'call', newCalls[about]?.call ?? null)
    for (const [index, { call, args }] of newCalls.entries()) {
      const isAffected = verdict !== CONTINUE && isAbout(index)
      if (isAffected) call.decision = decision(verdict, true)
      // A swarm that fails must not keep this agent's own verdict from being carried out.
      const shared = swarm
        ? errors.attempt(null, () =>
            this.#askSwarm(swarm, call, args, isAffected ? verdict : CONTINUE),
          )
        : null
      const blocked = pending.takeBlock(call.key) ?? shared
      if (observes) continue
      const refusal =
        verdict.action === 'stop' || (verdict.action === 'block' && isAffected) ? verdict : blocked
      if (!refusal) continue
      if (canRefuse) refuse(call, refusal)
      else if (refusal.action === 'block') pending.addNudge(refusal)
    }
  }

  /** Reports to the swarm what this agent repeats; returns its verdict if it refuses the call. */
  #askSwarm(
    swarm: GuardSwarm,
    call: RememberedCall,
    args: unknown,
    local: Verdict,
  ): Verdict | null {
    call.args = args
    const about = { name: call.name, args }
    swarm.observe(about, local)
    const shared = this.#host.report(this.#spaced(swarm.ask(about)), 'call', call)
    if (shared === CONTINUE || shared.action === 'continue') return null
    if (local === CONTINUE) call.decision = decision(shared, true)
    return shared.action === 'nudge' ? null : shared
  }

  /** Lets the swarm's nudges about one call through the first, fourth, sixteenth time. */
  #spaced(verdict: Verdict): Verdict {
    if (verdict.action !== 'nudge') return verdict
    const about = `${verdict.tool} ${verdict.pattern[0]}`
    const times = (this.#swarmNudges.get(about) ?? 0) + 1
    if (this.#swarmNudges.size > MAX_SWARM_NUDGES) this.#swarmNudges.clear()
    this.#swarmNudges.set(about, times)
    return Number.isInteger(Math.log2(times) / 2) ? verdict : CONTINUE
  }

  #answer(call: RememberedCall, { ok, output, at }: PlainResult): Verdict {
    this.#host.misuse.answered(call.state === 'open' && this.#step.get(call.key) !== call)
    const { state } = call
    if (state === 'open' || state === 'refused') call.state = 'answered'
    // The result of a refused call is our own reply, and that of a duplicate is its
    // original's.
    if (state !== 'open') return CONTINUE
    const { detector, swarm, errors } = this.#host
    const result = { id: detectorId(call), ok, at }
    // An output that cannot be read is like no other; without a result, the call would be
    // compared alone.
    const verdict =
      errors.attempt(null, () => detector.recordResult({ ...result, output })) ??
      detector.recordResult(result)
    if (swarm) {
      const about = { name: call.name, args: call.args }
      call.args = undefined
      errors.attempt(undefined, () => {
        swarm.observe(about, verdict)
        const shared = this.#spaced(swarm.observeResult(about, { ok, output }))
        this.#host.report(shared, 'result', null)
      })
    }
    return this.#host.report(verdict, 'result', call)
  }

  #keepEarly(id: string, result: PlainResult): void {
    this.#host.misuse.hasUnmatched = true
    this.#earlyResults.set(id, result)
    const [oldest] = this.#earlyResults.keys()
    if (this.#earlyResults.size > MAX_EARLY && oldest !== undefined) {
      this.#earlyResults.delete(oldest)
    }
  }

  #answerEarly(call: RememberedCall): void {
    const early = call.id === null ? undefined : this.#earlyResults.get(call.id)
    if (!early || call.id === null) return
    this.#earlyResults.delete(call.id)
    this.#host.errors.attempt(CONTINUE, () => this.#answer(call, early))
  }
}

function countPresented(call: RememberedCall): number {
  call.presentedAfterStep = (call.presentedAfterStep ?? 0) + 1
  return call.presentedAfterStep
}

function refuse(call: RememberedCall, verdict: Verdict): void {
  call.state = 'refused'
  call.decision = decision(verdict, false)
}

/** Returns the guard's own id for a call: callers' ids may be missing, or used twice. */
function detectorId({ number }: RememberedCall): string {
  return number.toString(36)
}
