/**
 * Checks of what callers hand over. Each throws a TypeError that names the argument, what was
 * expected, and what came.
 *
 * @module
 */

import { describe, reasonOf } from './describe.js'
import { MAX_TEXT } from './json-limits.js'

/** A string that is not too long for the engine. */
export function requireString(value: unknown, argument: string): asserts value is string {
  if (typeof value !== 'string') {
    throw new TypeError(`${argument} must be a string; got ${describe(value)}`)
  }
  if (value.length > MAX_TEXT) {
    throw new TypeError(`${argument} is longer than ${MAX_TEXT} characters`)
  }
}

/** A string, or nothing. */
export function requireOptionalString(
  value: unknown,
  argument: string,
): asserts value is string | undefined {
  if (value !== undefined) requireString(value, argument)
}

/** An object that is not an array. */
export function requireObject(value: unknown, argument: string): asserts value is object {
  if (typeof value !== 'object' || value === null || describe(value) === 'an array') {
    throw new TypeError(`${argument} must be an object; got ${describe(value)}`)
  }
}

/** Runs what reads a caller's object, whose getters may throw anything. */
export function reading<T>(argument: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new TypeError(`${argument} could not be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** The symbol that `using` looks for; older runtimes do not have it yet. */
export const DISPOSE: typeof Symbol.dispose =
  Symbol.dispose ?? /* @__PURE__ */ Symbol.for('Symbol.dispose')
