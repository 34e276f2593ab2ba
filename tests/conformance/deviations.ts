/**
 * Where we do not give a peer's verdict, on purpose: what we say instead, and why. A row that is no
 * deviation any more fails the tests, so that the list stays true.
 *
 * @module
 */

import type { Expectation } from '../support/vectors.js'

export interface Deviation {
  readonly peer: string
  readonly vector: string
  readonly expect: Expectation
  readonly why: string
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    peer: 'koda',
    vector: 'detects_name_saturation_with_varying_args',
    expect: { detected: false, at: null },
    why: 'eight calls of one tool with different arguments are work; koda itself removed the rule, and seed 001 says "No tool-name saturation — editing 12 files in a refactoring is normal"',
  },
  {
    peer: 'openhands',
    vector: 'test_is_stuck_monologue [assert 2, headless]',
    expect: { detected: true, at: 9, mode: 'at_end', first: 6 },
    why: 'a result that arrives between turns of text does not end a monologue for us: it is a call that does, and there was none',
  },
]
