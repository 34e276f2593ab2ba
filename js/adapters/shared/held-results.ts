/**
 * Holds results back until the end of their step.
 *
 * Some frameworks run the calls of one model turn one after the other. If the result of the first
 * were reported immediately, it would come before an equal second call, which the guard would then
 * take for the next turn.
 *
 * @module
 */

import type { LoopGuard, StepContent, ToolResult } from 'loophound'

/** More calls than a model makes in one turn: beyond that, the steps are never ended. */
const MAX_HELD = 256

/** Ends the steps of a guard, with the results that were held back until then. */
export class HeldResults {
  readonly guard: LoopGuard
  #results: ToolResult[] = []

  constructor(guard: LoopGuard) {
    this.guard = guard
  }

  /** Holds a result back. A call that is tried again has the result of the last attempt. */
  hold(result: ToolResult): void {
    const earlier = this.#results.findIndex(({ id }) => id !== undefined && id === result.id)
    if (earlier >= 0) this.#results.splice(earlier, 1)
    this.#results.push(result)
    const oldest = this.#results.length > MAX_HELD ? this.#results.shift() : undefined
    if (oldest) this.guard.result(oldest)
  }

  /** Records the results that are held back, if a run ends within a step. */
  flush(): void {
    for (const result of this.#take()) this.guard.result(result)
  }

  /** Ends the step, as `guard.endStep()` does. */
  endStep({ results = [], ...content }: StepContent = {}): boolean {
    return this.guard.endStep({ ...content, results: [...this.#take(), ...results] })
  }

  #take(): ToolResult[] {
    const held = this.#results
    this.#results = []
    return held
  }
}
