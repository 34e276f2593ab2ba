/**
 * The current runs, by their `RunContext`, which guardrails, tools and agents get, and which
 * differs for each run.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { type GuardSource, guardsFrom } from '../shared/guards.js'
import type { AnyClass } from './types.js'

/** A run, for a function that returns its guard. */
export interface RunInfo {
  /** The agent that the run begins with. */
  readonly agent: unknown
  /** The `context` that you passed to `run`. */
  readonly context: unknown
}

/** A current run. */
export interface Run {
  readonly guard: LoopGuard
  /** The agent whose turn it is; calls of another agent are made inside a tool, in a separate run. */
  agent: object | null
  /** How many items of the conversation were read. */
  seen: number
}

/** A `RunContext`, with the parts that are used. */
interface ContextLike {
  readonly context?: unknown
  readonly usage?: object
}

const UNGUARDED_RUN = {
  code: 'unguarded-runner',
  message: 'A guarded agent is run by a runner that is not guarded, so that no loop is found.',
  remedy:
    'Take run and Runner from what withLoopGuard(agents) returns, as you do with Agent and tool.',
}

/** Keeps the runs and their guards. */
export class Runs {
  readonly #guardOf: (run: RunInfo) => LoopGuard
  readonly #RunContext: new (
    context: unknown,
  ) => object
  readonly #runs = new WeakMap<object, Run>()
  /** What the contexts of a run and of the runs inside its tools have in common. */
  readonly #usages = new WeakSet<object>()
  #hasWarned = false
  /** The contexts of the runs that are to end after this turn. */
  readonly #ending = new Set<object>()

  constructor(source: GuardSource<RunInfo> | undefined, RunContext: AnyClass) {
    this.#guardOf = guardsFrom(source)
    this.#RunContext = RunContext as new (context: unknown) => object
  }

  /** Begins a run; with the state of an earlier one, continues it. */
  begin(agent: unknown, state: object | null, given: unknown): { context: object; run: Run } {
    const context = state ?? (given instanceof this.#RunContext ? given : this.#contextOf(given))
    const value = (context as ContextLike).context
    const known = state ? this.#runs.get(context) : undefined
    const run = known ?? { guard: this.#guardOf({ agent, context: value }), agent: null, seen: 0 }
    this.#runs.set(context, run)
    const { usage } = context as ContextLike
    if (usage) this.#usages.add(usage)
    return { context, run }
  }

  /**
   * Warns, once, about a call in a run that was started without the guard. Not about calls in a run
   * inside a tool, which are not watched by design.
   */
  warnUnguarded(agent: unknown, context: object): void {
    const { usage, context: value } = context as ContextLike
    if (this.#hasWarned || (usage && this.#usages.has(usage))) return
    this.#hasWarned = true
    try {
      this.#guardOf({ agent, context: value }).warn(UNGUARDED_RUN)
    } catch {
      // The function cannot return a guard for this run, so there is none to warn with.
    }
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

  /** Forgets that a run was to end. */
  end(context: object): void {
    this.#ending.delete(context)
  }

  #contextOf(value: unknown): object {
    return new this.#RunContext(value)
  }
}
