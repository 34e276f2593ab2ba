/**
 * The calls of an agent: which are new, which were seen before, which stand for one another, and
 * what is decided on each.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import type { ToolCall, ToolResult, Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import { concerned } from './concerned.js'
import { decide, RUN } from './decision.js'
import { callKey } from './key.js'
import { CallMemory, type Remembered } from './memory.js'
import type { Outlook } from './outlook.js'
import type { ErrorReport } from './report.js'
import type { Decision, VerdictContext } from './types.js'

/** Results that came before their calls; more than any framework mixes up. */
const MAX_EARLY = 64

/** A call that was not seen before. */
interface News {
  readonly call: Remembered
  readonly args: unknown
}

/** What calls need of their guard. */
export interface Host {
  readonly detector: LoopDetector
  readonly errors: ErrorReport
  readonly outlook: Outlook
  readonly observes: boolean
  beginStep(): boolean
  take(verdict: Verdict, on: VerdictContext['on'], call: Remembered | null): Verdict
}

/** What is kept of calls, as it is saved. */
export interface CallsState {
  readonly number: number
  readonly calls: readonly Remembered[]
  /** The numbers of the calls of the step under way. */
  readonly round: readonly number[]
}

export class Calls {
  readonly #host: Host
  readonly #memory: CallMemory
  /** The calls of this step, by key: equal ones are one. */
  readonly #round = new Map<string, Remembered>()
  readonly #early = new Map<string, ToolResult>()
  #number = 0

  constructor(host: Host, remember: number) {
    this.#host = host
    this.#memory = new CallMemory(remember)
  }

  get state(): CallsState {
    return {
      number: this.#number,
      calls: [...this.#memory.values()],
      round: [...this.#round.values()].map(({ number }) => number),
    }
  }

  set state({ number, calls, round }: CallsState) {
    this.clear()
    this.#number = number
    const current = new Set(round)
    for (const call of calls) {
      this.#memory.add(call)
      if (current.has(call.number)) this.#round.set(call.key, call)
    }
  }

  /** How many different calls this step has. */
  get count(): number {
    return this.#round.size
  }

  endStep(): void {
    this.#round.clear()
  }

  clear(): void {
    this.#memory.clear()
    this.#round.clear()
    this.#early.clear()
  }

  /** Takes in the calls of a step, or some of them, and decides on those that are new. */
  present(calls: readonly ToolCall[]): readonly Decision[] {
    const { errors } = this.#host
    const news: News[] = []
    const placed = Array.from(calls, (call) => errors.attempt(null, () => this.#place(call, news)))
    if (news.length > 0) errors.attempt(undefined, () => this.#judge(news))
    for (const { call } of news) this.#answerEarly(call)
    return placed.map((call) => (call?.lead ?? call)?.decision ?? RUN)
  }

  /** Takes in calls that ran without the guard being asked: it can still speak, but not refuse. */
  witness(calls: readonly ToolCall[]): void {
    const unseen = calls.filter(({ id = '' }) => id !== '' && !this.#memory.get(id))
    this.present(unseen)
    for (const { id = '' } of unseen) {
      const call = this.#memory.get(id)
      if (call?.state !== 'refused') continue
      call.state = 'open'
      if (call.decision.verdict.action === 'block') {
        this.#host.outlook.keepNudge(call.decision.verdict)
      }
    }
  }

  answer({ id = '', name, ok, output }: ToolResult): Verdict {
    const call = id === '' ? this.#memory.oldestOpen(name) : this.#memory.get(id)
    if (call) return this.#record(call, ok, output)
    if (id !== '') this.#keepEarly(id, { id, name, ok, output })
    return CONTINUE
  }

  #place({ id = '', name, args }: ToolCall, news: News[]): Remembered {
    const key = callKey(name, args)
    const known = id === '' ? undefined : this.#memory.get(id)
    if (known?.key === key) return known
    this.#host.beginStep()
    const lead = this.#round.get(key)
    const call: Remembered = {
      id: id === '' ? null : id,
      name,
      key,
      number: this.#number++,
      lead,
      decision: RUN,
      state: lead ? 'twin' : 'open',
    }
    this.#memory.add(call)
    if (lead) return call
    this.#round.set(key, call)
    // After a stop nothing new is started, and nothing more is learnt.
    const { stopped } = this.#host.outlook.state
    if (stopped) refuse(call, stopped)
    else news.push({ call, args })
    return call
  }

  #judge(news: readonly News[]): void {
    const { detector, outlook, observes } = this.#host
    const calls = news.map(({ call, args }) => ({ name: call.name, args, id: detectorId(call) }))
    const [first] = calls
    const verdict =
      first && calls.length === 1
        ? detector.record(first.name, first.args, first.id)
        : detector.recordBatch(calls)
    const about = concerned(calls, verdict)
    this.#host.take(verdict, 'call', news[about.indexOf(true)]?.call ?? null)
    for (const [index, { call }] of news.entries()) {
      const isMeant = about[index] === true && verdict !== CONTINUE
      if (isMeant) call.decision = decide(verdict, true)
      const bar = outlook.takeBar(call.key)
      if (observes) continue
      if (verdict.action === 'stop' || (verdict.action === 'block' && isMeant))
        refuse(call, verdict)
      else if (bar) refuse(call, bar)
    }
  }

  #record(call: Remembered, ok: boolean | undefined, output: unknown): Verdict {
    // What a refused call got is ours, and an equal call of the same step has answered already.
    if (call.state !== 'open') return CONTINUE
    call.state = 'answered'
    const verdict = this.#host.detector.recordResult({ id: detectorId(call), ok, output })
    return this.#host.take(verdict, 'result', call)
  }

  #keepEarly(id: string, result: ToolResult): void {
    this.#early.set(id, result)
    const [oldest] = this.#early.keys()
    if (this.#early.size > MAX_EARLY && oldest !== undefined) this.#early.delete(oldest)
  }

  #answerEarly(call: Remembered): void {
    const early = call.id === null ? undefined : this.#early.get(call.id)
    if (!early || call.id === null) return
    this.#early.delete(call.id)
    this.#host.errors.attempt(CONTINUE, () => this.#record(call, early.ok, early.output))
  }
}

function refuse(call: Remembered, verdict: Verdict): void {
  call.state = 'refused'
  call.decision = decide(verdict, false)
}

/** The guard's own ids: callers' may be missing, or used twice. */
function detectorId({ number }: Remembered): string {
  return number.toString(36)
}
