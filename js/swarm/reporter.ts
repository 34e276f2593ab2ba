/**
 * Sends reports in the background: after a short delay, in batches, one request at a time.
 *
 * @module
 */

import { type ReadOptions, RULES_OF_KINDS } from './options.js'
import { ReportBuffer } from './report-buffer.js'
import { requireStates } from './states.js'
import type { StoreLink } from './store-link.js'
import type { SwarmState } from './types.js'

export class Reporter {
  readonly buffer: ReportBuffer
  readonly #options: ReadOptions
  readonly #worker: string
  readonly #link: StoreLink
  readonly #onAnswer: (states: readonly SwarmState[]) => void
  #timer: Timer = null
  /** Whether the timer is the short one. */
  #isUrgent = false
  #sending: {
    readonly run: number
    readonly startedAt: number
    readonly done: Promise<boolean>
  } | null = null
  #run = 0
  #isClosed = false

  constructor(
    options: ReadOptions,
    worker: string,
    link: StoreLink,
    onAnswer: (states: readonly SwarmState[]) => void,
  ) {
    this.buffer = new ReportBuffer(options.bufferSize, options.flushSize)
    this.#options = options
    this.#worker = worker
    this.#link = link
    this.#onAnswer = onAnswer
  }

  /** Sends everything added so far, unless the store is paused or fails. */
  async flush(): Promise<void> {
    const target = this.buffer.added
    while (this.buffer.settled < target && this.#link.pause === 0) {
      if (!(await this.#send())) return
    }
  }

  /** Sends the remaining reports, once, and drops those that fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
    while (!this.buffer.isEmpty) {
      if (!(await this.#send())) break
    }
    this.buffer.close()
  }

  /** Schedules a send: after the usual delay or, if urgent, as soon as the current work is done. */
  schedule(isUrgent = false): void {
    if (this.#timer !== null) {
      if (!isUrgent || this.#isUrgent) return
      clearTimeout(this.#timer)
    }
    if (this.#isClosed) return
    const { pause } = this.#link
    // A store that just failed is not asked again immediately.
    this.#isUrgent = isUrgent && this.#link.state === 'ok'
    const delay = this.#isUrgent ? 0 : Math.max(this.#options.flushMs, pause)
    this.#timer = startTimer(async () => {
      this.#timer = null
      this.#isUrgent = false
      // A request that is under way carries only what was there when it was sent.
      const isBehind = this.#sending !== null
      if ((await this.#send()) && isBehind) await this.#send()
    }, delay)
  }

  /**
   * Sends what waits now, unless the store fails; what comes meanwhile is collected for the next time.
   * One at a time, so that reports stay in order.
   *
   * @returns Whether the store confirmed everything.
   */
  #send(): Promise<boolean> {
    const { timeoutMs } = this.#options
    const now = performance.now()
    // When the request of a Worker ends, everything that it was waiting for ends too.
    const isStuck = this.#sending !== null && now - this.#sending.startedAt > 2 * timeoutMs + 1_000
    if (this.#sending !== null && !isStuck) return this.#sending.done
    this.#run += 1
    const run = this.#run
    const done = this.#sendAll(run).finally(() => {
      if (this.#sending?.run !== run) return
      this.#sending = null
      if (!this.buffer.isEmpty) this.schedule(this.buffer.size >= this.#options.flushSize)
    })
    this.#sending = { run, startedAt: now, done }
    return done
  }

  async #sendAll(run: number): Promise<boolean> {
    const { store, scope, rule } = this.#options
    const target = this.buffer.added
    while (this.buffer.settled < target) {
      const batch = this.buffer.batch()
      // All reports of a batch have the same rule.
      const ruleOfBatch = { ...rule, ...RULES_OF_KINDS[batch[0]?.kind ?? 'call'] }
      const reply = await this.#link.ask(async (signal) => {
        const answer = await store.report(scope, this.#worker, batch, ruleOfBatch, { signal })
        return requireStates(answer, batch.length)
      }, true)
      // Another run has taken over while this one was stuck.
      if (run !== this.#run || !reply) return false
      this.buffer.confirm()
      this.#sending = this.#sending && { ...this.#sending, startedAt: performance.now() }
      this.#onAnswer(reply.answer)
    }
    return true
  }
}

export type Timer = ReturnType<typeof setTimeout> | null

/** Starts a timer that does not keep the process alive. Without timers, hosts must call `flush()`. */
export function startTimer(run: () => Promise<void>, delay: number): Timer {
  try {
    const timer = setTimeout(() => void run().catch(() => {}), delay)
    ;(timer as { unref?: () => void }).unref?.()
    return timer
  } catch {
    return null
  }
}
