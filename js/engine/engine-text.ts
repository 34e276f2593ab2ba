/**
 * Reads the engine's module from the text that carries it inside a bundle.
 *
 * Each byte is one printable character, or two for rarer bytes; the text begins with a table of the
 * bytes that the characters stand for. Gzipped, that is a fifth smaller than base64, in which a
 * byte has no character of its own. `scripts/build/engine-text.mjs` writes it.
 *
 * @module
 */

/** The first character; it stands for 0. */
const FIRST = 32
/** From this value on, a character is only a prefix of a second one. */
const SINGLE = 93
/**
 * What is added to the second character, after the first and after the second of the two prefixes.
 */
const AFTER_FIRST_PREFIX = 93
const AFTER_SECOND_PREFIX = 187
/** How many bytes there are. */
const BYTES = 256

export function decodeEngine(text: string): Uint8Array<ArrayBuffer> {
  // The table of byte values, then the module.
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    let value = text.charCodeAt(at) - FIRST
    if (value >= SINGLE) {
      const base = value === SINGLE ? AFTER_FIRST_PREFIX : AFTER_SECOND_PREFIX
      value = base + text.charCodeAt(++at) - FIRST
    }
    bytes[length] = length < BYTES ? value : (bytes[value] as number)
    length++
  }
  return bytes.slice(BYTES, length)
}
