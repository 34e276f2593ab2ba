/**
 * Writes what `JSON.stringify` cannot: cycles, BigInt, Map and Set, values that JSON does not have,
 * and nesting of any depth. Different values are written differently. Values that JSON has are
 * written as JSON; all others as an object with one key, `@` and a type name.
 *
 * An explicit stack replaces recursion, so depth costs memory, not call stack. A limit on values
 * bounds the work: a small graph of shared objects can make an endless text.
 *
 * A built-in type is recognised by `Object.prototype.toString`, which works across realms but can
 * be forged. So the contents are read with the type's own method: it throws for an impostor, which
 * is then written as the plain object it is.
 *
 * @module
 */

/** The most values that one argument may hold. */
export const MAX_VALUES = 2_000_000

/** The longest text, in UTF-16 units. */
export const MAX_TEXT = 67_108_864

/** Deeper nesting is refused. */
const MAX_DEPTH = 250_000

/** Bytes are written as decimal numbers; more than this would not fit the longest text anyway. */
const MAX_BYTES = 16_777_216

/** A value that cannot be written. Its message continues a sentence: "args holds more than …". */
export class UnwritableError extends Error {}

/**
 * Types whose content cannot be read, or only later. All values of such a type would be equal, and
 * healthy work would be taken for a loop.
 */
const HIDDEN = /^(Response|Request|Blob|File|ReadableStream|(Async)?Generator)$/

/** Makes the error for a value with too many parts. */
export function tooManyValues(): UnwritableError {
  return new UnwritableError(`holds more than ${MAX_VALUES} values`)
}

/** Makes the error for a text that is too long. */
export function tooLong(): UnwritableError {
  return new UnwritableError(`is longer than ${MAX_TEXT} characters`)
}

/** A container to write: where its values are, and the text around them. */
interface Opened {
  readonly source: Readonly<Record<string | number, unknown>>
  /** The keys to read; `null` for a list, whose `source` has a `length`. */
  readonly keys: readonly string[] | null
  readonly open: string
  readonly close: string
}

/** A container that is being written. */
interface Frame {
  /** The object it came from, to notice when it contains itself. */
  readonly owner: object
  /** Where values are read from, by key or by index. */
  readonly source: Readonly<Record<string | number, unknown>>
  /** The keys, or `null` for a list. */
  readonly keys: readonly string[] | null
  readonly length: number
  readonly close: string
  next: number
  empty: boolean
}

/**
 * Returns the JSON text of any value.
 *
 * @throws UnwritableError when the value is too large, or holds something whose content cannot be
 * read; also whatever a getter, proxy or `toJSON` throws.
 */
export function writeJson(root: unknown): string {
  const stack: Frame[] = []
  const depths = new Map<object, number>()
  let budget = MAX_VALUES
  let out = ''

  const spend = (values: number): void => {
    budget -= values
    if (budget < 0) throw tooManyValues()
    if (out.length > MAX_TEXT) throw tooLong()
  }

  const open = (owner: object, opened: Opened): void => {
    const length = opened.keys ? opened.keys.length : Number(opened.source.length)
    if (length > budget) throw tooManyValues()
    if (stack.length >= MAX_DEPTH)
      throw new UnwritableError(`is nested more than ${MAX_DEPTH} levels deep`)
    out += opened.open
    depths.set(owner, stack.length)
    // Without a spread, which would be ten times slower: 100,000 levels must be affordable.
    const { source, keys, close } = opened
    stack.push({ owner, source, keys, length, close, next: 0, empty: true })
  }

  const write = (given: unknown, key: string): void => {
    spend(1)
    const value = afterToJson(given, key)
    if (typeof value !== 'object' || value === null) {
      out += writePrimitive(value)
      return
    }
    const depth = depths.get(value)
    if (depth !== undefined) {
      out += `{"@Circular":${stack.length - depth}}`
      return
    }
    const special = openSpecial(value)
    if (typeof special === 'string') out += special
    else open(value, special ?? openPlain(value))
  }

  write(root, '')
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next >= frame.length) {
      out += frame.close
      depths.delete(frame.owner)
      stack.pop()
      continue
    }
    const index = frame.next++
    const key = frame.keys ? (frame.keys[index] as string) : String(index)
    const value = frame.source[key]
    if (frame.keys && value === undefined) {
      spend(1)
      continue
    }
    if (!frame.empty) out += ','
    frame.empty = false
    if (frame.keys) out += `${JSON.stringify(key)}:`
    write(value, key)
  }
  return out
}

/** Applies `toJSON`, except to views and invalid dates, whose `toJSON` loses too much. */
function afterToJson(value: unknown, key: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  if (ArrayBuffer.isView(value)) return value
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON
  if (typeof toJson !== 'function') return value
  const made: unknown = toJson.call(value, key)
  return made === null && isInvalidDate(value) ? value : made
}

