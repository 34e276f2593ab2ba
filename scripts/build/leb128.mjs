// Unsigned numbers as WebAssembly has them: seven bits a byte, the lowest first.

/** `[value, end]` of the number that begins at `start`. */
export function readNumber(bytes, start) {
  let value = 0
  for (let at = start, scale = 1; ; scale *= 128) {
    const byte = bytes[at++]
    value += (byte & 127) * scale
    if (byte < 128) return [value, at]
  }
}

/** The bytes of a number. */
export function number(value) {
  return value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))]
}
