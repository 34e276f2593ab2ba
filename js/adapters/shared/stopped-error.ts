/**
 * The error for a stop that cannot be reported as text.
 *
 * @module
 */

import type { Verdict } from 'loophound'

/** Thrown when a loop was stopped and the final output has a schema, so that it cannot be a text. */
export class LoopStoppedError extends Error {
  override readonly name = 'LoopStoppedError'
  /** Why the run was stopped; `null` if unknown. */
  readonly verdict: Verdict | null

  constructor(verdict: Verdict | null) {
    super(verdict?.summary ?? 'The run was stopped.')
    this.verdict = verdict
  }
}
