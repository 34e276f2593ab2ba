/**
 * Guards for adapters that are made once and serve many runs: one for each conversation.
 *
 * @module
 */

import { type GuardOptions, GuardPool, type LoopGuard, type PoolOptions } from 'loophound'
import { fromFunction, type GuardSource, guardsFrom, hasDetector, isGuard } from './guards.js'

/**
 * Returns the function that returns the guard for a run. From options or a preset, runs with the same
 * key share a guard.
 *
 * @throws TypeError or RangeError for options that a guard would refuse.
 */
export function keyedGuards<Run>(
  source: GuardSource<Run> | undefined,
  keyOf: (run: Run) => string,
): (run: Run) => LoopGuard {
  if (typeof source === 'function') return fromFunction(source)
  if (isGuard(source)) return () => source
  if (hasDetector(source)) return guardsFrom(source)
  const guards = new GuardPool(typeof source === 'object' ? poolOptions(source) : source)
  return (run) => guards.for(keyOf(run))
}

/** Leaves out the id: guards are named after their keys. */
function poolOptions({ id: _, ...options }: GuardOptions): PoolOptions {
  return options as PoolOptions
}
