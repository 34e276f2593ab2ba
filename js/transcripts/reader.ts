/**
 * What a transcript reader is, and what readers share.
 *
 * A new format is one new module that exports a {@link TranscriptReader}, and its name in the list
 * in `formats.ts`.
 *
 * @module
 */

import { describe } from '../input/check.js'
import type { AgentEvent, TranscriptFormat } from '../types.js'

/** A transcript, parsed if it was text. */
export interface TranscriptInput {
  /** The transcript as data. */
  readonly value: unknown
  /** Names the place of an item in error messages: "line 3" of JSON lines, "item 2" of a list. */
  place(index: number): string
}

/** Turns one transcript format into neutral events. */
export interface TranscriptReader {
  /** The format's name. */
  readonly name: TranscriptFormat
  /** What a transcript in this format looks like, for error messages. */
  readonly describes: string
  /** Tells whether the input seems to be in this format, by its first item. */
  matches(input: TranscriptInput): boolean
  /**
   * Returns the events of the transcript, in order.
   *
   * @throws TypeError naming the place of what cannot be read.
   */
  read(input: TranscriptInput): Iterable<AgentEvent>
}

/** An object whose properties may be read. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the value if it is an object and not an array, else `null`. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null
}

/** Returns the list a transcript consists of: the value itself, or its property `key`. */
export function listOf(input: TranscriptInput, key: string): readonly unknown[] | null {
  if (Array.isArray(input.value)) return input.value
  const held = asFields(input.value)?.[key]
  return Array.isArray(held) ? held : null
}

/** Tells whether the first item has a text as `key`. An empty list matches. */
export function startsWith(list: readonly unknown[] | null, key: string): boolean {
  if (list === null) return false
  return list.length === 0 || typeof asFields(list[0])?.[key] === 'string'
}

/** Returns the list to read, or throws that there is none. */
export function requireList(
  input: TranscriptInput,
  key: string,
  reader: TranscriptReader,
): readonly unknown[] {
  const list = listOf(input, key)
  if (list) return list
  throw new TypeError(`transcript: looked for ${reader.describes}; found ${describeInput(input)}`)
}

/** Describes a transcript in a few words. */
export function describeInput(input: TranscriptInput): string {
  const { value } = input
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty list'
    const first = asFields(value[0])
    return `a list whose ${input.place(0)} is ${first ? describeFields(first) : describe(value[0])}`
  }
  const fields = asFields(value)
  return fields ? describeFields(fields) : describe(value)
}

function describeFields(fields: Fields): string {
  const keys = Object.keys(fields)
  if (keys.length === 0) return 'an empty object'
  const shown = keys.slice(0, 6).map((key) => (key.length > 30 ? `${key.slice(0, 30)}…` : key))
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`
}
