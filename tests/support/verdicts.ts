/**
 * Looking at lists of verdicts.
 *
 * @module
 */

import type { Action, Verdict } from 'loophound'

export function actions(verdicts: readonly Verdict[]): Action[] {
  return verdicts.map((verdict) => verdict.action)
}

/** The indices at which something other than `continue` was said. */
export function detections(verdicts: readonly Verdict[]): number[] {
  return verdicts.flatMap((verdict, i) => (verdict.action === 'continue' ? [] : [i]))
}

export function last(verdicts: readonly Verdict[]): Verdict {
  return at(verdicts, verdicts.length - 1)
}

export function at(verdicts: readonly Verdict[], index: number): Verdict {
  const verdict = verdicts[index]
  if (verdict === undefined) throw new RangeError(`no verdict at ${index} of ${verdicts.length}`)
  return verdict
}

/** The text to inject; a verdict without one is a failure of the test that asks. */
export function messageOf(verdict: Verdict): string {
  if (verdict.message === null) throw new TypeError(`a ${verdict.action} verdict has no message`)
  return verdict.message
}
