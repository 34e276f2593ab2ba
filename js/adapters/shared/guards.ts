/**
 * Where an adapter gets its guards from.
 *
 * @module
 */

import { type GuardOptions, type LoopDetector, LoopGuard, type PresetName } from 'loophound'
import { failureText } from './tools.js'

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
  if (typeof source === 'function') return fromFunction(source)
  if (isGuard(source)) return () => source
  const first = new LoopGuard(source)
  // A detector is the memory of one run, so all runs with this detector share one guard.
  if (hasDetector(source)) return () => first
  first.free()
  return () => new LoopGuard(source)
}

/**
 * Returns a function that calls yours. If yours throws, or returns no guard, the run goes on without
 * being watched, and the console says so once.
 */
export function fromFunction<Run>(source: (run: Run) => LoopGuard): (run: Run) => LoopGuard {
  let unwatched: LoopGuard | undefined
  return (run) => {
    let problem = 'returned no guard'
    try {
      const guard: unknown = source(run)
      if (isGuard(guard)) return guard
    } catch (error) {
      problem = `threw ${failureText(error)}`
    }
    if (!unwatched) {
      unwatched = new LoopGuard({ mode: 'observe', onWarning: false })
      globalThis.console?.warn(
        `loophound: the function for guards ${problem}. Runs are not watched.`,
      )
    }
    return unwatched
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
