/**
 * The runs that are under way, by their `RunContext`: guardrails, tools and agents get it, and each run
 * has its own.
 *
 * @module
 */

import type { LoopGuard, Verdict } from 'loophound'
import { type GuardSource, guardsFrom } from '../shared/guards.js'
import type { AnyClass } from './types.js'

/** A run, for a function that returns its guard. */
export interface RunInfo {
  /** The agent that the run begins with. */
  readonly agent: unknown
  /** The `context` that you passed to `run`. */
  readonly context: unknown
}

/** A run under way. */
export interface Run {
  readonly guard: LoopGuard
  /** Whose turn it is; calls of another agent are made inside a tool, in a run of its own. */
  agent: object | null
  /** How many items of the conversation were read. */
  seen: number
}

/** Keeps the runs and their guards. */
export class Runs {
  readonly #guardOf: (run: RunInfo) => LoopGuard
  readonly #RunContext: new (
    context: unknown,
  ) => object
  readonly #runs = new WeakMap<object, Run>()
  /** The contexts of the runs that are to end after this turn. */
  readonly #ending = new Set<object>()

  constructor(source: GuardSource<RunInfo> | undefined, RunContext: AnyClass) {
    this.#guardOf = guardsFrom(source)
    this.#RunContext = RunContext as new (context: unknown) => object
  }

  /** Begins a run; with the state of an earlier one, continues it. */
  begin(agent: unknown, state: object | null, given: unknown): { context: object; run: Run } {
    const context = state ?? (given instanceof this.#RunContext ? given : this.#contextOf(given))
    const value = (context as { readonly context?: unknown }).context
    const known = state ? this.#runs.get(context) : undefined
    const run = known ?? { guard: this.#guardOf({ agent, context: value }), agent: null, seen: 0 }
    this.#runs.set(context, run)
    return { context, run }
  }

  of(context: object | undefined): Run | undefined {
    return context && this.#runs.get(context)
  }

  /** Whether any run is to end with this turn. */
  get isEnding(): boolean {
    return this.#ending.size > 0
  }

  /** Returns the run, if it is to end with this turn. */
  ending(context: object): Run | undefined {
    return this.#ending.has(context) ? this.#runs.get(context) : undefined
  }

  /** Marks a run to end with this turn, if its guard was stopped. */
  update(context: object): void {
    if (this.#runs.get(context)?.guard.stopped) this.#ending.add(context)
  }

  end(context: object): void {
    this.#ending.delete(context)
  }

  #contextOf(value: unknown): object {
    return new this.#RunContext(value)
  }
}

/** Thrown when a loop was stopped, and the agent's final output has a schema that a text cannot meet. */
export class LoopStoppedError extends Error {
  override readonly name = 'LoopStoppedError'
  /** Why the run was stopped; `null` if that is not known. */
  readonly verdict: Verdict | null

  constructor(verdict: Verdict | null) {
    super(verdict?.message ?? 'The run was stopped.')
    this.verdict = verdict
  }
}
