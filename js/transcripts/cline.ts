/**
 * Reads task histories of Cline and Roo: Anthropic messages with a time, and sessions of the Cline
 * SDK. Older tasks have calls as XML in the text; Cline answers calls with plain text.
 *
 * @module
 */

import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  stringOf,
  typeOf,
  wordOf,
} from './data.js'
import { readMessage } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'

const KEYS = ['messages']
/** `[read_file for 'a.ts'] Result:`, `[switch_mode to 'code'] Result:` and the like. */
const RESULT = /^\[([a-z]\w*)(?: [\s\S]{0,4000}?)?\] Result:\s*/
/** What a person says is wrapped in one of these. */
const SPOKEN = /<(?:task|feedback|user_message|answer)>/
/** How many characters of a result are searched for a message from a person. */
const RESULT_START = 500
/** How a failed tool answers. A failed command has its exit code instead. */
const FAILED = /^(?:Error|The tool execution failed)/
/** Texts of the program around the model. */
const INJECTED = /^\s*(?:<environment_details>|\[ERROR\]|\[TASK RESUMPTION\]|\[NOTE\]|# |$)/
/** A tool call in the text of older tasks. */
const XML_CALL = /<([a-z]+(?:_[a-z]+)+)>\s*(?:<\w+>[\s\S]*)?<\/\1>/g

/** Fields that only Roo writes. */
const ROO_FIELDS = [
  'condenseId',
  'condenseParent',
  'truncationParent',
  'isTruncationMarker',
  'isSummary',
]

/** The reader of Cline histories. */
export const clineReader: TranscriptReader = {
  name: 'cline',
  describes: 'cline (messages with `role`, `content` and `ts`)',
  keys: ['role', 'content', 'ts'],
  matches: (head) => isHistory(head) && !isRoo(head),
  read: readHistory,
}

/** The reader of Roo histories. */
export const rooReader: TranscriptReader = {
  name: 'roo',
  describes: 'roo (messages with `role`, `content` and `ts`, and `tool_result` blocks)',
  keys: ['role', 'content', 'ts', 'condenseId'],
  matches: (head) => isHistory(head) && isRoo(head),
  read: readHistory,
}

function isHistory(head: readonly unknown[]): boolean {
  const { sessionId, agent, updated_at } = fieldsOf(head[0])
  const isSession = typeof sessionId === 'string' && Boolean(agent && updated_at)
  return peek(head, KEYS).some(({ role, content, ts }) => {
    if (typeof role !== 'string' || content === undefined) return false
    const isMarked = (part: unknown) => /^<environment_details>/.test(contentText(part))
    return typeof ts === 'number' || isSession || listOf(content).some(isMarked)
  })
}

function isRoo(head: readonly unknown[]): boolean {
  const messages = peek(head, KEYS)
  // Only Cline writes down the model of each answer.
  const isCline = messages.some(({ modelInfo }) => asFields(modelInfo))
  if (isCline || fieldsOf(head[0]).sessionId !== undefined) return false
  return messages.some(
    (message) =>
      ROO_FIELDS.some((key) => key in message) ||
      typeOf(message) === 'reasoning' ||
      listOf(message.content).some((part) => typeOf(part) === 'tool_result'),
  )
}

function* readHistory(records: Iterable<unknown>, log: ReadLog): Iterable<RawEvent> {
  for (const { items, container, agent: run } of runsOf(records, KEYS, log)) {
    const isSubAgent = container.agent === 'subagent' || container.agent === 'teammate'
    const agent = isSubAgent ? stringOf(container.sessionId) : run
    const open = new OpenCalls()
    for (const message of objectsIn(items, log)) {
      for (const event of readRow(message, log)) yield { ...open.answered(event), agent }
    }
  }
}

/** The calls that wait for a result: results that are text name only the tool, not the call. */
class OpenCalls {
  #calls: { readonly name: string; readonly id: string }[] = []

  /** Adds to a result the id of its call: the oldest of that tool, or else the oldest of all. */
  answered(event: RawEvent): RawEvent {
    if (event.t === 'turn') this.#calls = []
    if (event.t === 'call' && typeof event.id === 'string') {
      this.#calls.push({ name: wordOf(event.name), id: event.id })
    }
    if (event.t !== 'result' || event.id !== undefined || this.#calls.length === 0) return event
    // `use_subagents` is answered as `subagents`.
    const name = wordOf(event.name)
    const found = this.#calls.findIndex((call) => call.name === name || call.name === `use_${name}`)
    const [call] = this.#calls.splice(Math.max(0, found), 1)
    return call ? { ...event, ...call } : event
  }
}

function* readRow(message: Fields, log: ReadLog): Iterable<RawEvent> {
  const { ts: at, role, content } = message
  if (message.isSummary === true) yield { t: 'compacted', at }
  if (message.isTruncationMarker === true || typeOf(message) === 'reasoning') {
    log.skipType(message.type ?? 'truncation')
  } else if (role === 'assistant') {
    const events = [...readMessage(message, log)]
    yield* events
    if (!events.some(({ t }) => t === 'call')) yield* xmlCalls(contentText(content), at)
    const metrics = fieldsOf(message.metrics)
    const model = fieldsOf(message.modelInfo).modelId
    yield { t: 'usage', usage: metrics.tokens ?? metrics, model, cost: metrics.cost, at }
  } else {
    yield* readUser(message, log)
  }
}

function* xmlCalls(text: string, at: unknown): Iterable<RawEvent> {
  for (const [xml, name = ''] of text.slice(0, 200_000).matchAll(XML_CALL)) {
    const args: Record<string, string> = {}
    const body = xml.slice(name.length + 2, -(name.length + 3))
    for (const [, key = '', value = ''] of body.matchAll(/<(\w+)>([\s\S]*?)<\/\1>/g)) {
      args[key] = value
    }
    yield { t: 'call', name, args, at }
  }
}

/** Reads a user message, which contains results, text from a person, and additions of the program. */
function* readUser(message: Fields, log: ReadLog): Iterable<RawEvent> {
  const { ts: at, content } = message
  const parts = Array.isArray(content) ? content : [content]
  const blocks = parts.filter((part) => typeOf(part) === 'tool_result')
  if (blocks.length > 0) {
    for (const event of readMessage({ ...message, content: blocks }, log)) {
      if (event.t !== 'user') yield event
    }
  }
  const others = parts.filter((part) => !blocks.includes(part)).map((part) => contentText(part))
  let hasResult = blocks.length > 0
  for (const [index, text] of others.entries()) {
    const found = RESULT.exec(text)
    if (!found) continue
    hasResult = true
    const rest = text.slice(found[0].length)
    const output = (rest || others[index + 1]) ?? ''
    const denied = /^The user denied this operation/.test(output)
    const exitCode = exitCodeOf(output)
    const ok = denied || exitCode || FAILED.test(output) ? false : undefined
    yield { t: 'result', name: found[1], ok, exitCode, denied, output, at }
  }
  const spoken = others.filter((text) => {
    if (RESULT.test(text)) return SPOKEN.test(text.slice(0, RESULT_START))
    return SPOKEN.test(text) || !(hasResult || INJECTED.test(text))
  })
  const text = (spoken.length > 0 ? spoken : others).join('\n')
  if (spoken.length > 0 || !hasResult) {
    yield { t: 'user', text, at, origin: spoken.length > 0 ? undefined : 'harness' }
  }
}

/** Returns the exit code that the output of a failed command begins with. */
function exitCodeOf(output: string): number | undefined {
  const [, code] = /^Command failed with exit code (-?\d+)/.exec(output) ?? []
  return numberOf(code)
}
