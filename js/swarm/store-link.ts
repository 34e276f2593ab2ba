/**
 * The connection to the store: each request has a time limit, and a store that keeps failing is
 * paused, longer each time.
 *
 * @module
 */

import type { SwarmConnection } from './types.js'

/** After this many failures in a row the store is paused. */
const OPENS_AFTER = 3
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/**
 * In how many steps the time limit of a request passes. Time in which this process is busy with
 * something else is one step at most, and what has arrived meanwhile is read before the next.
 */
const STEPS = 4

export interface StoreLinkOptions {
  readonly timeoutMs: number
  /** Called with each change of state and its error; without an error once the store works again. */
  readonly onChange: (state: SwarmConnection, error?: unknown) => void
}

export class StoreLink {
  readonly #options: StoreLinkOptions
  #state: SwarmConnection = 'ok'
  #inARow = 0
  #pausedUntil = 0
  /** Whether the latest report failed. A store can be full, or read-only, and still answer questions. */
  #refusesReports = false
  failures = 0

  constructor(options: StoreLinkOptions) {
    this.#options = options
  }

  get state(): SwarmConnection {
    return this.#state
  }

  /** Milliseconds until the store may be asked again; 0 if it may be now. */
  get pause(): number {
    return this.#state === 'offline' ? Math.max(0, this.#pausedUntil - performance.now()) : 0
  }

  /**
   * Asks the store. Never rejects.
   *
   * @param isReport Whether it is sent again until it succeeds: until then, no other answer means that
   *   all is well.
   * @returns Its answer; `undefined` if it failed or took too long. What it did is then unknown.
   */
  async ask<Answer>(
    request: (signal: AbortSignal) => Promise<Answer>,
    isReport = false,
  ): Promise<{ answer: Answer } | undefined> {
    const { timeoutMs } = this.#options
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        const wait = (steps: number) => {
          timer = setTimeout(() => {
            if (steps > 1) return wait(steps - 1)
            reject(new Error(`the store gave no answer within ${timeoutMs} ms`))
            abort.abort()
          }, timeoutMs / STEPS)
        }
        wait(STEPS)
      })
      const answer = await Promise.race([request(abort.signal), late])
      if (isReport) this.#refusesReports = false
      if (!this.#refusesReports) this.#succeeded()
      return { answer }
    } catch (error) {
      if (isReport) this.#refusesReports = true
      this.#failed(error)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  #succeeded(): void {
    this.#inARow = 0
    this.#change('ok')
  }

  #failed(error: unknown): void {
    this.failures += 1
    this.#inARow += 1
    if (this.#inARow < OPENS_AFTER) {
      this.#change('degraded', error)
      return
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#inARow - OPENS_AFTER))
    // Jitter, so that workers that lost the store together do not all return at once.
    this.#pausedUntil = performance.now() + pause * (0.75 + Math.random() * 0.5)
    this.#change('offline', error)
  }

  #change(state: SwarmConnection, error?: unknown): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onChange(state, error)
  }
}
