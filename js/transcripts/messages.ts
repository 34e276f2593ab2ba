/**
 * Reads messages with a role, as most providers and frameworks write them: OpenAI chat, Anthropic,
 * the AI SDK, and mixtures of these.
 *
 * Each assistant message is one model turn. Its tool calls are one batch; content beside them is
 * the text of that turn. A call that is both in the content and in `tool_calls` is one call.
 *
 * @module
 */

import { describe } from '../input/check.js'
import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  outputOf,
  stringOf,
  typeOf,
  wordOf,
} from './data.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'

/** How a format differs from the common form. */
export interface MessageStyle {
  /** Returns whether the program around the model wrote a user message. */
  isHarness?(message: Fields, text: string): boolean
}

/** Parts of content that are tool calls. */
const CALL_PART = /^(?:(?:server_|mcp_)?tool_use|tool[-_]call|toolCall|function_call)$/
/** Parts of content that are results. */
const RESULT_PART = /^(?:\w*tool_result|tool-result|tool_call_response|function_call_output)$/
/** Parts of content that ask whether a call may run, or answer that. */
const APPROVAL_PART = /^tool-approval-(?:request|response)$/

/**
 * Reads messages, one after the other, with the usage that some logs keep in each answer. What cannot
 * be read is counted and left out.
 */
export function* readMessages(
  items: Iterable<unknown>,
  log: ReadLog,
  style: MessageStyle = {},
): Generator<RawEvent, void, void> {
  for (const item of items) {
    yield* readMessage(item, log, style)
    const { usage, model } = fieldsOf(item)
    if (asFields(usage)) yield { t: 'usage', usage, model }
  }
}

/** Reads one message. */
export function readMessage(
  item: unknown,
  log: ReadLog,
  style: MessageStyle = {},
): readonly RawEvent[] {
  try {
    return eventsOf(item, log, style)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    log.unreadable('unreadable message', error.message)
    return []
  }
}

/** The error for a malformed message. */
class Unreadable extends TypeError {
  constructor(at: string, problem: string) {
    super(`transcript: ${at}: ${problem}`)
  }
}

function eventsOf(item: unknown, log: ReadLog, style: MessageStyle): RawEvent[] {
  const message = asFields(item)
  if (!message) throw new Unreadable(log.place, `must be a message; got ${describe(item)}`)
  const { role } = message
  const at = `${log.place} (${wordOf(role)})`
  const time = message.timestamp ?? message.created_at ?? message.ts
  switch (role) {
    case 'system':
    case 'developer':
      log.skip(`${role} message`)
      return []
    case 'user':
      return readUser(message, at, time, style)
    case 'assistant':
    case 'model':
      return readAssistant(message, at, time)
    case 'tool':
    case 'function':
    case 'toolResult':
      return readTool(message, at, time)
    default:
      throw new Unreadable(
        log.place,
        `must have a role that is one of system, developer, user, assistant, tool, function; got ${describe(role)}`,
      )
  }
}

function readUser(message: Fields, at: string, time: unknown, style: MessageStyle): RawEvent[] {
  const { text, results } = splitContent(message.content, at)
  const events: RawEvent[] = results.map((result) => ({ ...result, at: time }))
  if (text === undefined && message.content !== undefined && message.content !== null) return events
  const isHarness = results.length > 0 || style.isHarness?.(message, text ?? '')
  events.push({ t: 'user', text, at: time, origin: isHarness ? 'harness' : undefined })
  return events
}

function readAssistant(message: Fields, at: string, time: unknown): RawEvent[] {
  const content = splitContent(message.content, at)
  const calls = withoutCopies([...content.calls, ...listedCalls(message, at)])
  const reasoning = contentText(
    message.reasoning_content ?? message.reasoning ?? message.thought ?? detailsOf(message),
  )
  const isEmpty = calls.length + content.results.length === 0 && reasoning === ''
  const refusal = stringOf(message.refusal)
  if (isEmpty && message.content === undefined && refusal === undefined) {
    throw new Unreadable(at, 'has neither content nor tool_calls')
  }
  const text = content.text || refusal
  const events: RawEvent[] = [{ t: 'turn', at: time }]
  const thought = content.reasoning || reasoning
  if (thought) events.push({ t: 'chunk', text: thought, channel: 'reasoning', at: time })
  if (calls.length === 0 || text) events.push({ t: 'text', text: text ?? '', at: time })
  for (const call of calls) events.push({ ...call, at: time })
  for (const result of content.results) events.push({ ...result, at: time })
  return events
}

/** Returns the readable parts of reasoning that OpenRouter gives in details. */
function detailsOf({ reasoning_details: details }: Fields): readonly unknown[] {
  return listOf(details).map((detail) => fieldsOf(detail).text ?? fieldsOf(detail).summary ?? '')
}

function readTool(message: Fields, at: string, time: unknown): RawEvent[] {
  // Some hosts keep what a tool returned as data.
  const data = asFields(message.content)
  const { text = data, results } = splitContent(data ? null : message.content, at)
  if (results.length > 0) return results.map((result) => ({ ...result, at: time }))
  // Approvals are given in messages of their own; the result comes later.
  const parts = listOf(message.content)
  if (parts.length > 0 && parts.every((part) => APPROVAL_PART.test(typeOf(part)))) return []
  const ids = Array.isArray(message.tool_call_ids) ? message.tool_call_ids[0] : undefined
  const id = idOf(message.tool_call_id ?? message.toolCallId ?? ids, at)
  const name = message.role === 'function' ? nameOf(message, at) : message.name
  return [{ t: 'result', id, name, ok: okOf(message), output: text, at: time }]
}

