/**
 * Writes what `JSON.stringify` cannot: cycles, BigInt, Map and Set, values that JSON has no word
 * for, and nesting of any depth. Values that differ are written differently; where JSON has a form
 * of its own, that form is kept. The rest is written as an object with one key, `@` and a type name.
 *
 * Frames on an explicit stack stand in for recursion, so depth costs memory, never the call stack.
 * A budget of values bounds the work: a small graph of shared objects can spell out an endless text.
 *
 * @module
 */

import { MAX_DEPTH, MAX_TEXT, MAX_VALUES, tooDeep, tooLong, tooManyValues } from './json-limits.js'
import { type Opened, openSpecial, tagged, writeNumber } from './json-special.js'

/** A container that is being written. */
interface Frame {
  /** The object it came from, to notice when it turns up inside itself. */
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
 * The JSON text of any value.
 *
 * @throws OversizeError when the value is too much; whatever a getter, proxy or `toJSON` throws.
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
    if (stack.length >= MAX_DEPTH) throw tooDeep()
    out += opened.open
    depths.set(owner, stack.length)
    // Spelled out: a spread would cost ten times as much, and 100,000 levels are to be bearable.
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

/** What `toJSON` makes of a value; views and invalid dates, whose `toJSON` loses too much, are kept. */
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

function writePrimitive(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return writeNumber(value)
    case 'bigint':
      return value.toString()
    case 'symbol':
      return tagged('Symbol', String(value.description))
    case 'function':
      return tagged('Function', Function.prototype.toString.call(value))
    case 'boolean':
      return String(value)
    default:
      return 'null'
  }
}

function openPlain(value: object): Opened {
  const source = value as Readonly<Record<string | number, unknown>>
  if (Array.isArray(value)) return { source, keys: null, open: '[', close: ']' }
  return { source, keys: Object.keys(value), open: '{', close: '}' }
}