function isInvalidDate(value: object): boolean {
  try {
    return Number.isNaN(Date.prototype.getTime.call(value))
  } catch {
    return false
  }
}

/** Writes what is no object; JSON does not have all of it. */
function writePrimitive(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : tagged('Number', String(value))
    case 'symbol':
      return tagged('Symbol', String(value.description))
    case 'function':
      return tagged('Function', Function.prototype.toString.call(value))
    case 'undefined':
      return 'null'
    default:
      return String(value)
  }
}

function openPlain(value: object): Opened {
  const source = value as Readonly<Record<string | number, unknown>>
  if (Array.isArray(value)) return { source, keys: null, open: '[', close: ']' }
  return { source, keys: Object.keys(value), open: '{', close: '}' }
}

/** Returns the text of a special object, a container to write in its place, or `null` for a plain one. */
function openSpecial(value: object): string | Opened | null {
  if (Array.isArray(value)) return null
  if (ArrayBuffer.isView(value)) return writeView(value)
  const tag = tagOf(value)
  switch (tag) {
    case 'Error':
      return openError(value)
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return isBuffer(tag, value) ? writeBytes(tag, new Uint8Array(value)) : null
    default:
      return openBuiltIn(tag, value) ?? writeOpaque(tag, value)
  }
}

/** Writes a value that JSON does not have, under the name of its type. */
function tagged(type: string, text: string): string {
  return `{${JSON.stringify(`@${type}`)}:${JSON.stringify(text)}}`
}

function openBuiltIn(tag: string, value: object): string | Opened | null {
  try {
    switch (tag) {
      case 'Number':
      case 'String':
      case 'Boolean':
      case 'BigInt':
      case 'Symbol':
        return writePrimitive(
          (globalThis[tag].prototype.valueOf as (this: object) => unknown).call(value),
        )
      case 'Date':
        return writeDate(Date.prototype.getTime.call(value))
      case 'RegExp':
        return tagged(
          'RegExp',
          `/${ask(RegExp.prototype, 'source', value)}/${ask(RegExp.prototype, 'flags', value)}`,
        )
      case 'Map':
        return openList(tag, Map.prototype.entries.call(value))
      case 'Set':
        return openList(tag, Set.prototype.values.call(value))
      default:
        return null
    }
  } catch {
    return null
  }
}

function writeDate(time: number): string {
  return Number.isNaN(time) ? tagged('Date', 'Invalid Date') : JSON.stringify(new Date(time))
}

function openList(type: string, items: Iterable<unknown>): Opened {
  return {
    source: [...items] as unknown as Opened['source'],
    keys: null,
    open: `{"@${type}":[`,
    close: ']}',
  }
}

/** Opens an error without its stack, which says where the error was made, not what it is. */
function openError(value: object): Opened {
  const { name, message, cause, errors } = value as Partial<AggregateError>
  const source: Record<string, unknown> = Object.create(null)
  Object.assign(source, { name, message, cause, errors }, value)
  return { source, keys: Object.keys(source), open: '{"@Error":{', close: '}}' }
}

function writeView(view: ArrayBufferView): string {
  const type = ask(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, view)
  if (typeof type === 'string') return writeBytes(type, view as Uint8Array)
  return writeBytes('DataView', new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
}

function writeBytes(type: string, bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_BYTES) throw tooLong()
  return tagged(type, Uint8Array.prototype.join.call(bytes, ','))
}

function isBuffer(tag: 'ArrayBuffer' | 'SharedArrayBuffer', value: object): value is ArrayBuffer {
  try {
    // Some hosts have no SharedArrayBuffer; the error is caught below like any other.
    return typeof ask(globalThis[tag].prototype, 'byteLength', value) === 'number'
  } catch {
    return false
  }
}

/** Writes objects that hide their contents, such as URLSearchParams, with their `toString`. */
function writeOpaque(tag: string, value: object): string | null {
  if (Object.keys(value).length > 0 || typeof value.toString !== 'function') return null
  const text = String(value)
  if (text !== `[object ${tag}]`) return tagged(tag, text)
  if (tag === 'Promise') throw new UnwritableError('holds a Promise; await it first')
  if (HIDDEN.test(tag)) throw new UnwritableError(`holds a ${tag}, which cannot be read`)
  return null
}

/** Returns the name of an object's type. */
export function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

/** Reads a built-in accessor with another object as `this`; throws for an impostor. */
function ask(prototype: object, key: string | symbol, value: object): unknown {
  return Reflect.get(prototype, key, value)
}
