// Bytes as text for source code; js/core/bytes.ts reads it, and says why it is so.
const DIGITS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
  (character) => !'"<\\'.includes(character),
)

export function encodeBytes(bytes) {
  return Array.from(bytes, (byte) => {
    const pair = Math.floor(byte / 90)
    return (pair === 0 ? '' : DIGITS[89 + pair]) + DIGITS[byte % 90]
  }).join('')
}
