/**
 * Finds a transcript that is wrapped in objects of other programs: a thread's state, a saved task
 * result, a recorded request, an answer of an API, a list of sessions.
 *
 * @module
 */

import type { TranscriptFormat } from 'loophound'
import { asFields, fieldsOf } from './data.js'
import { isChat } from './openai-chat.js'

/** The names under which programs keep messages. */
const MESSAGES =
  /^(?:messages|internalMessages|history|chat_history|conversation|trajectory|transcript|traj|message_thread)$/
/** Messages under a usual name are looked for in objects this deep. */
const MAX_DEPTH = 4
/** Anything else is looked for in objects this deep, */
const MAX_DEPTH_OTHERS = 1
/** and only in so many places, because every reader is asked about each. */
const MAX_PLACES = 32
/** Objects that are looked into at most. */
const MAX_OBJECTS = 500
/** How many items of a list are used to recognise a format. */
const HEAD = 64

/** The way to a transcript: the keys that lead to it, and whether it is a list of messages. */
export interface Way {
  readonly path: readonly string[]
  readonly isMessages: boolean
}

/** Returns the format of records, if it is known. */
export type FormatOf = (records: readonly unknown[]) => TranscriptFormat | undefined

/** Returns the way to the nearest transcript within a record. */
export function wayToTranscript(record: unknown, formatOf: FormatOf): Way | null {
  // Anything may have a `role`.
  const certainFormatOf: FormatOf = (records) => {
    const format = formatOf(records)
    return format === 'openai-chat' && !isChat(records) ? undefined : format
  }
  const queue: { readonly held: unknown; readonly path: readonly string[] }[] = [
    { held: record, path: [] },
  ]
  // The queue grows while it is gone through: the nearest come first.
  for (const [index, { held, path }] of queue.entries()) {
    const isNamed = MESSAGES.test(path.at(-1) ?? '')
    const isNear = path.length <= MAX_DEPTH_OTHERS + 1 && index < MAX_PLACES
    const [list] = listsIn(held)
    const messages = [{ messages: list }]
    if (list && (isNamed ? formatOf(messages) : isNear && certainFormatOf(messages))) {
      return { path, isMessages: true }
    }
    const format = isNear ? certainFormatOf(list ? list.slice(0, HEAD) : [held]) : undefined
    // A chat is found by its list of messages, because a response may stand beside it.
    if (format && (list || format !== 'openai-chat')) return { path, isMessages: false }
    if (path.length > MAX_DEPTH) continue
    for (const [key, value] of Object.entries(fieldsOf(held))) {
      if (queue.length >= MAX_OBJECTS) break
      if (asFields(value) || isFilled(value)) queue.push({ held: value, path: [...path, key] })
    }
  }
  return null
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null
}

/** Returns a list of objects, or the lists of objects that a list consists of. */
function listsIn(value: unknown): readonly (readonly unknown[])[] {
  if (!isFilled(value)) return []
  return Array.isArray(value[0]) ? value.filter(isFilled) : [value]
}

/**
 * Returns what a record has at the end of a way: records, or an object with `messages` and with the
 * `response` to them that a log has beside the request.
 */
export function unwrap(record: unknown, { path, isMessages }: Way): readonly unknown[] {
  let value = record
  for (const key of path) value = fieldsOf(value)[key]
  const lists = listsIn(value)
  if (!isMessages) return lists.length > 0 ? lists.flat() : [value]
  const { response } = fieldsOf(record)
  return lists.length > 0 ? lists.map((messages) => ({ messages, response })) : [record]
}
