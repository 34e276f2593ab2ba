/**
 * How the built-in types that JSON has no word for are written.
 *
 * A type is told by `Object.prototype.toString`, which works across realms but can be forged. So
 * each type's own method is asked for the contents: it throws at an impostor, who is then written
 * as the plain object it is.
 *
 * @module
 */

import { tooLong } from './json-limits.js'

/** Bytes are written as decimal numbers; more than this would not fit the longest text anyway. */
const MAX_BYTES = 16_777_216

/** A container to write: where its values are, and the text around them. */
export interface Opened {
  readonly source: Readonly<Record<string | number, unknown>>
  /** The keys to read; `null` for a list, whose `source` has a `length`. */
  readonly keys: readonly string[] | null
  readonly open: string
  readonly close: string
}

/** The text of a special object, a container to write in its place, or `null` for a plain one. */
export function openSpecial(value: object): string | Opened | null {
  if (Array.isArray(value)) return null
  if (ArrayBuffer.isView(value)) return writeView(value)
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  switch (tag) {
    case 'Object':
      return writeOpaque(tag, value)
    case 'Error':
      return openError(value)
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return isBuffer(tag, value) ? writeBytes(tag, new Uint8Array(value)) : null
    default:
      return openBuiltIn(tag, value) ?? writeOpaque(tag, value)
  }
}

/** A number; JSON has no word for those that are not finite. */
export function writeNumber(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : tagged('Number', String(value))
}

/** A value that JSON has no word for, under the name of its type. */
export function tagged(type: string, text: string): string {
  return `{${JSON.stringify(`@${type}`)}:${JSON.stringify(text)}}`
}

function openBuiltIn(tag: string, value: object): string | Opened | null {
  try {
    switch (tag) {
      case 'Number':
        return writeNumber(Number.prototype.valueOf.call(value))
      case 'String':
        return JSON.stringify(String.prototype.valueOf.call(value))
      case 'Boolean':
        return String(Boolean.prototype.valueOf.call(value))
      case 'BigInt':
        return String(BigInt.prototype.valueOf.call(value))
      case 'Symbol':
        return tagged('Symbol', String(Symbol.prototype.valueOf.call(value).description))
      case 'Date':
        return writeDate(Date.prototype.getTime.call(value))
      case 'RegExp':
        return tagged(
          'RegExp',
          `/${ask(RegExp.prototype, 'source', value)}/${ask(RegExp.prototype, 'flags', value)}`,
        )
      case 'Map':
        return openMap(value)
      case 'Set':
        return openSet(value)
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

function openMap(value: object): Opened {
  const entries: [unknown, unknown][] = []
  Map.prototype.forEach.call(value, (item, key) => entries.push([key, item]))
  return openList('Map', entries)
}

function openSet(value: object): Opened {
  const items: unknown[] = []
  Set.prototype.forEach.call(value, (item) => items.push(item))
  return openList('Set', items)
}

function openList(type: string, items: readonly unknown[]): Opened {
  return {
    source: items as unknown as Opened['source'],
    keys: null,
    open: `{"@${type}":[`,
    close: ']}',
  }
}

/** An error's stack is left out: it says where it was made, not what it is. */
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

function isBuffer(tag: string, value: object): value is ArrayBuffer {
  try {
    // Some hosts have no SharedArrayBuffer; the error that makes is as good an answer as any.
    const type = tag === 'ArrayBuffer' ? ArrayBuffer : SharedArrayBuffer
    return typeof ask(type.prototype, 'byteLength', value) === 'number'
  } catch {
    return false
  }
}

/** Objects that keep their contents to themselves, such as URLSearchParams, speak through toString. */
function writeOpaque(tag: string, value: object): string | null {
  if (Object.keys(value).length > 0 || typeof value.toString !== 'function') return null
  const text = String(value)
  return text === `[object ${tag}]` ? null : tagged(tag, text)
}

/** Reads a built-in accessor with another object as `this`: an impostor makes it throw. */
function ask(prototype: object, key: string | symbol, value: object): unknown {
  return Reflect.get(prototype, key, value)
}
