/**
 * Guards by name: one for each run, thread or session.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import { requireCount } from '../input/check.js'
import type { LoopDetectorOptions, PresetName } from '../types.js'
import { LoopGuard } from './guard.js'
import type { GuardOptions } from './types.js'
import { NO_NAME } from './warnings.js'

/** Options of a {@link GuardPool}: those of its guards, and how many there may be. */
export interface PoolOptions extends Omit<GuardOptions, 'id' | 'detector'> {
  /** The detectors' preset or options; `balanced` if absent. */
  detector?: PresetName | LoopDetectorOptions
  /** How many guards are kept; the least recently used is forgotten first. 1000 if absent. */
  max?: number
}

const MAX_GUARDS = 1_000_000

/**
 * Keeps a guard for each thread, run or session, so that concurrent ones do not mix.
 *
 * @example
 * ```ts
 * const guards = new GuardPool({ detector: 'nudge', max: 500 })
 * guards.for('thread-7').call({ id: 'call_1', name: 'ls' })
 * guards.release('thread-7')
 * ```
 */
export class GuardPool {
  readonly #options: GuardOptions
  readonly #max: number
  readonly #guards = new Map<string, LoopGuard>()

  /** @throws TypeError or RangeError for options that a guard would refuse. */
  constructor(options: PresetName | PoolOptions = {}) {
    const { max = 1000, ...rest } = typeof options === 'string' ? { detector: options } : options
    requireCount(max, 'options.max', MAX_GUARDS)
    if (typeof (rest.detector as Partial<LoopDetector> | undefined)?.record === 'function') {
      throw new TypeError('options.detector must be options: guards cannot share one detector')
    }
    // A mistake in the options is reported now, not with the first thread.
    new LoopGuard(rest).free()
    this.#options = rest
    this.#max = max
  }

  /** How many guards are kept now. */
  get size(): number {
    return this.#guards.size
  }

  /** Returns the guard with that name; makes one if there is none yet. */
  for(id: string): LoopGuard {
    const name = String(id)
    const guard = this.#guards.get(name) ?? new LoopGuard({ ...this.#options, id: name })
    // Without types, it may be missing. Throwing would break the agent.
    if (id == null) guard.warn(NO_NAME)
    this.#guards.delete(name)
    this.#guards.set(name, guard)
    if (this.#guards.size > this.#max) {
      // Not freed here: a run that holds it may still be going on. The garbage collector
      // frees it.
      const [oldest] = this.#guards.keys()
      if (oldest !== undefined) this.#guards.delete(oldest)
    }
    return guard
  }

  /** Returns whether there is a guard with that name. */
  has(id: string): boolean {
    return this.#guards.has(id)
  }

  /** Removes the guard of a run that is over, and releases its memory. */
  release(id: string): void {
    this.#guards.get(id)?.free()
    this.#guards.delete(id)
  }

  /** Removes all guards and releases their memory. */
  clear(): void {
    for (const guard of this.#guards.values()) guard.free()
    this.#guards.clear()
  }
}
