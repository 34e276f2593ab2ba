/**
 * Characters beyond U+FFFF are two units in a JavaScript string, a surrogate pair. A stream may
 * split a pair between two chunks, and a string may contain a lone surrogate, which UTF-8 cannot
 * express.
 *
 * @module
 */

const LONE = /\p{Surrogate}/gu

/**
 * Replaces each lone surrogate by U+FFFD and its code, so that texts that differ only there stay
 * different in UTF-8. Well-formed text is returned as it is.
 */
export function wellFormed(text: string): string {
  if (isWellFormed(text)) return text
  return text.replace(LONE, (half) => `\ufffd${half.charCodeAt(0).toString(16)}`)
}

/** Returns whether a text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  // Runtimes from before 2024 do not have the method.
  const { isWellFormed } = text as { isWellFormed?: () => boolean }
  return isWellFormed ? isWellFormed.call(text) : text.search(LONE) < 0
}

/** Holds back the first half of a split pair, by channel, until the second half comes. */
export class SurrogateBuffer {
  /** By the index of the channel. */
  #held: string[] = []

  /** Returns the chunk with the half that was held back before it, and without a half at its end. */
  join(chunk: string, channel: number): string {
    if (chunk === '') return ''
    const held = this.#held[channel] ?? ''
    const last = chunk.charCodeAt(chunk.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    if (!isHalf && held === '') return chunk
    this.#held[channel] = isHalf ? chunk.slice(-1) : ''
    return held + (isHalf ? chunk.slice(0, -1) : chunk)
  }

  /** Drops the halves that are held back: the streams have ended. */
  clear(): void {
    if (this.#held.length > 0) this.#held = []
  }
}
