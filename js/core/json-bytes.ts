/**
 * Plain data as JSON text, written straight into the engine's memory.
 *
 * `JSON.stringify` makes a string that then has to be copied, and escapes slowly what is long. Here
 * short strings are copied character by character, and long ones are handed over raw: the engine
 * writes those out, which takes it a fraction of the time.
 *
 * @module
 */

// Deeper values, and cycles, which have no bottom, are for the writer that does not recurse.
const DEPTH = 64
// Whole numbers below this are written digit by digit.
const SMALL = 1_000_000_000
// A longer string costs more in a loop than a call of encodeInto, if nothing is to be escaped.
const MEDIUM = 48
const LONE = /\p{Surrogate}/u
const UNUSUAL = /[^ !#-[\]-~]/
// A longer string is left to the engine: that costs a pass over all of the text.
const LONG = 256
// Begins a string that is not written out: four bytes of length follow, and then its bytes. In JSON
// text no such byte can occur. `src/packed.rs` has the other half.
const RAW = 1
// The longest that is written without asking for room: a number, an escape, `false`.
const SLACK = 32

const QUOTE = 34
const COMMA = 44
const ZERO = 48
const COLON = 58
const BACKSLASH = 92

const NOTHING = /* @__PURE__ */ new Uint8Array(0)
const EMPTY = {}
const encoder = new TextEncoder()

/** By character code: 0 if it stands for itself, 1 if it is rare, else the letter of its escape. */
const ESCAPES = /* @__PURE__ */ escapes()

function escapes(): Uint8Array {
  const table = new Uint8Array(128).fill(1, 0, 32)
  for (const [character, letter] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\']) {
    table[(character as string).charCodeAt(0)] = (letter as string).charCodeAt(0)
  }
  return table
}

// What is being written. Kept here, not in an object: this is read and written for every character
// or two. A getter among the data may start another one; then `turn` tells.
let bytes = NOTHING
let at = 0
let packed = false
let turn = 0

/** Whether the text that was written last holds strings that are not written out. */
export function isPacked(): boolean {
  return packed
}

/**
 * Gives up what is being written. A getter among the data can make the buffer move; whoever moves
 * or fills it calls this first, so that nothing more is written to where it was.
 */
export function abandon(): void {
  bytes = NOTHING
  turn++
}

/**
 * Writes plain data as JSON text from `from` on.
 *
 * @returns Where it ends; -1 if it does not fit, or is not all plain data: then it is for the slower
 * writer. What was written until then does not matter.
 */
export function writeJsonBytes(into: Uint8Array<ArrayBuffer>, from: number, value: object): number {
  // What somebody gave to all objects would look like part of ours.
  for (const _ in EMPTY) return -1
  const mine = ++turn
  packed = false
  bytes = into
  at = from
  const done = writeValue(value, DEPTH) && mine === turn && at <= into.length
  bytes = NOTHING
  return done ? at : -1
}

function writeValue(value: unknown, depth: number): boolean {
  // Writing beyond the end does nothing, so it is enough to ask now and then.
  if (at + SLACK > bytes.length) return false
  switch (typeof value) {
    case 'string':
      return writeString(value)
    case 'number':
      return writeNumber(value)
    case 'boolean':
      writeAscii(value ? 'true' : 'false')
      return true
    case 'object':
      if (value !== null) return depth > 0 && writeContainer(value, depth - 1)
      writeAscii('null')
      return true
    default:
      return false
  }
}

function writeContainer(value: object, depth: number): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An array is one whatever its prototype; odd ones are not plain.
  if (Array.isArray(value)) return prototype === Array.prototype && writeArray(value, depth)
  if (prototype !== Object.prototype && prototype !== null) return false
  return writeObject(value as Record<string, unknown>, depth)
}

function writeObject(object: Readonly<Record<string, unknown>>, depth: number): boolean {
  bytes[at++] = 123
  let first = true
  for (const key in object) {
    const value = object[key]
    if (value === undefined) continue
    if (!first) bytes[at++] = COMMA
    first = false
    if (!writeString(key)) return false
    bytes[at++] = COLON
    if (!writeValue(value, depth)) return false
  }
  bytes[at++] = 125
  return true
}

function writeArray(list: readonly unknown[], depth: number): boolean {
  bytes[at++] = 91
  // Asked once, as JSON.stringify does: a getter may change it.
  const { length } = list
  for (let index = 0; index < length; index++) {
    if (index > 0) bytes[at++] = COMMA
    const value = list[index]
    // JSON has `null` for a hole and for `undefined`, and so do we.
    if (!writeValue(value === undefined ? null : value, depth)) return false
  }
  bytes[at++] = 93
  return true
}

function writeNumber(value: number): boolean {
  if (value >= 0 && value < SMALL && Number.isInteger(value)) {
    writeDigits(value)
    return true
  }
  if (!Number.isFinite(value)) return false
  writeAscii(String(value))
  return true
}

function writeDigits(value: number): void {
  let end = at + 1
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end++
  at = end
  let rest = value
  do {
    const tens = (rest / 10) | 0
    bytes[--end] = ZERO + rest - tens * 10
    rest = tens
  } while (rest > 0)
}

function writeAscii(text: string): void {
  for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
}

function writeString(text: string): boolean {
  const length = text.length
  if (length > MEDIUM && (length > LONG || !UNUSUAL.test(text))) {
    return length > LONG ? writeRaw(text) : writeUsual(text)
  }
  const into = bytes
  let to = at
  into[to++] = QUOTE
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index)
    // Outside ASCII, a string is as good as a long one.
    if (unit > 127) return writeRaw(text)
    const letter = ESCAPES[unit] as number
    if (letter === 0) {
      into[to++] = unit
    } else if (letter === 1) {
      return writeRaw(text)
    } else {
      into[to] = BACKSLASH
      into[to + 1] = letter
      to += 2
    }
  }
  into[to++] = QUOTE
  at = to
  return true
}

/** A string without anything to escape. */
function writeUsual(text: string): boolean {
  const start = at + 1
  if (start > bytes.length) return false
  const { written } = encoder.encodeInto(text, bytes.subarray(start))
  bytes[at] = QUOTE
  at = start + written
  bytes[at++] = QUOTE
  return written === text.length
}

function writeRaw(text: string): boolean {
  const start = at + 5
  if (start > bytes.length) return false
  const { read, written } = encoder.encodeInto(text, bytes.subarray(start))
  bytes[at] = RAW
  bytes[at + 1] = written
  bytes[at + 2] = written >> 8
  bytes[at + 3] = written >> 16
  bytes[at + 4] = written >> 24
  at = start + written
  packed = true
  // JSON.stringify tells lone surrogates apart, and UTF-8 does not.
  const isAscii = written === read
  return read === text.length && (isAscii || !LONE.test(text))
}
