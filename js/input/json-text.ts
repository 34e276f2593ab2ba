/**
 * Turns any JavaScript value into JSON text, for the engine to fingerprint.
 *
 * `JSON.stringify` writes plain data. The value is first checked for anything that it would lose,
 * refuse or fail on; if there is any, the slower writer in `json-writer.ts` is used.
 *
 * @module
 */

import { because } from './check.js'
import {
  MAX_TEXT,
  MAX_VALUES,
  tooLong,
  tooManyValues,
  UnwritableError,
  writeJson,
} from './json-writer.js'

/**
 * Deeper values go to the writer that does not recurse. This also catches cycles, which are
 * infinitely deep.
 */
const FAST_DEPTH = 64

// The rest of the limits in the current check. Kept here so that the hot path allocates
// nothing.
let values = 0
let characters = 0

/**
 * Returns the JSON text of a value; a string is returned as it is, as JSON or raw text.
 *
 * @param value What to write.
 * @param argument How the caller names the value, for the error message.
 * @throws TypeError when the value is too large, when its content cannot be read, or when reading it
 * throws.
 */
export function toText(value: unknown, argument: string): string {
  try {
    const text = typeof value === 'string' ? value : stringify(value)
    if (text.length > MAX_TEXT) throw tooLong()
    return text
  } catch (error) {
    if (error instanceof UnwritableError) throw new TypeError(`${argument} ${error.message}`)
    throw because(`${argument} could not be read`, error)
  }
}

function stringify(value: unknown): string {
  values = MAX_VALUES
  characters = MAX_TEXT
  if (!isPlainJson(value, FAST_DEPTH)) return writeJson(value)
  try {
    return JSON.stringify(value)
  } catch {
    // A getter returned something else the second time; the writer reads everything only
    // once.
    return writeJson(value)
  }
}

/** Checks that `JSON.stringify` keeps all of the value, except `undefined`, which it may drop. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (--values < 0) throw tooManyValues()
  switch (typeof value) {
    case 'string':
      countCharacters(value)
      return true
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || (depth > 0 && isPlainContainer(value, depth))
    default:
      return false
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) {
    return isPlainObject(value as Record<string, unknown>, depth)
  }
  return prototype === Array.prototype && Array.isArray(value) && isPlainArray(value, depth)
}

function isPlainArray(list: readonly unknown[], depth: number): boolean {
  for (let i = 0; i < list.length; i++) {
    const value = list[i]
    // Holes and `undefined` become `null`, as in JSON.
    if (!isPlainJson(value === undefined ? null : value, depth - 1)) return false
  }
  return true
}

function isPlainObject(object: Readonly<Record<string, unknown>>, depth: number): boolean {
  for (const key in object) {
    countCharacters(key)
    const value = object[key]
    if (value !== undefined && !isPlainJson(value, depth - 1)) return false
  }
  return true
}

function countCharacters(text: string): void {
  characters -= text.length
  if (characters < 0) throw tooLong()
}
