/**
 * Checks the arguments of callers. Errors say which argument, what was expected, and what was
 * given.
 *
 * @module
 */

import type { TextChannel } from '../types.js'
import { MAX_TEXT, tagOf, tooLong } from './json-writer.js'

const LONGEST_QUOTE = 40

/** Makes the error for a value that is not what an argument must be. */
export function wrong(
  argument: string,
  expected: string,
  value: unknown,
  Kind: new (message: string) => Error = TypeError,
): Error {
  return new Kind(`${argument} must be ${expected}; got ${describe(value)}`)
}

/** Requires a string that is not too long for the engine. */
export function requireString(value: unknown, argument: string): asserts value is string {
  if (typeof value !== 'string') throw wrong(argument, 'a string', value)
  if (value.length > MAX_TEXT) throw new TypeError(`${argument} ${tooLong().message}`)
}

/** The channels of streamed text, in the engine's order. */
export const TEXT_CHANNELS: readonly TextChannel[] = ['text', 'reasoning', 'arguments']

/** Returns the index of a channel in {@link TEXT_CHANNELS}; throws for anything else. */
export function channelIndex(channel: unknown, argument: string): number {
  const index = TEXT_CHANNELS.indexOf(channel as TextChannel)
  if (index >= 0) return index
  throw wrong(argument, '"text", "reasoning" or "arguments"', channel)
}

/** Requires a string or `undefined`. */
export function requireOptionalString(
  value: unknown,
  argument: string,
): asserts value is string | undefined {
  if (value !== undefined) requireString(value, argument)
}

/** Requires an object that is not an array. */
export function requireObject(value: unknown, argument: string): asserts value is object {
  if (typeof value !== 'object' || value === null || describe(value) === 'an array') {
    throw wrong(argument, 'an object', value)
  }
}

/** Requires an object that is no instance of a built-in type. */
export function requirePlainObject(
  value: unknown,
  argument: string,
  expected = 'an object',
): asserts value is Readonly<Record<string, unknown>> {
  if (describe(value) !== 'an object') throw wrong(argument, expected, value)
}

/** Requires a whole number from 1 to `most`. */
export function requireCount(
  value: unknown,
  argument: string,
  most: number,
): asserts value is number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return
  const Kind = typeof value === 'number' ? RangeError : TypeError
  throw wrong(argument, `a whole number from 1 to ${most}`, value, Kind)
}

/** Requires an array of calls. */
export function requireCalls(value: unknown, argument: string): asserts value is unknown[] {
  if (describe(value) !== 'an array') throw wrong(argument, 'an array of calls', value)
}

/** Runs a function that reads a caller's object, whose getters may throw anything. */
export function reading<T>(argument: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw because(`${argument} could not be read`, error)
  }
}

/** Makes the error for something of the caller's that threw. */
export function because(problem: string, cause: unknown): TypeError {
  return new TypeError(`${problem}: ${reasonOf(cause)}`, { cause })
}

/** Describes any value in a few words; never throws. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(
        value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value,
      )
    case 'bigint':
    case 'symbol':
    case 'function':
      return `a ${typeof value}`
    case 'object':
      return describeObject(value)
    default:
      return String(value)
  }
}

function describeObject(value: object | null): string {
  if (value === null) return 'null'
  try {
    if (Array.isArray(value)) return 'an array'
    const tag = tagOf(value)
    if (tag === 'Object') return 'an object'
    return /^[AEIOU]/.test(tag) ? `an ${tag}` : `a ${tag}`
  } catch {
    // A revoked proxy, or one whose traps throw.
    return 'an object that cannot be looked at'
  }
}

/** Returns the message of whatever was thrown; never throws itself. */
export function reasonOf(thrown: unknown): string {
  try {
    // The message of an error can be of any type, too.
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'something that cannot be shown'
  }
}

/**
 * Lets `using` free an object where there is no `Symbol.dispose` yet: what compilers make of
 * `using` looks for this symbol then. (Not a computed name of a method: bundlers would have to keep
 * the class.)
 */
export function supportUsing(owner: { free(): void }): void {
  if (Symbol.dispose) return
  Object.defineProperty(owner, Symbol.for('Symbol.dispose'), { value: () => owner.free() })
}