/** Reads whether a result is marked as a failure or a success, under the names that formats use. */
function okOf(fields: Fields): boolean | undefined {
  const { status } = fields
  if (fields.is_error === true || fields.isError === true || status === 'error') return false
  if (fields.error !== undefined && fields.error !== null) return false
  return fields.is_error === false || fields.isError === false || status === 'success'
    ? true
    : undefined
}

type Call = Extract<RawEvent, { t: 'call' }>
type Result = Extract<RawEvent, { t: 'result' }>

/** The parts of content. `text` is absent if there is none. */
interface Content {
  text: string | undefined
  reasoning: string
  calls: Call[]
  results: Result[]
}

/** Splits content, which is a text, a list of parts, or nothing. */
function splitContent(content: unknown, at: string): Content {
  const split: Content = { text: undefined, reasoning: '', calls: [], results: [] }
  if (typeof content === 'string') split.text = content
  if (typeof content === 'string' || content === undefined || content === null) return split
  if (!Array.isArray(content)) {
    throw new Unreadable(
      at,
      `content must be a string, a list of parts or null; got ${describe(content)}`,
    )
  }
  let others = 0
  for (const [index, part] of content.entries()) {
    const fields = typeof part === 'string' ? { text: part } : asFields(part)
    const where = `${at}: content[${index}]`
    if (!fields) throw new Unreadable(where, `must be a part; got ${describe(part)}`)
    const type = typeOf(fields)
    others += 1
    if (CALL_PART.test(type)) split.calls.push(readCall(fields, where))
    else if (RESULT_PART.test(type)) split.results.push(readResult(fields))
    else if (/thinking|reasoning/.test(type)) {
      split.reasoning += contentText(fields.thinking ?? fields)
    } else {
      others -= 1
      const text = fields.text ?? fields.refusal ?? fields.content ?? ''
      if (typeof text !== 'string' && typeof text !== 'object') {
        throw new Unreadable(where, `text must be a string; got ${describe(text)}`)
      }
      split.text = (split.text ?? '') + contentText(text)
    }
  }
  if (others === 0) split.text ??= ''
  return split
}

function listedCalls(message: Fields, at: string): readonly Call[] {
  const legacy = message.function_call ?? undefined
  const calls = message.tool_calls ?? message.toolCalls ?? []
  if (!Array.isArray(calls)) {
    throw new Unreadable(at, `tool_calls must be a list; got ${describe(calls)}`)
  }
  const listed = calls.map((item, index) => {
    const where = `${at}: tool_calls[${index}]`
    if (!asFields(item)) throw new Unreadable(where, `must be an object; got ${describe(item)}`)
    return readCall(item, where)
  })
  return legacy === undefined ? listed : [readCall(legacy, `${at}: function_call`), ...listed]
}

/** Reads a call in any form: flat, or with a `function` or, for free text, a `custom` tool. */
function readCall(item: unknown, at: string): Call {
  const call = fieldsOf(item)
  const tool = asFields(call.function) ?? asFields(call.custom) ?? call
  const isFlat = typeof call.function === 'string'
  const hasName = tool.name !== undefined || call.toolName !== undefined || isFlat
  if (tool === call && !hasName) {
    throw new Unreadable(at, `must have a function; got ${describe(call.function)}`)
  }
  const id = idOf(call.id ?? call.toolCallId ?? call.tool_call_id ?? call.call_id, at)
  return {
    t: 'call',
    name: isFlat ? call.function : nameOf({ name: tool.name ?? call.toolName }, at),
    args: tool.arguments ?? tool.input ?? tool.args ?? undefined,
    id,
    providerExecuted: typeOf(call) === 'server_tool_use' || call.providerExecuted === true,
  }
}

function idOf(id: unknown, at: string): string | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id === 'string' || typeof id === 'number') return `${id}`
  throw new Unreadable(at, `the id of a call must be a string; got ${describe(id)}`)
}

function nameOf(fields: Fields, at: string): string {
  const { name } = fields
  if (typeof name === 'string') return name
  throw new Unreadable(at, `name must be a string; got ${describe(name)}`)
}

/** Returns whether a part of content is a result. */
export function isResultPart(part: unknown): boolean {
  return RESULT_PART.test(typeOf(part))
}

/** Reads a result that is a part of content. */
export function readResult(part: Fields): Result {
  const { output } = part
  const typed = fieldsOf(output)
  const kind = typeOf(typed)
  const isDenied = kind === 'execution-denied'
  // The AI SDK wraps what a tool returned, and says there whether it failed.
  const isWrapped = isDenied || /^(?:error-)?(?:text|json)$|^content$/.test(kind)
  const value = isWrapped ? (typed.value ?? typed.text ?? typed.reason) : output
  // Tools that Anthropic runs say it in the type of what they return.
  const isProviderError = /_tool_result_error$/.test(typeOf(part.content))
  const isFailed = isDenied || isProviderError || kind.startsWith('error-') || part.isError === true
  return {
    t: 'result',
    id: part.tool_use_id ?? part.toolCallId ?? part.tool_call_id ?? part.call_id ?? part.id,
    name: part.toolName ?? part.name,
    ok: isFailed ? false : isWrapped ? true : okOf(part),
    output: outputOf(value ?? part.content ?? part.result ?? part.response),
    denied: isDenied,
  }
}

/** Leaves out calls whose id occurred before. */
function withoutCopies(calls: readonly Call[]): readonly Call[] {
  if (calls.length < 2) return calls
  const seen = new Set<unknown>()
  return calls.filter(({ id }) => {
    if (id === undefined) return true
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  })
}
