/**
 * Reads the engine's module from the text that carries it inside a bundle.
 *
 * Each byte is one printable character, or two for the larger ones. Gzipped, that is a fifth smaller
 * than base64, in which a byte has no character of its own. `scripts/build/engine-text.mjs` writes it.
 *
 * @module
 */

/** The first character; it stands for 0. */
const FIRST = 32
/** From this value on, a character only announces a second one. */
const SINGLE = 93
/** What the second character is added to, after the last character but one, and after the last. */
const AFTER_FIRST_PREFIX = 93
const AFTER_SECOND_PREFIX = 187

export function decodeEngine(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    let byte = text.charCodeAt(at) - FIRST
    if (byte >= SINGLE) {
      const base = byte === SINGLE ? AFTER_FIRST_PREFIX : AFTER_SECOND_PREFIX
      byte = base + text.charCodeAt(++at) - FIRST
    }
    bytes[length++] = byte
  }
  return bytes.slice(0, length)
}
