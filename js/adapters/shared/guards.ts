/**
 * Where an adapter gets its guards from.
 *
 * @module
 */

import { type GuardOptions, type LoopDetector, LoopGuard, type PresetName } from 'loophound'

/**
 * A guard, options or a preset to make guards from, or a function that returns the guard for a run.
 * From options or a preset, each run gets its own guard.
 */
export type GuardSource<Run = unknown> =
  | LoopGuard
  | PresetName
  | GuardOptions
  | ((run: Run) => LoopGuard)

/**
 * Returns the function that returns the guard for a run. Options are passed on unchanged.
 *
 * @throws TypeError or RangeError for options that a guard would refuse; immediately, not with the
 * first run.
 */
export function guardsFrom<Run>(source: GuardSource<Run> | undefined): (run: Run) => LoopGuard {
  if (typeof source === 'function') return orObserving(source)
  if (isGuard(source)) return () => source
  const first = new LoopGuard(source)
  // A detector is the memory of one run, so all runs with this detector share one guard.
  if (hasDetector(source)) return () => first
  first.free()
  return () => new LoopGuard(source)
}

/**
 * Makes a function of the user safe to call: if it throws, or returns no guard, the agent goes on
 * unguarded, with a warning on the console.
 */
function orObserving<Run>(guardOf: (run: Run) => LoopGuard): (run: Run) => LoopGuard {
  let observing: LoopGuard | undefined
  return (run) => {
    try {
      const guard: unknown = guardOf(run)
      if (isGuard(guard)) return guard
      throw new TypeError('the function that returns the guard for a run returned none')
    } catch (error) {
      if (!observing) globalThis.console?.warn('loophound: a run is not guarded:', error)
      observing ??= new LoopGuard({ mode: 'observe', onWarning: false })
      return observing
    }
  }
}

/** Returns whether options contain a detector, not options to make one from. */
export function hasDetector(source: unknown): boolean {
  const { detector } = (typeof source === 'object' && source ? source : {}) as GuardOptions
  return typeof (detector as Partial<LoopDetector> | undefined)?.record === 'function'
}

/** Recognises a guard by its methods: the package may be loaded twice, once in each module system. */
export function isGuard(source: unknown): source is LoopGuard {
  const methods = source as Partial<LoopGuard> | null | undefined
  return typeof source === 'object' && typeof methods?.takeNudge === 'function'
}
