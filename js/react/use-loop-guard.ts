/**
 * A guard that lives as long as its component.
 *
 * @module
 */

import {
  type GuardOptions,
  type GuardOutcome,
  LoopGuard,
  type PresetName,
  type Verdict,
} from 'loophound'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** What a component knows about its guard. */
export interface LoopGuardState {
  /** The guard, for the agent loop. It stays the same until `restart()`. */
  readonly guard: LoopGuard
  /** The latest verdict that was not `continue`; `null` before the first. */
  readonly verdict: Verdict | null
  /** Every verdict that was not `continue`, newest last: at most 100. */
  readonly verdicts: readonly Verdict[]
  /** The state of the run after the latest verdict. */
  readonly outcome: GuardOutcome
  /** Starts over, with a new guard and the options of the latest render. */
  readonly restart: () => void
}

/** How many verdicts are kept. */
const MOST = 100

/**
 * Makes a guard for the life of a component, and renders the component again after each verdict that
 * is not `continue`. The guard is released when the component unmounts.
 *
 * @param options Those of a {@link LoopGuard}, or a preset's name. They are read when the guard is
 * made; only `onVerdict` is always that of the latest render.
 *
 * @example
 * ```tsx
 * const { guard, verdict, restart } = useLoopGuard('balanced')
 * ```
 */
export function useLoopGuard(options: PresetName | GuardOptions = {}): LoopGuardState {
  const latest = useRef(options)
  const [store, setStore] = useState(() => new GuardStore(options, () => latest.current))
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => store.hold(), [store])
  const state = useSyncExternalStore(store.subscribe, store.read, store.read)
  const restart = useCallback(
    () => setStore(new GuardStore(latest.current, () => latest.current)),
    [],
  )
  return { guard: store.guard, ...state, restart }
}

/** The part of the state that changes with a verdict. */
type Shown = Pick<LoopGuardState, 'verdict' | 'verdicts' | 'outcome'>

const named = (options: PresetName | GuardOptions): GuardOptions =>
  typeof options === 'string' ? { detector: options } : options

/** A guard, and the state that its component shows. */
class GuardStore {
  readonly guard: LoopGuard
  #shown: Shown
  #holders = 0
  readonly #listeners = new Set<() => void>()

  constructor(options: PresetName | GuardOptions, latest: () => PresetName | GuardOptions) {
    this.guard = new LoopGuard({
      ...named(options),
      onVerdict: (verdict, context) => {
        this.#add(verdict)
        return named(latest()).onVerdict?.(verdict, context)
      },
    })
    this.#shown = { verdict: null, verdicts: [], outcome: this.guard.outcome }
  }

  #add(verdict: Verdict): void {
    // Deferred, because the guard acts on a verdict only after reporting it.
    queueMicrotask(() => {
      const verdicts = [...this.#shown.verdicts, verdict].slice(-MOST)
      this.#shown = { verdict, verdicts, outcome: this.guard.outcome }
      for (const listener of this.#listeners) listener()
    })
  }

  readonly read = (): Shown => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Keeps the guard until the returned function is called. */
  hold(): () => void {
    this.#holders += 1
    return () => {
      this.#holders -= 1
      // In strict mode, React undoes an effect and runs it again immediately.
      queueMicrotask(() => {
        if (this.#holders === 0) this.guard.free()
      })
    }
  }
}
