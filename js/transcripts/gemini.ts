/**
 * Reads chats of gemini-cli and of qwen-code, a fork that now writes its own format.
 *
 * gemini-cli rewrites and removes messages, so its chats are held in memory until their end. What it
 * prints as `stream-json` is read as well.
 *
 * @module
 */

import { asFields, contentText, type Fields, fieldsOf, listOf, stringOf, wordOf } from './data.js'
import { isPrinted, PrintedEvents } from './gemini-stream.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

/** Texts that the program itself sends as the user. */
const INJECTED = /^\s*(?:<session_context>|This is the (?:Gemini CLI|Qwen Code)\.|<hook_context>)/

/** The reader of gemini-cli chats. */
export const geminiReader: TranscriptReader = {
  name: 'gemini-cli',
  describes:
    'gemini-cli (`sessionId` and `projectHash`, then messages with `type`: "user", "gemini")',
  keys: ['sessionId', 'projectHash', 'messages'],
  matches: (head) =>
    peek(head).some(({ sessionId, projectHash }) => Boolean(sessionId && projectHash)) ||
    peek(head).some(isPrinted) ||
    peek(head, CONTENTS).some(isContent),
  *read(records, log) {
    const messages = new Map<unknown, Fields>()
    let agent: string | undefined
    let printed: PrintedEvents | undefined
    for (const record of objectsIn(records, log)) {
      if (isPrinted(record)) printed ??= new PrintedEvents(log)
      if (printed) {
        yield* printed.read(record)
        continue
      }
      const contents = isContent(record)
        ? [record]
        : CONTENTS.map((key) => record[key]).find(Array.isArray)
      if (contents) {
        for (const content of objectsIn(contents, log)) yield* readContent(content)
        continue
      }
      if (record.kind === 'subagent') {
        agent = stringOf(record.sessionId)
        if (agent) log.agent(agent, {})
      }
      update(messages, record, log)
    }
    if (printed) yield* printed.end()
    for (const message of messages.values()) {
      for (const event of readMessage(message, log)) yield { ...event, agent }
    }
  },
}

/** Applies a line to the chat: a message, a newer version of one, or a change of the whole chat. */
function update(messages: Map<unknown, Fields>, record: Fields, log: ReadLog): void {
  const set = fieldsOf(record.$set)
  const list = set.messages ?? record.messages
  if (Array.isArray(list)) {
    messages.clear()
    for (const message of objectsIn(list, log)) messages.set(message.id ?? message, message)
  } else if (record.$rewindTo !== undefined) {
    const ids = [...messages.keys()]
    const from = ids.indexOf(record.$rewindTo)
    for (const id of from < 0 ? [] : ids.slice(from)) messages.delete(id)
    log.skip('taken back by a rewind')
  } else if (typeof record.type === 'string') {
    messages.set(record.id ?? record, record)
  } else if (!record.projectHash) log.skipType(Object.keys(record)[0])
}

function* readMessage(message: Fields, log: ReadLog): Iterable<RawEvent> {
  const { type, timestamp: at, model } = message
  const text = contentText(message.content)
  if (type === 'user') {
    if (isResponse(message.content)) {
      log.skip('results that calls have as well')
      return
    }
    yield { t: 'user', text, at, origin: INJECTED.test(text) ? 'harness' : undefined }
    return
  }
  if (type !== 'gemini' && type !== 'qwen' && type !== 'model') {
    log.skipType(type)
    return
  }
  const calls = listOf(message.toolCalls).map(fieldsOf)
  yield { t: 'turn', at }
  for (const thought of listOf(message.thoughts).map(fieldsOf)) {
    const words = [thought.subject, thought.description].filter((word) => typeof word === 'string')
    yield { t: 'chunk', text: words.join('\n'), channel: 'reasoning', at }
  }
  if (text || calls.length === 0) yield { t: 'text', text, at }
  for (const { id, name, args, timestamp, agentId } of calls) {
    yield { t: 'call', id, name, args, at: timestamp ?? at }
    if (agentId) yield { t: 'spawn', id, child: agentId, at: timestamp ?? at }
  }
  for (const call of calls) yield* resultOf(call, at)
  yield { t: 'usage', usage: message.tokens, model, at }
}

function isResponse(content: unknown): boolean {
  const parts = listOf(content)
  return parts.length > 0 && parts.every((part) => 'functionResponse' in fieldsOf(part))
}

function* resultOf(call: Fields, at: unknown): Iterable<RawEvent> {
  const { id, status } = call
  const isOver = status === 'success' || status === 'error' || status === 'cancelled'
  const result = call.result ?? call.resultDisplay
  if (!isOver && (result === undefined || result === null)) return
  const ok = status === 'success' ? true : isOver ? false : undefined
  yield { t: 'result', id, ok, denied: status === 'cancelled', output: responseText(result), at }
}

