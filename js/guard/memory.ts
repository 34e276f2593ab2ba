/**
 * The calls a guard remembers, so that one that is presented again is not counted again.
 *
 * @module
 */

import type { Decision } from './types.js'

/** One remembered call. */
export interface Remembered {
  /** The caller's id; `null` if there was none. */
  readonly id: string | null
  readonly name: string
  /** What the call consists of; see `callKey`. */
  readonly key: string
  /** The number by which the detector knows it. */
  readonly number: number
  /** The equal call of the same step that stands for this one. */
  readonly lead?: Remembered | undefined
  decision: Decision
  /** Only the result of an `open` call says something about the tool. */
  state: 'open' | 'answered' | 'refused' | 'twin'
}

/** Bounded: the call remembered first is forgotten first. */
export class CallMemory {
  readonly #limit: number
  readonly #calls = new Map<string | number, Remembered>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(id: string): Remembered | undefined {
    return this.#calls.get(id)
  }

  add(call: Remembered): void {
    const place = call.id ?? call.number
    // An id that is used for another call moves to the end with it.
    this.#calls.delete(place)
    this.#calls.set(place, call)
    if (this.#calls.size <= this.#limit) return
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined) this.#calls.delete(oldest)
  }

  /** The oldest call without a result; of one tool, if a name is given. */
  oldestOpen(name: string | undefined): Remembered | undefined {
    for (const call of this.#calls.values()) {
      if (call.state === 'open' && (name === undefined || call.name === name)) return call
    }
    return undefined
  }

  clear(): void {
    this.#calls.clear()
  }

  values(): Iterable<Remembered> {
    return this.#calls.values()
  }
}
