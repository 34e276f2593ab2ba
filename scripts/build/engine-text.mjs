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
  const frequent = byFrequency.slice(0, SINGLE - ESCAPED.length)
  const rare = byFrequency.slice(SINGLE - ESCAPED.length)
  const isShort = (value) => value >= 0 && value < SINGLE && !ESCAPED.includes(value)
  const isItself = (byte) => frequent.includes(byte) && isShort(byte - FIRST)
  const others = frequent.filter((byte) => !isItself(byte))
  const choose = (value) => {
    if (isItself(FIRST + value)) return FIRST + value
    return (isShort(value) ? others : rare).shift() ?? 0
  }
  return Array.from({ length: 256 }, (_, value) => choose(value))
}

/** @param {number} value */
function characters(value) {
  /** @param {number} code */
  const character = (code) => String.fromCharCode(FIRST + code)
  if (value < SINGLE) return character(value)
  return value < 187 ? `}${character(value - SINGLE)}` : `~${character(value - 187)}`
}
