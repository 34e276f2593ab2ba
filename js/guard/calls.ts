/**
 * The calls of an agent: which are new, which were seen before, which are duplicates within a step,
 * and what is decided on each.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import type { ToolCall, ToolResult, Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import { affectedCalls } from './affected-calls.js'
import { CallMemory, callKey, type RememberedCall } from './call-memory.js'
import type { ErrorReport } from './error-report.js'
import type { PendingActions } from './pending-actions.js'
import type { Decision, VerdictContext } from './types.js'

/** Results that came before their calls; more than any framework mixes up. */
const MAX_EARLY = 64

/** The reply where a detector's texts were emptied: a refused call must have a result. */
const REFUSED = '[System] This call was not run: it repeats what was done before.'

/** The decision when nothing is wrong: one shared object. */
export const RUN: Decision = /* @__PURE__ */ Object.freeze({
  verdict: CONTINUE,
  run: true,
  reply: null,
})

/** Makes a decision; frozen, and nearly always {@link RUN}. */
export function decision(verdict: Verdict, run: boolean): Decision {
  if (verdict === CONTINUE && run) return RUN
  return Object.freeze({ verdict, run, reply: run ? null : verdict.message || REFUSED })
}

/** A call that was not seen before. */
interface NewCall {
  readonly call: RememberedCall
  readonly args: unknown
  readonly at: number | undefined
}

/** What {@link Calls} need of their guard. */
export interface CallsHost {
  readonly detector: LoopDetector
  readonly errors: ErrorReport
  readonly pending: PendingActions
  readonly observes: boolean
  beginStep(): boolean
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
  readonly #earlyResults = new Map<string, ToolResult>()
  #number = 0

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
    }
  }

  /** How many different calls the current step has. */
  get count(): number {
    return this.#step.size
  }

  endStep(): void {
    this.#step.clear()
  }

  clear(): void {
    this.#memory.clear()
    this.#step.clear()
    this.#earlyResults.clear()
  }

  /** Decides on calls of the current step: on new ones by asking the detector. */
  decide(calls: readonly ToolCall[]): readonly Decision[] {
    return this.#record(calls, true).map((call) => (call?.original ?? call)?.decision ?? RUN)
  }

  /** Records calls that ran without the guard being asked: they cannot be refused any more. */
  recordUnguarded(calls: readonly ToolCall[]): void {
    this.#record(
      calls.filter(({ id = '' }) => id !== '' && !this.#memory.get(id)),
      false,
    )
  }

  recordResult(result: ToolResult): Verdict {
    const { id = '', name } = result
    const call = id === '' ? this.#memory.oldestOpen(name) : this.#memory.get(id)
    if (call) return this.#answer(call, result)
    if (id !== '') this.#keepEarly(id, { ...result })
    return CONTINUE
  }

  #record(calls: readonly ToolCall[], canRefuse: boolean): (RememberedCall | null)[] {
    const { errors } = this.#host
    const newCalls: NewCall[] = []
    const recorded = Array.from(calls, (call) =>
      errors.attempt(null, () => this.#remember(call, newCalls, canRefuse)),
    )
    if (newCalls.length > 0) errors.attempt(undefined, () => this.#judge(newCalls, canRefuse))
    for (const { call } of newCalls) this.#answerEarly(call)
    return recorded
  }

  /** Remembers a call, and adds it to `newCalls` if the detector is to judge it. */
  #remember(
    { id = '', name, args, at }: ToolCall,
    newCalls: NewCall[],
    canRefuse: boolean,
  ): RememberedCall {
    const key = callKey(name, args)
    const known = id === '' ? undefined : this.#memory.get(id)
    if (known?.key === key) return known
    this.#host.beginStep()
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
    if (original) return call
    this.#step.set(key, call)
    // After a stop nothing new is started, and the detector learns nothing more.
    const { stopped } = this.#host.pending.state
    if (!stopped) newCalls.push({ call, args, at })
    else if (canRefuse) refuse(call, stopped)
    return call
  }

  #judge(newCalls: readonly NewCall[], canRefuse: boolean): void {
    const { detector, pending, observes } = this.#host
    const calls = newCalls.map(({ call, args, at }) => ({
      name: call.name,
      args,
      id: detectorId(call),
      at,
    }))
    const [first] = calls
    const verdict =
      first && calls.length === 1 ? detector.record(first) : detector.recordBatch(calls)
    const affected = affectedCalls(calls, verdict)
    this.#host.report(verdict, 'call', newCalls[affected.indexOf(true)]?.call ?? null)
    for (const [index, { call }] of newCalls.entries()) {
      const isAffected = affected[index] === true && verdict !== CONTINUE
      if (isAffected) call.decision = decision(verdict, true)
      const blocked = pending.takeBlock(call.key)
      if (observes) continue
      const refusal =
        verdict.action === 'stop' || (verdict.action === 'block' && isAffected) ? verdict : blocked
      if (!refusal) continue
      if (canRefuse) refuse(call, refusal)
      else if (refusal.action === 'block') pending.addNudge(refusal)
    }
  }

  #answer(call: RememberedCall, { ok, output, at }: ToolResult): Verdict {
    // What a refused call got is our own reply, and a duplicate's result is its original's.
    if (call.state !== 'open') return CONTINUE
    call.state = 'answered'
    const verdict = this.#host.detector.recordResult({ id: detectorId(call), ok, output, at })
    return this.#host.report(verdict, 'result', call)
  }

  #keepEarly(id: string, result: ToolResult): void {
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

function refuse(call: RememberedCall, verdict: Verdict): void {
  call.state = 'refused'
  call.decision = decision(verdict, false)
}

/** Returns the guard's own id for a call: callers' ids may be missing, or used twice. */
function detectorId({ number }: RememberedCall): string {
  return number.toString(36)
}
