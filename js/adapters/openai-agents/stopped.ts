/**
 * What a run ends with that cannot have a final output.
 *
 * @module
 */

import type { Verdict } from 'loophound'

/** A loop was stopped, and the agent's final output is not one that could be made up. */
export class LoopStoppedError extends Error {
  override readonly name = 'LoopStoppedError'
  /** Why the run was stopped; `null` if that is not known any more. */
  readonly verdict: Verdict | null

  constructor(verdict: Verdict | null) {
    super(verdict?.message ?? 'The run was stopped.')
    this.verdict = verdict
  }
}
