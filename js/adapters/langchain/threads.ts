/**
 * Keeps guards in the state of a graph.
 *
 * @module
 */

import { type GuardOptions, type GuardSnapshot, LoopGuard, type PresetName } from 'loophound'
import { type GuardSource, guardsFrom, hasDetector, isGuard } from '../shared/guards.js'

/** The name of the state's field. */
export const FIELD = '_loophound'

/** What is kept in the state after each model call. Never changed afterwards. */
export interface Saved {
  /** `null` if nothing is stored anyway, or if the guard is the user's. */
  readonly guard: GuardSnapshot | null
  /** The answers to refused calls, by id. */
  readonly refused: Readonly<Record<string, string>>
}

/** A guard, and what was decided for the current model call. */
export interface Turn {
  readonly guard: LoopGuard
  /** Whether the model may be called, once known. */
  mayCall?: boolean
  nudge?: string | null
}

interface ThreadRuntime {
  readonly configurable?: { readonly thread_id?: string | undefined }
}

/** Enough for one step: each call is presented once. */
const REMEMBERED = 64

/** Opens and saves the guards of threads. */
export class Threads {
  readonly #given: ((run: ThreadRuntime) => LoopGuard) | null
  readonly #options: GuardOptions
  /** Guards that are unchanged since they were saved; restoring one takes a hundred times as long. */
  readonly #live = new WeakMap<Saved, Turn>()

  constructor(source: GuardSource<ThreadRuntime> | undefined) {
    const guardOf = guardsFrom(source)
    const isGiven = typeof source === 'function' || isGuard(source) || hasDetector(source)
    this.#given = isGiven ? guardOf : null
    this.#options = isGiven
      ? {}
      : typeof source === 'string'
        ? { detector: source as PresetName }
        : (source ?? {})
  }

  /** Returns the guard as it was saved; a new one if nothing was. */
  open(saved: Saved | undefined, runtime: ThreadRuntime): Turn {
    const live = saved && this.#live.get(saved)
    if (live) return live
    const turn = { guard: this.#given?.(runtime) ?? this.#restored(saved, runtime) }
    if (saved) this.#live.set(saved, turn)
    return turn
  }

  /** Returns what to keep in the state, to continue from there. */
  save(guard: LoopGuard, refused: Saved['refused'], runtime: ThreadRuntime): Saved {
    // Without a thread nothing can be resumed: the state ends with the run.
    const isStored = !this.#given && runtime.configurable?.thread_id !== undefined
    const saved = { guard: isStored ? guard.snapshot() : null, refused }
    this.#live.set(saved, { guard })
    return saved
  }

  /** Drops the live guard: the run continued, and a resumed run needs the guard as it was saved. */
  leave(saved: Saved | undefined): void {
    if (saved) this.#live.delete(saved)
  }

  #restored(saved: Saved | undefined, { configurable }: ThreadRuntime): LoopGuard {
    const id = this.#options.id ?? configurable?.thread_id
    const guard = new LoopGuard({ remember: REMEMBERED, ...this.#options, ...(id ? { id } : {}) })
    try {
      if (saved?.guard) guard.restore(saved.guard)
    } catch (error) {
      // Saved with other options: counting starts over, and the agent continues.
      this.report(error)
    }
    return guard
  }

  /** Reports an error that must not reach the agent. */
  report(error: unknown): void {
    try {
      const report = this.#options.onError ?? globalThis.console?.warn
      report?.(error)
    } catch {
      // A callback cannot break the agent.
    }
  }
}
