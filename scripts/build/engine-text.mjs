/** What a bundler may have to escape in a string. */
const ESCAPED = ['"', '$', "'", '\\', '`']

/**
 * Writes bytes as printable characters: one for each of the most frequent bytes, two for the
 * others. The text begins with the bytes that the characters stand for.
 * `js/engine/engine-text.ts` reads it.
 *
 * @param {Uint8Array} bytes
 */
export function encodeEngine(bytes) {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] += 1
  const order = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b)
  // The rarest bytes get the characters that may be escaped.
  for (const character of ESCAPED) {
    order.splice(character.charCodeAt(0) - 32, 0, /** @type {number} */ (order.pop()))
  }
  const values = new Uint8Array(256)
  for (const [value, byte] of order.entries()) values[byte] = value
  return [...order, ...Array.from(bytes, (byte) => values[byte])].map(characters).join('')
}

/** @param {number} value */
function characters(value) {
  /** @param {number} code */
  const character = (code) => String.fromCharCode(32 + code)
  if (value < 93) return character(value)
  return value < 187 ? `}${character(value - 93)}` : `~${character(value - 187)}`
}
