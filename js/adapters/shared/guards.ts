/**
 * Where an adapter gets its guards from.
 *
 * @module
 */

import { type GuardOptions, LoopGuard, type PresetName } from 'loophound'

/**
 * A guard, options or a preset to make guards from, or a function that returns the guard for a run.
 * From options or a preset, each run gets a guard of its own.
 */
export type GuardSource<Run = unknown> =
  | LoopGuard
  | PresetName
  | GuardOptions
  | ((run: Run) => LoopGuard)

/**
 * Returns the function that returns the guard for a run.
 *
 * @throws TypeError or RangeError for options that a guard would refuse: now, not with the first run.
 */
export function guardsFrom<Run>(source: GuardSource<Run> | undefined): (run: Run) => LoopGuard {
  if (typeof source === 'function') return source
  if (isGuard(source)) return () => source
  new LoopGuard(source).free()
  return () => new LoopGuard(source)
}

/** Recognises a guard by its methods: the package may be loaded twice, once in each module system. */
export function isGuard(source: unknown): source is LoopGuard {
  const methods = source as Partial<LoopGuard> | null | undefined
  return typeof source === 'object' && typeof methods?.takeNudge === 'function'
}
