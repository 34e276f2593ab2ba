/**
 * Reads lists of neutral events, which every reader produces and `examples/` uses.
 *
 * @module
 */

import type { AgentEvent, TextChannel } from 'loophound'
import { channelIndex, describe, TEXT_CHANNELS } from '../input/check.js'
import { asFields, type Fields } from './data.js'
import { peek, runsOf, type TranscriptReader } from './reader.js'

const KINDS = [
  'call',
  'result',
  'text',
  'chunk',
  'user',
  'turn',
  'compacted',
  'usage',
  'spawn',
] as const

/** The reader of neutral events. It is strict, so that those who write them learn of mistakes. */
export const eventsReader: TranscriptReader = {
  name: 'events',
  describes:
    'events (a list, an object with `events`, or JSON lines, where each item has `t`: ' +
    `${KINDS.map((kind) => `"${kind}"`).join(', ')})`,
  keys: ['t'],
  matches: (head) => {
    const [first] = peek(head.slice(0, 1), ['events'])
    return first ? typeof first.t === 'string' : Array.isArray(asFields(head[0])?.events)
  },
  *read(records, log) {
    for (const { items, agent } of runsOf(records, ['events'], log)) {
      for (const item of items) {
        const event = readEvent(item, `transcript: ${log.place}`)
        yield { t: 'checked', event: agent && !event.agent ? { ...event, agent } : event }
      }
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
  const where = `${place} (${kind})`
  const common = {
    at: optionalNumber(fields, 'at', where),
    agent: optional(fields, 'agent', where),
  }
  switch (kind) {
    case 'call':
      return {
        t: kind,
        name: required(fields, 'name', where),
        args: fields.args ?? undefined,
        id: optional(fields, 'id', where),
        providerExecuted: optionalFlag(fields, 'providerExecuted', where),
        neverRan: optionalFlag(fields, 'neverRan', where),
        turn: optionalNumber(fields, 'turn', where),
        ...common,
      }
    case 'result':
      return {
        t: kind,
        id: optional(fields, 'id', where),
        name: optional(fields, 'name', where),
        ok: optionalFlag(fields, 'ok', where),
        output: fields.output ?? undefined,
        exitCode: optionalNumber(fields, 'exitCode', where),
        denied: optionalFlag(fields, 'denied', where),
        ...common,
      }
    case 'text':
      return { t: kind, text: required(fields, 'text', where), ...common }
    case 'chunk':
      return {
        t: kind,
        text: required(fields, 'text', where),
        channel: channelOf(fields, where),
        ...common,
      }
    case 'user':
      return {
        t: kind,
        text: optional(fields, 'text', where),
        origin: originOf(fields, where),
        ...common,
      }
    case 'turn':
    case 'compacted':
      return { t: kind, ...common }
    case 'usage':
      return {
        t: kind,
        in: optionalNumber(fields, 'in', where),
        out: optionalNumber(fields, 'out', where),
        cacheRead: optionalNumber(fields, 'cacheRead', where),
        cacheWrite: optionalNumber(fields, 'cacheWrite', where),
        cost: optionalNumber(fields, 'cost', where),
        model: optional(fields, 'model', where),
        turn: optionalNumber(fields, 'turn', where),
        ...common,
      }
    case 'spawn':
      return {
        t: kind,
        id: optional(fields, 'id', where),
        child: required(fields, 'child', where),
        ...common,
      }
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

/** Reads an optional text. Transcripts from other languages have `null` for absent fields. */
function optional(fields: Fields, key: string, at: string): string | undefined {
  return fields[key] === undefined || fields[key] === null ? undefined : required(fields, key, at)
}

function optionalNumber(fields: Fields, key: string, at: string): number | undefined {
  const value = fields[key] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  const what = key === 'at' ? 'a time in milliseconds' : 'a number'
  throw new TypeError(`${at}: ${key} must be ${what}; got ${describe(value)}`)
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

function originOf(fields: Fields, at: string): 'person' | 'harness' | undefined {
  const origin = fields.origin ?? undefined
  if (origin === undefined || origin === 'person' || origin === 'harness') return origin
  throw new TypeError(`${at}: origin must be "person" or "harness"; got ${describe(origin)}`)
}
