/** Whether the detector takes two calls for the same, asked in the plainest way. */

import { LoopDetector } from 'loophound'

/** Whether a call with `b` repeats a call with `a`. */
export function same(a: unknown, b: unknown): boolean {
  const detector = new LoopDetector({ preset: 'nudge', threshold: 2, fuzzyThreshold: 10 })
  try {
    detector.record('tool', a)
    return detector.record('tool', b).kind === 'exact-repeat'
  } finally {
    detector.free()
  }
}

/** The error a call with these arguments ends in; the detector must be none the worse for it. */
export function refusal(args: unknown): Error {
  const detector = new LoopDetector({ preset: 'nudge', threshold: 2 })
  try {
    detector.record('tool', { fine: 1 })
    detector.record('tool', args)
  } catch (error) {
    if (detector.record('tool', { fine: 1 }).count !== 2) throw new Error('the detector forgot')
    return error as Error
  } finally {
    detector.free()
  }
  throw new Error('the arguments were accepted')
}
