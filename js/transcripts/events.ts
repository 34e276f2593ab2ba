/**
 * Reads the neutral event list: what `examples/` is written in, and what every reader produces.
 *
 * @module
 */

import { channelIndex, describe, TEXT_CHANNELS } from '../input/check.js'
import type { AgentEvent, TextChannel } from '../types.js'
import {
  asFields,
  type Fields,
  listOf,
  requireList,
  startsWith,
  type TranscriptReader,
} from './reader.js'

const KINDS = ['call', 'result', 'text', 'chunk', 'user', 'turn', 'compacted'] as const

/** The reader of neutral events. */
export const eventsReader: TranscriptReader = {
  name: 'events',
  describes:
    'events (a list, an object with `events`, or JSON lines, where each item has `t`: ' +
    `${KINDS.map((kind) => `"${kind}"`).join(', ')})`,
  matches: (input) => startsWith(listOf(input, 'events'), 't'),
  *read(input) {
    for (const [index, item] of requireList(input, 'events', eventsReader).entries()) {
      yield readEvent(item, `transcript: ${input.place(index)}`)
    }
  },
}

/**
 * Reads one event, field by field.
 *
 * @param place Where it is, for error messages.
 */
export function readEvent(item: unknown, place: string): AgentEvent {
  const fields = asFields(item)
  if (!fields) throw new TypeError(`${place} must be an event; got ${describe(item)}`)
  const kind = KINDS.find((known) => known === fields.t)
  const at = `${place} (${kind})`
  switch (kind) {
    case 'call':
      return {
        t: kind,
        name: required(fields, 'name', at),
        args: fields.args ?? undefined,
        id: optional(fields, 'id', at),
        at: optionalTime(fields, at),
      }
    case 'result':
      return {
        t: kind,
        id: optional(fields, 'id', at),
        name: optional(fields, 'name', at),
        ok: optionalFlag(fields, 'ok', at),
        output: fields.output ?? undefined,
        at: optionalTime(fields, at),
      }
    case 'text':
      return { t: kind, text: required(fields, 'text', at) }
    case 'chunk':
      return { t: kind, text: required(fields, 'text', at), channel: channelOf(fields, at) }
    case 'user':
      return { t: kind, text: optional(fields, 'text', at) }
    case 'turn':
    case 'compacted':
      return { t: kind }
    default:
      throw new TypeError(
        `${place} must have a \`t\` that is one of ${KINDS.join(', ')}; got ${describe(fields.t)}`,
      )
  }
}

function required(fields: Fields, key: string, at: string): string {
  const value = fields[key]
  if (typeof value === 'string') return value
  throw new TypeError(`${at}: ${key} must be a string; got ${describe(value)}`)
}

/** Transcripts written by other languages have `null` for what is absent. */
function optional(fields: Fields, key: string, at: string): string | undefined {
  return fields[key] === undefined || fields[key] === null ? undefined : required(fields, key, at)
}

function optionalTime(fields: Fields, at: string): number | undefined {
  const value = fields.at ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new TypeError(`${at}: at must be a time in milliseconds; got ${describe(value)}`)
}

function optionalFlag(fields: Fields, key: string, at: string): boolean | undefined {
  const value = fields[key] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw new TypeError(`${at}: ${key} must be true or false; got ${describe(value)}`)
}

function channelOf(fields: Fields, at: string): TextChannel {
  const index = channelIndex(fields.channel ?? 'text', `${at}: channel`)
  return TEXT_CHANNELS[index] ?? 'text'
}
