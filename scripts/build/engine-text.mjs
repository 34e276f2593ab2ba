/** The first printable character, and how many characters stand for a byte alone. */
const FIRST = 32
const SINGLE = 93

/** What a bundler may have to escape in a string. */
const ESCAPED = ['"', '$', "'", '\\', '`'].map((character) => character.charCodeAt(0) - FIRST)

/**
 * Writes bytes as printable characters: one for each of the most frequent bytes, two for the
 * others. The text begins with the bytes that the characters stand for.
 * `js/engine/engine-text.ts` reads it.
 *
 * Letters stand for themselves where they can, so that gzip finds the names that the engine and
 * the code around it share.
 *
 * @param {Uint8Array} bytes
 */
export function encodeEngine(bytes) {
  const table = chooseBytes(bytes)
  const values = new Uint8Array(256)
  for (const [value, byte] of table.entries()) values[byte] = value
  return [...table, ...Array.from(bytes, (byte) => values[byte])].map(characters).join('')
}

/**
 * Chooses the byte that each value stands for.
 *
 * @param {Uint8Array} bytes
 */
function chooseBytes(bytes) {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] += 1
  const byFrequency = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b)
  /** @param {number} value */
  const isShort = (value) => value < SINGLE && !ESCAPED.includes(value)
  const frequent = new Set(byFrequency.splice(0, SINGLE - ESCAPED.length))
  const table = Array.from({ length: 256 }, (_, value) => {
    const byte = FIRST + value
    return isShort(value) && frequent.delete(byte) ? byte : undefined
  })
  const others = [...frequent]
  return table.map((byte, value) => byte ?? (isShort(value) ? others : byFrequency).shift())
}

/** @param {number} value */
function characters(value) {
  /** @param {number} code */
  const character = (code) => String.fromCharCode(FIRST + code)
  if (value < SINGLE) return character(value)
  return value < 187 ? `}${character(value - SINGLE)}` : `~${character(value - 187)}`
}
