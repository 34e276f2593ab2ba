/**
 * Guards for adapters that are made once and serve many runs: one for each conversation.
 *
 * @module
 */

import { type GuardOptions, GuardPool, type LoopGuard, type PoolOptions } from 'loophound'
import { type GuardSource, guardsFrom, hasDetector, isGuard } from './guards.js'

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
  const hasOptions = source === undefined || typeof source === 'string' || isOptions(source)
  // Also for what is none of them: it is refused there.
  if (!hasOptions) return guardsFrom(source)
  const guards = new GuardPool(typeof source === 'object' ? poolOptions(source) : source)
  return (run) => guards.for(keyOf(run))
}

/** Returns whether these are options to make guards from. */
function isOptions(source: unknown): source is GuardOptions {
  return typeof source === 'object' && source !== null && !isGuard(source) && !hasDetector(source)
}

/** Leaves out the id: guards are named after their keys. */
function poolOptions({ id: _, ...options }: GuardOptions): PoolOptions {
  return options as PoolOptions
}
