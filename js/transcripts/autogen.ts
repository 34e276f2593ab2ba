/**
 * Reads messages and events of AutoGen. Each source is an agent; a message from a person belongs to
 * the agent that writes next.
 *
 * @module
 */

import { contentText, type Fields, fieldsOf, listOf, okUnless, wordOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'

const KEYS = ['messages', 'chat_history', 'message_thread']
/** Sources that stand for a person. */
const PERSON = /^(?:user|human|user_proxy|UserProxyAgent)$/i

/** The reader of AutoGen messages. */
export const autogenReader: TranscriptReader = {
  name: 'autogen',
  describes: 'autogen (messages with `source`, `models_usage`, `content` and a `type`)',
  keys: ['source', 'models_usage', 'content', 'type'],
  matches: (head) =>
    peek(head, KEYS).some(
      ({ source, type, models_usage }) =>
        typeof source === 'string' &&
        /(?:Event|Message)$/.test(wordOf(type)) &&
        models_usage !== undefined,
    ),
  *read(records, log) {
    for (const { items, agent: run } of runsOf(records, KEYS, log)) {
      let waiting: RawEvent[] = []
      let latest = run
      for (const message of objectsIn(items, log)) {
        const source = wordOf(message.source)
        const at = message.created_at
        if (PERSON.test(source)) {
          waiting.push({ t: 'user', text: contentText(message.content), at })
          continue
        }
        const agent = run === undefined ? source : `${run} ${source}`
        latest = agent
        for (const event of waiting) yield { ...event, agent }
        waiting = []
        for (const event of readMessage(message, at, log)) yield { ...event, agent }
      }
      // Nobody answered any more.
      for (const event of waiting) yield { ...event, agent: latest }
    }
  },
}

function* readMessage(message: Fields, at: unknown, log: ReadLog): Iterable<RawEvent> {
  const { type, content } = message
  if (type === 'ToolCallRequestEvent') {
    yield { t: 'turn', at }
    for (const { id, name, arguments: args } of listOf(content).map(fieldsOf)) {
      yield { t: 'call', id, name, args, at }
    }
  } else if (type === 'ToolCallExecutionEvent') {
    for (const item of listOf(content).map(fieldsOf)) {
      const { call_id: id, name, is_error, content: output } = item
      yield { t: 'result', id, name, ok: okUnless(is_error), output, at }
    }
  } else if (type === 'ThoughtEvent') {
    yield { t: 'chunk', text: content, channel: 'reasoning', at }
  } else if (type === 'ToolCallSummaryMessage' || /Event$/.test(wordOf(type))) {
    log.skipType(type)
  } else {
    yield { t: 'turn', at }
    yield { t: 'text', text: contentText(content), at }
  }
  yield { t: 'usage', usage: message.models_usage, at }
}
