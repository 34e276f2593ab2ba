/**
 * Reads LangChain messages in their three encodings: constructors (`lc`: 1), `{ type, data }`, and
 * flat ones.
 *
 * @module
 */

import { asFields, type Fields, fieldsOf, listOf, stringOf, wordOf } from './data.js'
import { readMessage } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'

const KEYS = ['internalMessages', 'messages', 'history']

/** The reader of LangChain messages. */
export const langchainReader: TranscriptReader = {
  name: 'langchain',
  describes: 'langchain (messages with `lc`: 1, or with `type`: "human", "ai", "tool")',
  keys: ['lc', 'type', 'kwargs'],
  matches: (head) => peek(head, KEYS).some((message) => isLangChain(message)),
  *read(records, log) {
    for (const { items, agent } of runsOf(records, KEYS, log)) {
      for (const message of objectsIn(items, log)) {
        for (const event of readLangChain(message, log)) yield { ...event, agent }
      }
    }
  },
}

/** Returns whether a value is a message in one of the three encodings. */
export function isLangChain(value: unknown): boolean {
  const message = fieldsOf(value)
  if (message.lc === 1) return true
  return (
    /^(?:ai|human|tool|function|(?:AI|Human|Tool|Function)Message(?:Chunk)?)$/.test(
      wordOf(message.type),
    ) &&
    (message.content !== undefined || asFields(message.data) !== null)
  )
}

/** Reads one message in any of the three encodings. */
export function* readLangChain(message: Fields, log: ReadLog): Iterable<RawEvent> {
  const body = fieldsOf(message.kwargs ?? message.data ?? message)
  const kind = stringOf(listOf(message.id).at(-1)) ?? wordOf(message.type)
  const role = roleOf(kind)
  const extra = fieldsOf(body.additional_kwargs)
  if (role === undefined) {
    log.skipType(kind)
    return
  }
  if (extra.hidden === true) {
    log.skip('hidden message')
    return
  }
  // The content repeats the calls, for the provider.
  const content = role === 'assistant' ? withoutCalls(body) : body.content
  const calls = listOf(body.tool_calls)
  yield* readMessage(
    {
      role,
      content: content ?? null,
      status: body.status,
      name: body.name,
      tool_call_id: body.tool_call_id,
      tool_calls: calls.length > 0 ? calls : extra.tool_calls,
      function_call: calls.length > 0 ? undefined : extra.function_call,
      reasoning_content: extra.reasoning_content,
    },
    log,
    { isHarness: () => typeof extra.lc_source === 'string' },
  )
  const metadata = fieldsOf(body.response_metadata)
  const usage = body.usage_metadata ?? metadata.token_usage ?? metadata.tokenUsage ?? metadata.usage
  yield { t: 'usage', usage, model: metadata.model_name ?? metadata.model ?? extra.model }
}

function roleOf(kind: string): string | undefined {
  if (/^(?:ai|AIMessage|AIMessageChunk)$/.test(kind)) return 'assistant'
  if (/^(?:human|HumanMessage|HumanMessageChunk)$/.test(kind)) return 'user'
  if (/^(?:tool|ToolMessage|ToolMessageChunk)$/.test(kind)) return 'tool'
  if (/^(?:function|FunctionMessage|FunctionMessageChunk)$/.test(kind)) return 'function'
  return /^(?:system|SystemMessage)$/.test(kind) ? 'system' : undefined
}

function withoutCalls(body: Fields): unknown {
  const { content } = body
  if (!Array.isArray(content) || listOf(body.tool_calls).length === 0) return content
  return content.filter(
    (part) => !/tool_use|tool_call|input_json/.test(wordOf(fieldsOf(part).type)),
  )
}
