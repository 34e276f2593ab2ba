/**
 * Shared memory for many agents on many machines.
 *
 * @module
 */

import type { ToolResult, Verdict } from 'loophound'
import { computeToolFingerprint, SwarmDetector } from 'loophound'
import { requireString } from '../input/check.js'
import { CONTINUE } from '../verdict.js'
import { circleEnds, decideHandOver, type HandOver, type HandOverDecision } from './delegation.js'
import { ErrorMemory, errorSignature } from './error-signature.js'
import {
  clearedWith,
  countsHandOvers,
  LONGEST_SAMPLE,
  nameOfKind,
  newWorkerName,
  plainText,
  reportName,
  reportSubject,
} from './identity.js'
import { Latches } from './latches.js'
import { type ReadOptions, readSwarmOptions, type SharedSwarmOptions } from './options.js'
import type { WaitingReport } from './report-buffer.js'
import { Reporter, startTimer, type Timer } from './reporter.js'
import { isState, requireStates } from './states.js'
import { StoreLink } from './store-link.js'
import type {
  GuardSwarm,
  SharedSwarmStats,
  SwarmCall,
  SwarmConnection,
  SwarmReportKind,
  SwarmState,
} from './types.js'
import { globalVerdict } from './verdicts.js'

/** The symbol that `await using` looks for; older runtimes do not have it yet. */
const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? /* @__PURE__ */ Symbol.for('Symbol.asyncDispose')

/** How many latches are fetched at once. */
const MOST_LATCHES = 256

/** After this many polls without a call in between, a worker stops polling. */
const IDLE_POLLS = 12

/** For how many calls the waste is remembered. */
const MOST_WASTED = 512

/** The most weight that one verdict adds to a report. */
const HEAVIEST_VERDICT = 1_000

/**
 * The wasted calls from which a nudge is reported: by then an agent has been told, and goes on. One that
 * looks three times at a list that does not change, and stops when it is told, is not stuck.
 */
const FEWEST_WASTED = 4

/** The kinds of reports about a call. */
const CALL_KINDS = ['call', 'waste', 'verdict'] as const

/** Verdicts that are not about a call, or that are the swarm's own. */
const NOT_ABOUT_CALLS: readonly unknown[] = ['global', 'iteration-cap', 'summary', 'chant']

/**
 * Shares what workers are stuck on through a store, so that agents in other processes and on other
 * machines are warned before they make the same call.
 *
 * Everything that an agent waits for is local and synchronous. Reports are collected and sent in
 * the background; a slow or failing store neither delays the agent nor throws.
 *
 * @example
 * ```ts
 * const swarm = new SharedSwarm({ store: redisSwarm(client), scope: 'prod', report: 'calls' })
 * const verdict = swarm.record('web_search', { query: 'weather' })
 * if (verdict.kind === 'global') messages.push({ role: 'user', content: verdict.message })
 * ```
 */
export class SharedSwarm implements GuardSwarm {
  readonly #options: ReadOptions
  readonly #worker: string
  readonly #link: StoreLink
  readonly #reporter: Reporter
  readonly #latches = new Latches()
  readonly #errors = new ErrorMemory()
  /** The waste last reported, by fingerprint. */
  readonly #wasted = new Map<string, number>()
  #insurance: SwarmDetector | null = null
  #pollTimer: Timer = null
  #idlePolls = 0
  #isUsed = false
  #subscription: AbortController | null = null
  #unsubscribe: (() => void) | undefined
  #isDisposed = false

