/**
 * Reads sessions of pi. Entries form a tree; only the branch that ends in the last line counts, so
 * a session with a tree is held in memory until its end.
 *
 * @module
 */

import { contentText, type Fields, fieldsOf, listOf, okUnless, wordOf } from './data.js'
import { readMessage } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

/** The reader of pi sessions. */
export const piReader: TranscriptReader = {
  name: 'pi',
  describes: 'pi (JSON lines; the first has `type`: "session" and a `cwd`)',
  keys: ['type', 'cwd', 'message'],
  matches: (head) =>
    peek(head).some(({ type, cwd }) => type === 'session' && typeof cwd === 'string'),
  *read(records, log) {
    for (const entry of branch(objectsIn(records, log), log)) yield* readEntry(entry, log)
  },
}

/**
 * Returns the entries of the last branch. Version 1 has no tree: its entries are passed on
 * directly.
 */
function* branch(records: Iterable<Fields>, log: ReadLog): Iterable<Fields> {
  const entries = new Map<unknown, Fields>()
  let last: Fields | undefined
  for (const record of records) {
    if (record.id === undefined || record.type === 'session') {
      yield record
      continue
    }
    entries.set(record.id, record)
    last = record
  }
  const found = new Set<Fields>()
  for (let entry = last; entry && !found.has(entry); entry = entries.get(entry.parentId)) {
    found.add(entry)
  }
  for (const entry of entries.values()) {
    if (found.has(entry)) yield entry
    else log.skip('entry of another branch')
  }
}

function* readEntry(entry: Fields, log: ReadLog): Iterable<RawEvent> {
  const { type } = entry
  const message = fieldsOf(entry.message)
  const at = entry.timestamp ?? message.timestamp
  const { role } = message
  // What `pi --mode json` prints has other names.
  if (type !== 'message' && type !== 'message_end') {
    if (type === 'compaction') yield { t: 'compacted', at }
    else log.skipType(type)
    // Summaries and keeping a cache warm are paid for as well.
    yield usageIn(entry, at)
  } else if (role === 'toolResult') {
    yield readResult(message, at)
    // A program that the model wrote made these, not the model.
    for (const _ of listOf(fieldsOf(message.nestedCalls).calls)) log.skip('call that a tool made')
    yield usageIn(message, at)
  } else if (role === 'bashExecution') log.skip('command of the person')
  else if (role !== 'user' && role !== 'assistant') log.skip(`${wordOf(role)} message`)
  else {
    // pi runs no call of a response that broke off.
    const neverRan = /^(?:error|aborted)$/.test(wordOf(message.stopReason))
    for (const event of readMessage({ ...message, timestamp: at }, log)) {
      yield event.t === 'call' ? { ...event, neverRan } : event
    }
    if (role === 'assistant') yield usageIn(message, at)
  }
}

function usageIn({ usage, model }: Fields, at: unknown): RawEvent {
  return { t: 'usage', usage, cost: fieldsOf(fieldsOf(usage).cost).total, model, at }
}

function readResult(message: Fields, at: unknown): RawEvent {
  const { toolCallId: id, toolName: name, isError } = message
  return { t: 'result', id, name, ok: okUnless(isError), output: contentText(message.content), at }
}
