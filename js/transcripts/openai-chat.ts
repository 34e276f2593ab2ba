/**
 * Reads OpenAI chat messages, as the Chat Completions API takes and returns them, and as many other
 * providers write them. This format does not mark failures.
 *
 * @module
 */

import { fieldsOf, listOf, wordOf } from './data.js'
import { readMessage, readMessages } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { peek, type ReadLog, type Run, runsOf, type TranscriptReader } from './reader.js'

/** The keys under which messages are kept. */
export const MESSAGE_KEYS = ['messages', 'traj', 'conversation', 'conversations']

/** Why usage is left out: the tokens of one response would look like those of the whole run. */
export const LAST_USAGE = 'usage of the last response alone'

/** The reader of OpenAI chat messages. */
export const openAiChatReader: TranscriptReader = {
  name: 'openai-chat',
  describes:
    'openai-chat (a list of messages, an object with `messages`, or JSON lines, ' +
    'where each message has `role`: "system", "developer", "user", "assistant", "tool", "function")',
  keys: ['role', 'content'],
  matches: (head) => {
    const [first] = peek(head.slice(0, 1), MESSAGE_KEYS)
    return first ? typeof first.role === 'string' : Array.isArray(fieldsOf(head[0]).messages)
  },
  *read(records, log) {
    for (const run of runsOf(records, MESSAGE_KEYS, log)) {
      for (const event of readRun(run, log)) yield { ...event, agent: run.agent }
    }
  },
}

/** Returns whether records certainly are messages of a chat: other data may have a `role` as well. */
export function isChat(records: readonly unknown[]): boolean {
  const [first] = peek(records.slice(0, 1), MESSAGE_KEYS)
  const { role, content, tool_calls: calls } = fieldsOf(first)
  const isRole = /^(?:system|developer|user|assistant)$/.test(wordOf(role))
  return isRole && (content !== undefined || calls !== undefined)
}

/** Reads the messages of a run, and the answer that some logs store next to them. */
function* readRun({ items, container }: Run, log: ReadLog): Iterable<RawEvent> {
  yield* readMessages(items, log)
  const response = fieldsOf(container.response)
  const [choice] = listOf(response.choices)
  if (choice === undefined) return
  if (response.usage) log.skip(LAST_USAGE)
  yield* readMessage(fieldsOf(choice).message, log)
}
