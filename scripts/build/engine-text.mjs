/**
 * Writes bytes as printable characters: one for a byte below 93, two for a larger one.
 * `js/engine/engine-text.ts` reads it.
 *
 * @param {Uint8Array} bytes
 */
export function encodeEngine(bytes) {
  /** @param {number} value */
  const character = (value) => String.fromCharCode(32 + value)
  return Array.from(bytes, (byte) => {
    if (byte < 93) return character(byte)
    return byte < 187 ? `}${character(byte - 93)}` : `~${character(byte - 187)}`
  }).join('')
}
