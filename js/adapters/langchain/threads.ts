/**
 * Guards that live in the state of a graph.
 *
 * @module
 */

import { type GuardOptions, type GuardSnapshot, LoopGuard, type PresetName } from 'loophound'
import { type GuardSource, guardsFrom, isGuard } from '../shared/guards.js'

/** The name of the state's field. */
export const FIELD = '_loophound'

/** What is kept in the state after each model call. Never changed once it is there. */
export interface Saved {
  /** `null` where nothing is stored anyway, or where the guard is the user's. */
  readonly guard: GuardSnapshot | null
  /** What to answer the calls with that may not run, by their ids. */
  readonly refused: Readonly<Record<string, string>>
}

/** A guard, and what was done before the model call that is under way. */
export interface Turn {
  readonly guard: LoopGuard
  /** Whether the model may be asked, once that is known. */
  mayAsk?: boolean
  nudge?: string | null
}

interface ThreadRuntime {
  readonly configurable?: { readonly thread_id?: string | undefined }
}

/** As a step holds some calls only, and each of them is presented once. */
const REMEMBERED = 64

export class Threads {
  readonly #given: ((run: ThreadRuntime) => LoopGuard) | null
  readonly #options: GuardOptions
  /** Guards as they were when that was saved; reading it would take a hundred times as long. */
  readonly #live = new WeakMap<Saved, Turn>()

  constructor(source: GuardSource<ThreadRuntime> | undefined) {
    const guardOf = guardsFrom(source)
    const isGiven = typeof source === 'function' || isGuard(source)
    this.#given = isGiven ? guardOf : null
    this.#options = isGiven
      ? {}
      : typeof source === 'string'
        ? { detector: source as PresetName }
        : (source ?? {})
  }

  /** The guard as it was when that was saved; a new one if nothing was. */
  open(saved: Saved | undefined, runtime: ThreadRuntime): Turn {
    const live = saved && this.#live.get(saved)
    if (live) return live
    const turn = { guard: this.#given?.(runtime) ?? this.#restored(saved, runtime) }
    if (saved) this.#live.set(saved, turn)
    return turn
  }

  /** What to keep in the state, to go on from there. */
  save(guard: LoopGuard, refused: Saved['refused'], runtime: ThreadRuntime): Saved {
    // Without a thread there is nothing to come back to: the state ends with the run.
    const isStored = !this.#given && runtime.configurable?.thread_id !== undefined
    const saved = { guard: isStored ? guard.snapshot() : null, refused }
    this.#live.set(saved, { guard })
    return saved
  }

  /** The run went on from there: whoever comes back to it needs the guard as it was. */
  leave(saved: Saved | undefined): void {
    if (saved) this.#live.delete(saved)
  }

  #restored(saved: Saved | undefined, { configurable }: ThreadRuntime): LoopGuard {
    const id = this.#options.id ?? configurable?.thread_id
    const guard = new LoopGuard({ remember: REMEMBERED, ...this.#options, ...(id ? { id } : {}) })
    try {
      if (saved?.guard) guard.restore(saved.guard)
    } catch (error) {
      // Saved under other options: counting begins anew, and the agent goes on.
      this.#tell(error)
    }
    return guard
  }

  #tell(error: unknown): void {
    try {
      const tell = this.#options.onError ?? globalThis.console?.warn
      tell?.(error)
    } catch {
      // Whoever is told cannot break the agent.
    }
  }
}
