// What drivers need around a run, whatever the framework.
import assert from 'node:assert/strict'
import { LoopGuard } from 'loophound'

/** A guard of the run's own, which goes on where a saved one ended; none without options. */
export function guardOf(options, resume) {
  if (!options) return undefined
  const guard = new LoopGuard(options)
  if (resume) guard.restore(resume.guard)
  return guard
}

/** A guard that has heard enough at the fourth piece of a stream, whatever it says. */
export function impatientGuard() {
  const guard = new LoopGuard()
  let pieces = 0
  guard.pushText = () => ++pieces === 4
  return guard
}

/** Makes hooks for a user who counts how often each is called. */
export const counter =
  (counts) =>
  (name, answer = () => undefined) =>
  (...args) => {
    counts[name] = (counts[name] ?? 0) + 1
    return answer(...args)
  }

/** Sees a call that comes back among others, at its third time. */
export const WINDOW = { preset: 'window', detectors: { 'windowed-repeat': { threshold: 3 } } }

/** The model repeated itself: it was let, for a while. */
export function assertEndedEarly(modelCalls) {
  assert.ok(modelCalls > 2 && modelCalls < 20, `${modelCalls} model calls`)
}
