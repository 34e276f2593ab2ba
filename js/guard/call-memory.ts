/**
 * The calls that a guard remembers, so that a call that is presented again is not counted again.
 *
 * @module
 */

import { toText } from '../input/json-text.js'
import { hash64 } from '../swarm/identity.js'
import type { Decision } from './types.js'

/** One remembered call. */
export interface RememberedCall {
  /** The caller's id; `null` if there was none. */
  readonly id: string | null
  readonly name: string
  /** Equal for equal calls; see {@link callKey}. */
  readonly key: string
  /** Its number in the detector. */
  readonly number: number
  /** The equal call of the same step that this one is a duplicate of. */
  readonly original?: RememberedCall | undefined
  decision: Decision
  /** The arguments, for reporting the result to a swarm; not saved. */
  args?: unknown
  /** How many times it was presented again after its step; not saved. */
  presentedAfterStep?: number
  /** Only the result of an `open` call comes from the tool. */
  state: 'open' | 'answered' | 'refused' | 'duplicate'
}

/** Remembers the latest calls; the oldest is forgotten first. */
export class CallMemory {
  readonly #limit: number
  readonly #calls = new Map<string | number, RememberedCall>()
  readonly #oldest = new Queue((call) => this.#isRemembered(call))
  readonly #oldestOpen = new Queue((call) => this.#isOpen(call))
  readonly #oldestOpenByName = new Map<string, Queue>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(id: string): RememberedCall | undefined {
    return this.#calls.get(id)
  }

  /** Adds a call; it replaces an earlier one with the same id. */
  add(call: RememberedCall): void {
    const replaced = this.#calls.get(placeOf(call))
    if (replaced) this.#forget(replaced)
    this.#calls.set(placeOf(call), call)
    this.#oldest.push(call)
    if (call.state === 'open') this.#addOpen(call)
    const oldest = this.#calls.size > this.#limit ? this.#oldest.first() : undefined
    if (oldest) this.#forget(oldest)
  }

  /** Returns the oldest call without a result; of one tool, if a name is given. */
  oldestOpen(name: string | undefined): RememberedCall | undefined {
    const queue = name === undefined ? this.#oldestOpen : this.#oldestOpenByName.get(name)
    return queue?.first()
  }

  clear(): void {
    this.#calls.clear()
    this.#oldestOpenByName.clear()
  }

  /** Returns all calls, oldest first. */
  values(): Iterable<RememberedCall> {
    return this.#calls.values()
  }

  #addOpen(call: RememberedCall): void {
    this.#oldestOpen.push(call)
    const queue = this.#oldestOpenByName.get(call.name) ?? new Queue((one) => this.#isOpen(one))
    this.#oldestOpenByName.set(call.name, queue)
    queue.push(call)
  }

  #forget(call: RememberedCall): void {
    this.#calls.delete(placeOf(call))
    if (!this.#oldestOpenByName.get(call.name)?.first()) this.#oldestOpenByName.delete(call.name)
  }

  #isRemembered(call: RememberedCall): boolean {
    return this.#calls.get(placeOf(call)) === call
  }

  #isOpen(call: RememberedCall): boolean {
    return call.state === 'open' && this.#isRemembered(call)
  }
}

function placeOf({ id, number }: RememberedCall): string | number {
  return id ?? number
}

/**
 * A first-in, first-out queue. Calls that no longer belong are skipped, and removed once they are
 * the majority, so it takes constant time and space proportional to the calls that belong.
 */
class Queue {
  readonly #belongs: (call: RememberedCall) => boolean
  #calls: RememberedCall[] = []
  #head = 0
  #cleanAt = 64

  constructor(belongs: (call: RememberedCall) => boolean) {
    this.#belongs = belongs
  }

  push(call: RememberedCall): void {
    this.#calls.push(call)
    if (this.#calls.length < this.#cleanAt) return
    this.#calls = this.#calls.filter(this.#belongs)
    this.#head = 0
    this.#cleanAt = 2 * this.#calls.length + 64
  }

  first(): RememberedCall | undefined {
    for (; this.#head < this.#calls.length; this.#head++) {
      const call = this.#calls[this.#head]
      if (call && this.#belongs(call)) return call
    }
    return undefined
  }
}

/**
 * Makes a short text that is equal for calls of one tool with equal arguments. It contains only a
 * hash of the arguments, because they may contain secrets and it is saved in snapshots.
 *
 * The detector compares calls by meaning. This key only shows whether a call is presented again,
 * with its arguments unchanged.
 *
 * @throws TypeError when the arguments cannot be read.
 */
export function callKey(name: string, args: unknown): string {
  const text = args === undefined ? '' : toText(args, 'call(args): args')
  return `${name} ${text.length}#${hash64(text)}`
}
