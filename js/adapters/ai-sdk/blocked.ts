/**
 * What a tool call ends with that the guard does not let run.
 *
 * @module
 */

import type { Decision, Verdict } from 'loophound'

/**
 * Takes the place of a refused call's output. The AI SDK gives its message to the model as the
 * call's result, as it does with every error of a tool; a result of the tool's own type could not be
 * made up.
 */
export class LoopBlockedError extends Error {
  override readonly name = 'LoopBlockedError'
  /** Why the call was refused. */
  readonly verdict: Verdict

  constructor({ verdict, reply }: Decision) {
    super(reply ?? '')
    this.verdict = verdict
  }
}
