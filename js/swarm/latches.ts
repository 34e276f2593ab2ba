/**
 * The latched fingerprints that this worker knows about. Looking one up needs no network.
 *
 * @module
 */

import { countsHandOvers, LONGEST_TOOL, plainText, toolIn } from './identity.js'
import type { SwarmState } from './types.js'

/** The most latches remembered. */
const CAPACITY = 1024

interface Latch {
  readonly state: SwarmState
  /** When it ends, by the monotonic clock of this process. */
  readonly endsAt: number
  readonly notedAt: number
}

export class Latches {
  readonly #latches = new Map<string, Latch>()
  /** How many latches there are about each tool. */
  readonly #tools = new Map<string, number>()

  /** How many latches have not ended; counts of hand-overs are none by themselves. */
  get size(): number {
    const now = performance.now()
    const shown = ({ state, endsAt }: Latch) => endsAt > now && !countsHandOvers(state.fingerprint)
    return [...this.#latches.values()].filter(shown).length
  }

  /**
   * Returns whether there is a latch about a tool. Most calls are of other tools, and need no
   * fingerprint.
   */
  concern(tool: string): boolean {
    return this.#latches.size > 0 && this.#tools.has(plainText(tool, LONGEST_TOOL))
  }

  /** Returns the latch of a fingerprint, unless it has ended. */
  find(fingerprint: string): SwarmState | undefined {
    const latch = this.#latches.get(fingerprint)
    if (!latch) return undefined
    if (latch.endsAt > performance.now()) return latch.state
    this.#remove(fingerprint)
    return undefined
  }

  /** Records what the store says about a fingerprint: latched or not. */
  note(state: SwarmState): void {
    this.#remove(state.fingerprint)
    if (state.latchedUntil === 0) return
    // The store's own time decides how long the latch lasts, whatever the workers' clocks
    // show.
    const left = state.latchedUntil - (state.now ?? Date.now())
    const notedAt = performance.now()
    this.#latches.set(state.fingerprint, { state, endsAt: notedAt + left, notedAt })
    const tool = toolIn(state.fingerprint)
    this.#tools.set(tool, (this.#tools.get(tool) ?? 0) + 1)
    const [oldest] = this.#latches.keys()
    if (this.#latches.size > CAPACITY && oldest !== undefined) this.#remove(oldest)
  }

  /**
   * Records what was pushed: a latch as it was when it was set, so nothing new about one that is
   * known; or one that was lifted.
   */
  notePushed(state: SwarmState): void {
    const known = this.find(state.fingerprint)
    if (known === undefined || known.latchedUntil !== state.latchedUntil) this.note(state)
  }

  /** Forgets what was noted before a time of this process. */
  forgetBefore(time: number): void {
    for (const [fingerprint, { notedAt }] of this.#latches) {
      if (notedAt < time) this.#remove(fingerprint)
    }
  }

  clear(): void {
    this.#latches.clear()
    this.#tools.clear()
  }

  #remove(fingerprint: string): void {
    if (!this.#latches.delete(fingerprint)) return
    const tool = toolIn(fingerprint)
    const left = (this.#tools.get(tool) ?? 1) - 1
    if (left > 0) this.#tools.set(tool, left)
    else this.#tools.delete(tool)
  }
}
