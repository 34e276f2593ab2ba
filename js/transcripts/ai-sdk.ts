/**
 * Reads messages of the AI SDK: `UIMessage`, where a call and its result are one part, and
 * `ModelMessage`, where they are messages of their own.
 *
 * @module
 */

import { hasParts } from './anthropic.js'
import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  outputOf,
  stringOf,
  typeOf,
} from './data.js'
import { readMessages } from './messages.js'
import { MESSAGE_KEYS } from './openai-chat.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'
import { readSteps } from './steps.js'

/** The reader of model messages. */
export const aiSdkModelReader: TranscriptReader = {
  name: 'ai-sdk-model',
  describes: 'ai-sdk-model (messages whose content has `tool-call` and `tool-result` parts)',
  keys: ['role', 'content', 'toolCallId', 'toolName'],
  matches: (head) => hasParts(head, /^tool-(?:call|result)$/) || head.some(isStep),
  *read(records, log) {
    for (const { items, agent } of runsOf(messagesIn(records), MESSAGE_KEYS, log)) {
      for (const event of readMessages(items, log)) yield { ...event, agent }
    }
  },
}

/** Returns whether a record is one of the `steps` of what `generateText()` returns. */
function isStep(record: unknown): boolean {
  const { finishReason, response } = fieldsOf(record)
  return typeof finishReason === 'string' && Array.isArray(fieldsOf(response).messages)
}

/** Returns the messages of steps, with their usage; other records stay as they are. */
function* messagesIn(records: Iterable<unknown>): Iterable<unknown> {
  let first: string | undefined
  let count = 0
  for (const record of records) {
    if (!isStep(record)) {
      yield record
      continue
    }
    const { usage, response } = fieldsOf(record)
    const { messages, modelId: model, timestamp } = fieldsOf(response)
    const list = listOf(messages)
    // Some versions repeat the messages of earlier steps.
    const start = JSON.stringify(list[0])
    const added = list.slice(start === first ? count : 0).map(fieldsOf)
    first = start
    count = list.length
    for (const message of added) {
      yield { timestamp, ...message, ...(message.role === 'assistant' && { usage, model }) }
    }
  }
}

/** The reader of UI messages. */
export const aiSdkUiReader: TranscriptReader = {
  name: 'ai-sdk-ui',
  describes: 'ai-sdk-ui (messages with `role` and `parts`, each part with a `type`)',
  keys: ['role', 'parts'],
  matches: (head) =>
    peek(head, MESSAGE_KEYS).some(
      ({ role, parts, toolInvocations }) =>
        typeof role === 'string' &&
        (Array.isArray(toolInvocations) || listOf(parts).some((part) => typeOf(part))),
    ),
  *read(records, log) {
    for (const { items, agent } of runsOf(records, MESSAGE_KEYS, log)) {
      for (const message of objectsIn(items, log)) {
        for (const event of readUiMessage(message, log)) yield { ...event, agent }
      }
    }
  },
}

/** Older messages have a text and a list of calls in place of parts. */
function partsOf(message: Fields): readonly unknown[] {
  if (Array.isArray(message.parts)) return message.parts
  const calls = listOf(message.toolInvocations).map((call) => ({
    type: 'tool-invocation',
    toolInvocation: call,
  }))
  return message.content ? [...calls, { type: 'text', text: message.content }] : calls
}

function* readUiMessage(message: Fields, log: ReadLog): Iterable<RawEvent> {
  const { role } = message
  const at = message.createdAt ?? fieldsOf(message.metadata).createdAt
  const parts = partsOf(message).map(fieldsOf)
  if (role === 'user') {
    yield { t: 'user', text: contentText(parts), at }
    return
  }
  if (role !== 'assistant') {
    log.skip(`${stringOf(role) ?? 'unknown'} message`)
    return
  }
  yield* readSteps(parts, at, log, (part, type) => {
    if (type === 'tool-invocation') return readInvocation(part, at)
    const isTool = type.startsWith('tool-') || type === 'dynamic-tool'
    if (!isTool || part.state === 'input-streaming') return null
    const name = part.toolName ?? type.slice('tool-'.length)
    const providerExecuted = part.providerExecuted === true
    const { toolCallId: id } = part
    // What could not be parsed is kept as it was written.
    const args = part.input ?? part.rawInput
    return [{ t: 'call', name, id, args, at, providerExecuted }, ...resultOf(part, at)]
  })
  // Metadata are the app's own; these are the names in the SDK's examples.
  const { totalUsage, usage, model } = fieldsOf(message.metadata)
  yield { t: 'usage', usage: totalUsage ?? usage, model, at }
}

/** Version 4 had one type of part for all tools, and no mark of failure. */
function readInvocation(part: Fields, at: unknown): RawEvent[] | null {
  const call = asFields(part.toolInvocation) ?? part
  const { state, toolCallId: id, toolName: name, result } = call
  if (state === 'partial-call') return null
  const events: RawEvent[] = [{ t: 'call', name, id, args: call.args ?? call.input, at }]
  if (state === 'result') events.push({ t: 'result', id, output: outputOf(result), at })
  return events
}

function resultOf(part: Fields, at: unknown): RawEvent[] {
  const { state, toolCallId: id } = part
  if (state === 'output-denied') {
    const output = fieldsOf(part.approval).reason
    return [{ t: 'result', id, ok: false, denied: true, output, at }]
  }
  if (state === 'output-error') {
    return [{ t: 'result', id, ok: false, output: part.errorText, at }]
  }
  if (state !== 'output-available' || part.preliminary === true) return []
  return [{ t: 'result', id, ok: true, output: outputOf(part.output), at }]
}
