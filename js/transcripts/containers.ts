/**
 * Finds messages that are wrapped in objects of other programs: a thread's state, a saved task
 * result, a recorded request.
 *
 * @module
 */

import { asFields, type Fields, fieldsOf } from './data.js'

/** The names under which programs keep messages. */
const MESSAGES =
  /^(?:messages|internalMessages|history|chat_history|conversation|trajectory|transcript|traj|message_thread)$/
/** Objects deeper than this are not looked into. */
const MAX_DEPTH = 4
/** Objects that are looked into at most. */
const MAX_OBJECTS = 500

/** The keys that lead to a list. */
export type Path = readonly string[]

/** Returns the way to the nearest list of messages within a record that is as it should be. */
export function pathToMessages(record: unknown, isKnown: (list: Fields) => boolean): Path | null {
  const queue: { readonly held: Fields; readonly path: Path }[] = [
    { held: fieldsOf(record), path: [] },
  ]
  // The queue grows while it is gone through: the nearest come first.
  for (const { held, path } of queue) {
    for (const [key, value] of Object.entries(held)) {
      const here = [...path, key]
      if (MESSAGES.test(key) && isFilled(value) && isKnown({ messages: value })) return here
      const inner = asFields(value)
      if (inner && here.length <= MAX_DEPTH && queue.length < MAX_OBJECTS) {
        queue.push({ held: inner, path: here })
      }
    }
  }
  return null
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && asFields(value[0]) !== null
}

/**
 * Returns what a record has at the end of a path, as an object with `messages`, and with the
 * `response` to them that a log has beside the request.
 */
export function unwrap(record: unknown, path: Path): unknown {
  let value = record
  for (const key of path) value = fieldsOf(value)[key]
  const { response } = fieldsOf(record)
  return Array.isArray(value) ? { messages: value, response } : record
}
