// A WebAssembly module, read as far as packing it needs: the functions' bodies,
// instruction by instruction.
import { Failure } from '../support/failure.mjs'
import { readNumber } from './leb128.mjs'

const CODE = 10

/**
 * `{ before, bodies, after }`: what stands before the first body and after the last one, and of each
 * body its `locals`, as bytes, and its `instructions`: `{ head, rest, kind }`, where `rest` are
 * the operands and `kind` says which.
 */
export function readBodies(bytes) {
  const reader = new Reader(bytes)
  reader.at = 8
  while (reader.byte() !== CODE) reader.skip(reader.number())
  const length = reader.number()
  const end = reader.at + length
  const count = reader.number()
  const before = bytes.subarray(0, reader.at)
  const bodies = Array.from({ length: count }, () => readBody(reader))
  return { before, bodies, after: bytes.subarray(end) }
}

function readBody(reader) {
  const length = reader.number()
  const end = reader.at + length
  const locals = reader.since(() => {
    for (let groups = reader.number(); groups > 0; groups--) {
      reader.number()
      reader.byte()
    }
  })
  const instructions = []
  while (reader.at < end) instructions.push(readInstruction(reader))
  return { locals, instructions }
}

function readInstruction(reader) {
  const start = reader.at
  const code = reader.byte()
  const [kind, isHead, read] = operandsOf(code)
  if (isHead) read(reader)
  const head = reader.bytes.subarray(start, reader.at)
  const rest = reader.since(() => {
    if (kind === 'offset') reader.number()
    else if (!isHead) read(reader)
  })
  return { head, rest, kind }
}

const one = (reader) => reader.number()
const two = (reader) => [reader.number(), reader.number()]
const none = () => {}

/**
 * Of an instruction: the kind of operand that varies, whether all others belong to its head, and
 * how they are read.
 */
function operandsOf(code) {
  if (code >= 0x45 && code <= 0xc4) return ['none', true, none]
  if (code >= 0x28 && code <= 0x3e) return ['offset', true, one]
  if (code >= 0x20 && code <= 0x22) return ['local', false, one]
  if (code >= 0x02 && code <= 0x04) return ['block', false, one]
  const found = OPERANDS[code]
  if (!found)
    throw new Failure(`scripts/build does not know the instruction 0x${code.toString(16)}.`)
  return found
}

const OPERANDS = {
  0: ['none', true, none],
  1: ['none', true, none],
  5: ['none', true, none],
  11: ['none', true, none],
  12: ['branch', false, one],
  13: ['branch', false, one],
  14: ['raw', false, (reader) => repeat(reader.number() + 1, one, reader)],
  15: ['none', true, none],
  16: ['call', false, one],
  17: ['raw', false, two],
  26: ['none', true, none],
  27: ['none', true, none],
  28: ['raw', false, (reader) => repeat(reader.number(), one, reader)],
  35: ['none', true, one],
  36: ['none', true, one],
  37: ['raw', false, one],
  38: ['raw', false, one],
  63: ['none', true, one],
  64: ['none', true, one],
  65: ['int', false, one],
  66: ['long', false, one],
  67: ['raw', false, (reader) => reader.skip(4)],
  68: ['raw', false, (reader) => reader.skip(8)],
  208: ['raw', false, one],
  209: ['none', true, none],
  210: ['raw', false, one],
  // Conversions that saturate, and what works on blocks of memory or tables.
  252: ['none', true, (reader) => repeat(operandsOfMore(reader.number()), one, reader)],
}

/** How many operands an instruction has that begins with 0xfc. */
function operandsOfMore(code) {
  const found = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1][code]
  if (found !== undefined) return found
  throw new Failure(`scripts/build does not know the instruction 0xfc 0x${code.toString(16)}.`)
}

function repeat(times, read, reader) {
  for (let left = times; left > 0; left--) read(reader)
}

class Reader {
  at = 0

  constructor(bytes) {
    this.bytes = bytes
  }

  byte() {
    return this.bytes[this.at++]
  }

  /** Where the number is signed, only its end matters. */
  number() {
    const [value, end] = readNumber(this.bytes, this.at)
    this.at = end
    return value
  }

  skip(count) {
    this.at += count
  }

  since(read) {
    const start = this.at
    read()
    return this.bytes.subarray(start, this.at)
  }
}
