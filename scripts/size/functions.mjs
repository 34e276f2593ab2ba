// The functions of a WebAssembly module with their names and sizes, read from the
// module itself. A profiler such as twiggy tells more, but would be another tool
// to compile for the two sections that matter here.

const CODE = 10
const DATA = 11
const IMPORTS = 2
const CUSTOM = 0
const FUNCTION_NAMES = 1

/** `{ functions: [{ name, size }], data }`, sizes in bytes. */
export function readModule(bytes) {
  const sizes = []
  const names = new Map()
  let imported = 0
  let data = 0
  const reader = new Reader(bytes, 8)
  while (!reader.ended()) {
    const id = reader.byte()
    const section = reader.piece(reader.number())
    if (id === IMPORTS) imported = countImportedFunctions(section)
    if (id === CODE) eachItem(section, () => sizes.push(section.piece(section.number()).length))
    if (id === DATA) data = section.length
    if (id === CUSTOM && section.text() === 'name') readNames(section, names)
  }
  const functions = sizes.map((size, at) => ({ size, name: names.get(at + imported) ?? '?' }))
  return { functions, data }
}

function eachItem(section, read) {
  for (let count = section.number(); count > 0; count--) read()
}

function countImportedFunctions(section) {
  let functions = 0
  eachItem(section, () => {
    section.text()
    section.text()
    const kind = section.byte()
    if (kind !== 0) throw new Error(`imports of kind ${kind} are not expected in this module`)
    section.number()
    functions++
  })
  return functions
}

function readNames(section, names) {
  while (!section.ended()) {
    const kind = section.byte()
    const part = section.piece(section.number())
    if (kind === FUNCTION_NAMES) eachItem(part, () => names.set(part.number(), part.text()))
  }
}

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get length() {
    return this.bytes.length
  }

  ended() {
    return this.at >= this.bytes.length
  }

  byte() {
    return this.bytes[this.at++]
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  piece(length) {
    const piece = new Reader(this.bytes.subarray(this.at, this.at + length))
    this.at += length
    return piece
  }

  text() {
    return Buffer.from(this.piece(this.number()).bytes).toString('utf8')
  }
}
