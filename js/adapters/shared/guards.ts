/**
 * Where an adapter has its guards from.
 *
 * @module
 */

import { type GuardOptions, LoopGuard, type PresetName } from 'loophound'

/**
 * A guard, what to make guards from, or a function that gives the guard for a run. From options or
 * the name of a preset each run gets a guard of its own.
 */
export type GuardSource<Run = unknown> =
  | LoopGuard
  | PresetName
  | GuardOptions
  | ((run: Run) => LoopGuard)

/**
 * The function that gives the guard for a run.
 *
 * @throws TypeError or RangeError for options that a guard would refuse: now, not with the first run.
 */
export function guardsFrom<Run>(source: GuardSource<Run> | undefined): (run: Run) => LoopGuard {
  if (typeof source === 'function') return source
  if (isGuard(source)) return () => source
  new LoopGuard(source).free()
  return () => new LoopGuard(source)
}

/** By what it can do, as the package may be loaded twice, once in each module system. */
export function isGuard(source: unknown): source is LoopGuard {
  const methods = source as Partial<LoopGuard> | null | undefined
  return typeof source === 'object' && typeof methods?.takeNudge === 'function'
}