/** Returns the text of function responses, or of any other content. */
function responseText(result: unknown): unknown {
  const responses = (Array.isArray(result) ? result : [result]).map((part) => {
    const response = asFields(fieldsOf(fieldsOf(part).functionResponse).response)
    if (!response) return contentText(part)
    const text = response.output ?? response.error
    return typeof text === 'string' ? text : JSON.stringify(text ?? response)
  })
  return responses.join('')
}

/** Where checkpoints and requests of the Gemini API keep their contents. */
const CONTENTS = ['history', 'contents']

/** Returns whether a record is a content of the Gemini API, as checkpoints keep them. */
function isContent({ role, parts }: Fields): boolean {
  if (role !== 'user' && role !== 'model' && role !== 'function') return false
  const all = listOf(parts).map(fieldsOf)
  const isPart = (part: Fields) => PART_KEYS.some((key) => key in part)
  // Parts of other formats have a type or a kind.
  return all.some(isPart) && !all.some((part) => 'type' in part || 'kind' in part)
}

const PART_KEYS = ['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData']

function* readContent({ role, parts }: Fields): Iterable<RawEvent> {
  const all = listOf(parts).map(fieldsOf)
  const calls = all.map((part) => asFields(part.functionCall)).filter((call) => call !== null)
  const responses = all
    .map((part) => asFields(part.functionResponse))
    .filter((response) => response !== null)
  const texts = all.filter((part) => !part.functionCall && !part.functionResponse)
  const text = contentText(texts.filter((part) => part.thought !== true))
  if (role === 'model') {
    yield { t: 'turn' }
    const thoughts = contentText(texts.filter((part) => part.thought === true))
    yield { t: 'chunk', text: thoughts, channel: 'reasoning' }
    if (text || calls.length === 0) yield { t: 'text', text }
    for (const { id, name, args } of calls) yield { t: 'call', id, name, args }
    return
  }
  for (const { id, name, response } of responses) {
    const { error } = fieldsOf(response)
    const output = responseText([{ functionResponse: { response } }])
    yield { t: 'result', id, name, ok: error === undefined ? undefined : false, output }
  }
  if (responses.length > 0 && texts.length === 0) return
  yield { t: 'user', text, origin: INJECTED.test(text) ? 'harness' : undefined }
}

/** The reader of qwen-code chats. */
export const qwenReader: TranscriptReader = {
  name: 'qwen-code',
  describes: 'qwen-code (JSON lines with `uuid`, `sessionId`, `type` and a `message` with `parts`)',
  keys: ['uuid', 'parentUuid', 'sessionId', 'parts'],
  matches: (head) =>
    peek(head).some(({ uuid, message }) => uuid && Array.isArray(fieldsOf(message).parts)),
  *read(records, log) {
    for (const record of objectsIn(records, log)) yield* readRecord(record, log)
  },
}

function* readRecord(record: Fields, log: ReadLog): Iterable<RawEvent> {
  const { type, subtype, timestamp: at, model } = record
  const parts = listOf(fieldsOf(record.message).parts).map(fieldsOf)
  const spoken = parts.filter((part) => part.thought !== true && !part.functionCall)
  const text = contentText(spoken)
  if (type === 'user') {
    const isPerson = subtype === undefined || subtype === 'mid_turn_user_message'
    const isHarness = !isPerson || INJECTED.test(text)
    yield { t: 'user', text, at, origin: isHarness ? 'harness' : undefined }
  } else if (type === 'assistant') {
    const calls = parts.map((part) => asFields(part.functionCall)).filter((call) => call !== null)
    yield { t: 'turn', at }
    const thoughts = contentText(parts.filter((part) => part.thought === true))
    yield { t: 'chunk', text: thoughts, channel: 'reasoning', at }
    if (text || calls.length === 0) yield { t: 'text', text, at }
    for (const { id, name, args } of calls) yield { t: 'call', id, name, args, at }
    yield { t: 'usage', usage: record.usageMetadata, model, at }
  } else if (type === 'tool_result') {
    const info = fieldsOf(record.toolCallResult)
    for (const part of parts) {
      const response = fieldsOf(part.functionResponse)
      const { status } = info
      const isFailed = status === 'error' || fieldsOf(response.response).error !== undefined
      const denied = status === 'cancelled'
      const ok = isFailed || denied ? false : status === 'success' ? true : undefined
      const id = response.id ?? info.callId
      yield { t: 'result', id, name: response.name, ok, denied, output: responseText(part), at }
    }
  } else if (subtype === 'chat_compression') {
    yield { t: 'compacted', at }
  } else log.skipType(`${wordOf(type)} ${wordOf(subtype)}`.trim())
}