  /**
   * @throws TypeError for an unknown option or a value of the wrong type.
   * @throws RangeError for a value that is not allowed.
   */
  constructor(options: SharedSwarmOptions) {
    this.#options = readSwarmOptions(options)
    const { worker, timeoutMs } = this.#options
    this.#worker = newWorkerName(worker)
    this.#link = new StoreLink({
      timeoutMs,
      onChange: (state, error) => this.#stateChanged(state, error),
    })
    this.#reporter = new Reporter(this.#options, this.#worker, this.#link, (states) =>
      this.#attempt(undefined, () => this.#learn(states)),
    )
  }

  /**
   * Records a call before it runs; returns at once what this worker knows: `global` if the swarm is
   * stuck on it. With `report: 'waste'`, nothing is recorded.
   *
   * @throws TypeError for a name that is not a string, or arguments that cannot be read.
   */
  record(name: string, args?: unknown): Verdict {
    if (this.#isDisposed) return CONTINUE
    this.#touch()
    // Nobody is stuck on this tool, so the fingerprint is not needed.
    if (this.#options.report === 'waste' && !this.#mayConcern(name)) return CONTINUE
    return this.#recordCall(name, computeToolFingerprint(name, args), args)
  }

  /** Records a call by its fingerprint, computed with `computeToolFingerprint` or otherwise. */
  recordFingerprint(tool: string, fingerprint: string): Verdict {
    requireString(tool, 'recordFingerprint(tool): tool')
    requireString(fingerprint, 'recordFingerprint(fingerprint): fingerprint')
    if (this.#isDisposed) return CONTINUE
    this.#touch()
    return this.#recordCall(tool, fingerprint)
  }

  /** Same as {@link SharedSwarm.record | record()}, for guards: never throws. */
  ask(call: SwarmCall): Verdict {
    return this.#attempt(CONTINUE, () => this.record(call.name, call.args))
  }

  /**
   * Reports a verdict of the local detector on a call, as a verdict and as waste: the calls wasted
   * since the last one. A first nudge after few calls is not reported yet. With `report: 'calls'`, does
   * nothing.
   */
  observe(call: SwarmCall, verdict: Verdict): void {
    if (this.#options.report === 'calls' || verdict.action === 'continue') return
    if (this.#isDisposed || NOT_ABOUT_CALLS.includes(verdict.kind)) return
    if (verdict.action === 'nudge' && verdict.wasted < FEWEST_WASTED) return
    this.#attempt(undefined, () => {
      this.#touch()
      const { name, args } = call
      const fingerprint = computeToolFingerprint(name, args)
      const weight = this.#newlyWasted(fingerprint, verdict.wasted)
      this.#add('waste', name, fingerprint, weight, args)
      this.#add('verdict', name, fingerprint, 1, args)
      if (verdict.action !== 'nudge') this.#reporter.schedule(true)
    })
  }

  /**
   * Reports the result of a call: an error that different calls meet one after the other, while nothing
   * of the kind works in between. Answers with `global` if the whole swarm has that error. With
   * `report: 'calls'`, does nothing.
   */
  observeResult(call: SwarmCall, result: Pick<ToolResult, 'ok' | 'output'>): Verdict {
    if (this.#options.report === 'calls' || this.#isDisposed) return CONTINUE
    return this.#attempt(CONTINUE, () => {
      if (result.ok !== false) {
        this.#errors.worked(call)
        return CONTINUE
      }
      this.#touch()
      const signature = errorSignature(result.output)
      if (signature === '') return CONTINUE
      if (this.#errors.note(call, signature)) this.#add('error', call.name, signature, 1)
      return this.#judge(['error'], call.name, signature)
    })
  }

  /**
   * Decides on a hand-over of a task to another agent: a `cycle` verdict if that agent is on the path
   * with the same task, or the path is too long; `global` if the swarm hands this task round in a
   * circle. Reports the hand-over, for cycles between processes, and a circle once it is found.
   */
  handOver(handOver: HandOver): HandOverDecision {
    const decision = this.#attempt(null, () => decideHandOver(handOver, this.#options.maxDepth))
    if (decision === null) return { verdict: CONTINUE, path: [], edge: '' }
    if (this.#isDisposed) return decision
    return this.#attempt(decision, () => {
      this.#touch()
      const { to, from } = circleEnds(decision.path)
      if (this.#options.report === 'waste') this.#add('edge', to.agent, to.key, 1, decision.edge)
      if (decision.verdict.action !== 'continue') return decision
      if (this.#judge(['edge'], from.agent, from.key) === CONTINUE) return decision
      const verdict = this.#judge(['edge'], to.agent, to.key)
      if (verdict === CONTINUE) return decision
      if (this.#options.report === 'waste') this.#add('cycle', to.agent, to.key, 1, decision.edge)
      return { ...decision, verdict }
    })
  }

  /**
   * Sends everything recorded so far. Settles when the store has confirmed it or has failed, or
   * immediately while the store is paused; never rejects.
   */
  async flush(): Promise<void> {
    await this.#reporter.flush()
  }

  /** Same as {@link SharedSwarm.flush | flush()}, for `ctx.waitUntil(swarm.pending)`. */
  get pending(): Promise<void> {
    return this.flush()
  }

  /**
   * Fetches what other workers are stuck on. This also happens automatically. Never rejects, and does
   * nothing while the store is paused.
   */
  async refresh(): Promise<void> {
    if (this.#link.pause > 0) return
    const { store, scope } = this.#options
    const askedAt = performance.now()
    const reply = await this.#link.ask(async () =>
      requireStates(await store.latched(scope, MOST_LATCHES)),
    )
    if (!reply) return
    const { answer } = reply
    // Where there are more than were asked for, one that is not listed can still be there.
    if (answer.length < MOST_LATCHES) this.#latches.forgetBefore(askedAt)
    for (const state of answer) this.#latches.note(state)
  }

  /** Returns what this worker has done so far. */
  stats(): SharedSwarmStats {
    const { recorded, delivered, buffered, dropped } = this.#reporter.buffer
    return Object.freeze({
      state: this.#link.state,
      worker: this.#worker,
      scope: this.#options.scope,
      ...{ recorded, delivered, buffered, dropped },
      latched: this.#latches.size,
      failures: this.#link.failures,
    })
  }

  /**
   * Forgets the whole scope. With a fingerprint as a {@link SwarmState} has it, lifts that latch only;
   * with a tool and a fingerprint as in {@link SharedSwarm.recordFingerprint}, those of that call. What
   * was recorded before is sent first, so that it is forgotten, too. Other workers learn of it with
   * their next poll.
   *
   * @returns Whether the store has confirmed it.
   * @throws TypeError for anything but strings.
   */
  async clear(
    ...call: [] | [fingerprint: string] | [tool: string, fingerprint: string]
  ): Promise<boolean> {
    for (const part of call) requireString(part, 'clear(): a tool or a fingerprint')
    await this.flush()
    const { store, scope } = this.#options
    const [first, fingerprint] = call
    if (first === undefined) {
      this.#latches.clear()
      return (await this.#link.ask(() => store.clear(scope))) !== undefined
    }
    const names =
      fingerprint === undefined
        ? clearedWith(first)
        : CALL_KINDS.map((kind) => reportName(kind, first, fingerprint))
    for (const name of names) {
      const lifted = { total: 0, workers: 0, latchedUntil: 0, fresh: false }
      this.#latches.note({ fingerprint: name, ...lifted })
    }
    const clear = () => Promise.all(names.map((name) => store.clear(scope, name)))
    return (await this.#link.ask(clear)) !== undefined
  }

  /**
   * Sends the remaining reports, once, and ends: nothing more is recorded. Reports that could not
   * be sent count as dropped.
   */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return
    this.#isDisposed = true
    clearTimeout(this.#pollTimer ?? undefined)
    await this.#reporter.close()
    this.#subscription?.abort()
    this.#attempt(undefined, () => this.#unsubscribe?.())
    if (this.#insurance && this.#insurance !== this.#options.insurance) this.#insurance.free()
    this.#insurance = null
  }

  /** Same as {@link SharedSwarm.dispose | dispose()}, for `await using`. */
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose()
  }

  #recordCall(tool: string, fingerprint: string, args?: unknown): Verdict {
    const counts = this.#options.report === 'calls'
    if (counts) this.#add('call', tool, fingerprint, 1, args)
    return this.#judge(counts ? ['call'] : CALL_KINDS, tool, fingerprint)
  }

  /** Returns whether a call of this tool could be latched, as far as this worker knows. */
  #mayConcern(tool: string): boolean {
    return this.#insurance !== null || this.#latches.concern(tool)
  }

  /** Returns the verdict on the first of these kinds of report that is latched. */
  #judge(kinds: readonly SwarmReportKind[], tool: string, key: string): Verdict {
    if (!this.#mayConcern(tool)) return CONTINUE
    const subject = reportSubject(tool, key)
    for (const kind of kinds) {
      const name = nameOfKind(kind, subject)
      const state = this.#latches.find(name) ?? this.#insured(name)
      if (state) return this.#warn(kind, tool, key, state)
    }
    return CONTINUE
  }

  #warn(kind: SwarmReportKind, tool: string, key: string, state: SwarmState): Verdict {
    const { action, message } = this.#options
    const waiting =
      this.#link.state === 'ok' ? this.#reporter.buffer.waitingFor(kind, tool, key) : 0
    const call = kind === 'error' ? `${tool}: ${key}` : key
    return globalVerdict({ kind, tool, call, state, waiting, action, message })
  }

  /** Returns what this process alone knows while the store does not respond. */
  #insured(name: string): SwarmState | undefined {
    const info = this.#insure((insurance) => insurance.info(name))
    if (!info?.loop) return undefined
    const { totalCalls: total, workerCount: workers } = info
    return { fingerprint: name, total, workers, latchedUntil: 0, fresh: false }
  }

  /** Uses the insurance while the store does not answer. One that fails, such as one freed, is left out. */
  #insure<Result>(use: (insurance: SwarmDetector) => Result): Result | undefined {
    const insurance = this.#insurance
    if (insurance === null || this.#link.state === 'ok') return undefined
    this.#insurance = null
    return this.#attempt(undefined, () => {
      const result = use(insurance)
      this.#insurance = insurance
      return result
    })
  }

  #add(kind: SwarmReportKind, tool: string, key: string, weight: number, args?: unknown): void {
    const report = this.#reporter.buffer.add(kind, tool, key, weight)
    if (this.#options.sample) report.sample ??= this.#sampleOf(kind, tool, key, args)
    this.#countInsured(report)
    this.#reporter.schedule(this.#reporter.buffer.size >= this.#options.flushSize)
  }

  /** Has the insurance count what it has not counted of a report. */
  #countInsured(report: WaitingReport): void {
    this.#insure((insurance) => {
      const { kind, tool, key, weight } = report
      const name = reportName(kind, tool, key)
      const count = Math.min(weight - report.insured, HEAVIEST_VERDICT)
      report.insured = weight
      for (let at = 0; at < count; at++) insurance.recordFingerprint(this.#worker, tool, name)
    })
  }

  #sampleOf(kind: SwarmReportKind, tool: string, key: string, args: unknown): string | undefined {
    const { redact } = this.#options
    if (kind === 'edge') return plainText(String(args), LONGEST_SAMPLE)
    if (!redact || kind === 'error') return plainText(key, LONGEST_SAMPLE)
    // What cannot be redacted is not sent.
    return this.#attempt(undefined, () =>
      plainText(computeToolFingerprint(tool, redact(tool, args)), LONGEST_SAMPLE),
    )
  }

  /** Returns the calls wasted since the last verdict about this call. */
  #newlyWasted(fingerprint: string, wasted: number): number {
    const before = this.#wasted.get(fingerprint) ?? 0
    this.#wasted.delete(fingerprint)
    this.#wasted.set(fingerprint, wasted)
    const [oldest] = this.#wasted.keys()
    if (this.#wasted.size > MOST_WASTED && oldest !== undefined) this.#wasted.delete(oldest)
    return Math.min(HEAVIEST_VERDICT, Math.max(1, wasted > before ? wasted - before : wasted))
  }

  /** Records that the swarm is in use, so that it polls for latches of other workers. */
  #touch(): void {
    this.#isUsed = true
    if (this.#pollTimer === null && this.#options.pollMs > 0) this.#schedulePoll(0)
    if (this.#subscription === null && this.#options.store.subscribe) this.#subscribe()
  }

  #subscribe(): void {
    const { store, scope } = this.#options
    this.#subscription = new AbortController()
    const { signal } = this.#subscription
    const onLatch = (state: SwarmState) => {
      if (!isState(state)) return
      if (state.latchedUntil === 0 && state.fingerprint === '') this.#latches.clear()
      else this.#latches.notePushed(state)
    }
    // Polling goes on in any case, so a subscription that fails costs only time.
    const started = this.#attempt(undefined, () => store.subscribe?.(scope, onLatch, { signal }))
    Promise.resolve(started).then(
      (end) => {
        if (this.#isDisposed) this.#attempt(undefined, () => end?.())
        else this.#unsubscribe = end
      },
      () => {},
    )
  }

  #schedulePoll(delay: number): void {
    this.#pollTimer = startTimer(async () => {
      this.#idlePolls = this.#isUsed ? 0 : this.#idlePolls + 1
      this.#isUsed = false
      if (this.#link.pause === 0) await this.refresh()
      if (this.#isDisposed || this.#idlePolls > IDLE_POLLS) this.#pollTimer = null
      else this.#schedulePoll(this.#options.pollMs)
    }, delay)
  }

  /** Updates the latches with the answer of the store. */
  #learn(states: readonly SwarmState[]): void {
    for (const state of states) {
      this.#latches.note(state)
      if (!state.fresh || countsHandOvers(state.fingerprint)) continue
      this.#notify(() => this.#options.onLatch?.(state))
    }
  }

  #stateChanged(state: SwarmConnection, error: unknown): void {
    const { rule, insurance } = this.#options
    if (state === 'ok') {
      // Counts from this outage must not carry over to the next one.
      if (this.#insurance !== insurance) {
        this.#insurance?.free()
        for (const report of this.#reporter.buffer.unconfirmed) report.insured = 0
      }
      this.#insurance = null
    } else if (this.#insurance === null && insurance !== false && !this.#isDisposed) {
      const { threshold, minWorkers, maxWorkers } = rule
      this.#insurance = this.#attempt(null, () => {
        // A detector wants two calls at least.
        const rule = { threshold: Math.max(2, threshold), minWorkers, maxWorkers }
        return insurance ?? new SwarmDetector(rule)
      })
      // What the store has not confirmed is part of what this process knows.
      for (const report of this.#reporter.buffer.unconfirmed) this.#countInsured(report)
    }
    if (error !== undefined) this.#notify(() => this.#options.onError?.(error, state))
    this.#notify(() => this.#options.onState?.(state))
  }

  /** Runs something whose errors must not reach the agent. */
  #attempt<Result>(otherwise: Result, run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      this.#notify(() => this.#options.onError?.(error, this.#link.state))
      return otherwise
    }
  }

  /** Calls the host; ignores what it throws, now or later. */
  #notify(call: () => unknown): void {
    try {
      Promise.resolve(call()).catch(() => {})
    } catch {
      // A listener that throws must not end a flush.
    }
  }
}
