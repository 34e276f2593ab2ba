/**
 * Reads OpenAI chat messages, as the Chat Completions API takes and returns them, and as many other
 * providers write them.
 *
 * Each assistant message is one model turn. Its tool calls are one batch; content beside them is the
 * text of that turn.
 *
 * @module
 */

import { describe } from '../input/check.js'
import type { AgentEvent } from '../types.js'
import {
  asFields,
  type Fields,
  listOf,
  requireList,
  startsWith,
  type TranscriptReader,
} from './reader.js'

/** Parts that hold calls or results in other providers' messages; skipping them would lose both. */
const FOREIGN_PARTS = ['tool_use', 'tool_result', 'tool-call', 'tool-result', 'function_call']

/** The reader of OpenAI chat messages. */
export const openAiChatReader: TranscriptReader = {
  name: 'openai-chat',
  describes:
    'openai-chat (a list of messages, an object with `messages`, or JSON lines, ' +
    'where each message has `role`: "system", "developer", "user", "assistant", "tool", "function")',
  matches: (input) => startsWith(listOf(input, 'messages'), 'role'),
  *read(input) {
    for (const [index, item] of requireList(input, 'messages', openAiChatReader).entries()) {
      yield* readMessage(item, input.place(index))
    }
  },
}

function* readMessage(item: unknown, place: string): Iterable<AgentEvent> {
  const message = asFields(item)
  if (!message) throw refused(place, `must be a message; got ${describe(item)}`)
  const { role } = message
  const at = `${place} (${String(role)})`
  switch (role) {
    case 'system':
    case 'developer':
      return
    case 'user':
      yield { t: 'user', text: textOf(message.content, at) }
      return
    case 'assistant':
      yield* readAssistant(message, at)
      return
    case 'tool':
      yield {
        t: 'result',
        id: idOf(message.tool_call_id, at),
        output: textOf(message.content, at),
      }
      return
    case 'function':
      yield { t: 'result', name: nameOf(message, at), output: textOf(message.content, at) }
      return
    default:
      throw refused(
        place,
        `must have a role that is one of system, developer, user, assistant, tool, function; got ${describe(role)}`,
      )
  }
}

function* readAssistant(message: Fields, at: string): Iterable<AgentEvent> {
  const calls = [...readCalls(message, at)]
  if (calls.length === 0 && message.content === undefined) {
    throw refused(at, 'has neither content nor tool_calls')
  }
  const text = textOf(message.content, at)
  yield { t: 'turn' }
  if (calls.length === 0) yield { t: 'text', text: text ?? '' }
  else if (text) yield { t: 'text', text }
  yield* calls
}

function* readCalls(message: Fields, at: string): Iterable<AgentEvent> {
  const legacy = message.function_call ?? undefined
  if (legacy !== undefined) yield readFunction(legacy, undefined, `${at}: function_call`)
  const calls = message.tool_calls ?? []
  if (!Array.isArray(calls)) throw refused(at, `tool_calls must be a list; got ${describe(calls)}`)
  for (const [index, item] of calls.entries()) {
    const here = `${at}: tool_calls[${index}]`
    const call = asFields(item)
    if (!call) throw refused(here, `must be an object; got ${describe(item)}`)
    yield readFunction(call.function ?? call.custom, idOf(call.id, here), here)
  }
}

/** Reads the `function` of a tool call, or the `custom` tool, whose input is free text. */
function readFunction(item: unknown, id: string | undefined, at: string): AgentEvent {
  const called = asFields(item)
  if (!called) throw refused(at, `must have a function; got ${describe(item)}`)
  return {
    t: 'call',
    name: nameOf(called, at),
    args: called.arguments ?? called.input ?? undefined,
    id,
  }
}

function nameOf(fields: Fields, at: string): string {
  const { name } = fields
  if (typeof name === 'string') return name
  throw refused(at, `name must be a string; got ${describe(name)}`)
}

function idOf(id: unknown, at: string): string | undefined {
  if (typeof id === 'string') return id
  if (id === undefined || id === null) return undefined
  throw refused(at, `the id of a call must be a string; got ${describe(id)}`)
}

/** Joins the texts of content, which is a text, a list of parts, or nothing. */
function textOf(content: unknown, at: string): string | undefined {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return undefined
  if (!Array.isArray(content)) {
    throw refused(at, `content must be a string, a list of parts or null; got ${describe(content)}`)
  }
  return content.map((part, index) => textOfPart(part, `${at}: content[${index}]`)).join('')
}

function textOfPart(part: unknown, at: string): string {
  if (typeof part === 'string') return part
  const fields = asFields(part)
  if (!fields) throw refused(at, `must be a part; got ${describe(part)}`)
  const { type } = fields
  if (FOREIGN_PARTS.some((foreign) => foreign === type)) {
    throw refused(at, `has the type ${describe(type)}, which OpenAI chat messages do not have`)
  }
  const text = fields.text ?? fields.refusal ?? ''
  if (typeof text === 'string') return text
  throw refused(at, `text must be a string; got ${describe(text)}`)
}

function refused(at: string, problem: string): TypeError {
  return new TypeError(`transcript: ${at}: ${problem}`)
}
