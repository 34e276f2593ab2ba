/**
 * Characters beyond U+FFFF are two units in a string, and a stream may break between them.
 *
 * @module
 */

import type { TextChannel } from './types.js'

/** Holds back the first half of a character, by channel, until the other comes. */
export class Halves {
  #text = ''
  #reasoning = ''

  /** The chunk with the half that was held back before it, and without one at its end. */
  join(chunk: string, channel: TextChannel): string {
    if (chunk === '') return ''
    const held = channel === 'text' ? this.#text : this.#reasoning
    const last = chunk.charCodeAt(chunk.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    if (!isHalf && held === '') return chunk
    this.#hold(isHalf ? chunk.slice(-1) : '', channel)
    return held + (isHalf ? chunk.slice(0, -1) : chunk)
  }

  /** The streams have ended: what is held back will never be whole. */
  drop(): void {
    this.#text = ''
    this.#reasoning = ''
  }

  #hold(half: string, channel: TextChannel): void {
    if (channel === 'text') this.#text = half
    else this.#reasoning = half
  }
}
