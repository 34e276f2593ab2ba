/**
 * Reads the model calls in traces: each has the whole conversation as its input, so only messages
 * since the last answer are new.
 *
 * @module
 */

import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  outputOf,
  parsed,
  wordOf,
} from './data.js'
import { isLangChain, readLangChain } from './langchain.js'
import { isResultPart, readMessage } from './messages.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'
import { ItemReader } from './response-items.js'

/** One call of a model. */
export interface Generation {
  /** The conversation it was given, or its JSON text. */
  readonly input: unknown
  /** What it answered, or its JSON text. */
  readonly output: unknown
  readonly usage?: unknown
  readonly model?: unknown
  readonly cost?: unknown
  readonly at?: unknown
  readonly agent?: string | undefined
}

const ROLES = new Set(['system', 'developer', 'user', 'human', 'assistant', 'ai', 'model'])

/** Reads model calls, one after the other. */
export class GenerationReader {
  readonly #log: ReadLog
  readonly #hasToolRecords: boolean
  /** Calls without a result: their ids and names. */
  readonly #open = new Map<unknown, unknown>()

  /** @param hasToolRecords Calls and results are known from records of their own. */
  constructor(log: ReadLog, hasToolRecords: boolean) {
    this.#log = log
    this.#hasToolRecords = hasToolRecords
  }

  *read(generation: Generation): Iterable<RawEvent> {
    const { usage, model, cost, at, agent } = generation
    if (!this.#hasToolRecords) {
      for (const event of this.#results(generation.input)) yield { ...event, at, agent }
    }
    yield { t: 'turn', at, agent }
    for (const event of this.#answer(generation.output)) yield { ...event, at, agent }
    yield { t: 'usage', usage, model, cost, at, agent }
  }

  *#answer(output: unknown): Iterable<RawEvent> {
    for (const event of answerOf(output, this.#log)) {
      if (event.t === 'turn' || (this.#hasToolRecords && event.t !== 'text')) continue
      if (event.t === 'text' && !event.text) continue
      if (event.t === 'call') this.#open.set(event.id ?? event, event.name)
      yield event
    }
  }

  /**
   * Results in the input. Only calls that were seen count. Those that stand before the last answer
   * are found by their id: the answer may be of a model call that was not traced.
   */
  *#results(input: unknown): Iterable<RawEvent> {
    if (this.#open.size === 0) return
    const messages = conversationOf(input)
    const answered = messages.findLastIndex((message) => isAnswer(message))
    for (const [index, message] of messages.entries()) {
      if (index <= answered && !holdsResult(message)) continue
      for (const event of this.#resultsIn(message)) {
        if (event.t !== 'result') continue
        const id = event.id ?? (index > answered ? this.#idFor(event.name) : undefined)
        if (this.#open.delete(id)) yield { ...event, id }
      }
    }
  }

  #resultsIn(message: Fields): Iterable<RawEvent> {
    const { role } = message
    // Some traces have the tool's name as the role.
    if (typeof role === 'string' && role !== 'tool' && !ROLES.has(role) && !isLangChain(message)) {
      return [{ t: 'result', name: role, output: outputOf(message.content) }]
    }
    return eventsOf(message, this.#log)
  }

  /** Returns the id of the oldest open call of a tool, for a result without an id. */
  #idFor(name: unknown): unknown {
    for (const [id, called] of this.#open) if (name === undefined || called === name) return id
    return undefined
  }
}

/** Returns whether a conversation contains tool results. */
export function holdsResults(input: unknown): boolean {
  return conversationOf(input).some(holdsResult)
}

function holdsResult({ role, content, parts }: Fields): boolean {
  return (
    role === 'tool' || [...listOf(content), ...listOf(parts)].some((part) => isResultPart(part))
  )
}

function isAnswer(message: Fields): boolean {
  const { role, type } = message
  const kind = wordOf(listOf(message.id).at(-1) ?? type)
  return role === 'assistant' || role === 'ai' || /^AIMessage|^ai$|_call$/.test(kind)
}

/** Returns the messages of a conversation, whatever contains them. */
function conversationOf(input: unknown): readonly Fields[] {
  const value = parsed(input)
  const held = fieldsOf(value)
  const list = Array.isArray(value) ? value : (held.messages ?? held.input ?? held.prompt)
  // Some frameworks have a list of conversations.
  return listOf(
    listOf(list).length === 1 && Array.isArray(listOf(list)[0]) ? listOf(list)[0] : list,
  )
    .map(fieldsOf)
    .map((message) => asFields(message.message) ?? message)
}

function* answerOf(output: unknown, log: ReadLog): Iterable<RawEvent> {
  const value = parsed(output)
  if (typeof value === 'string') {
    yield { t: 'text', text: value }
    return
  }
  const held = fieldsOf(value)
  const [generated] = listOf(listOf(held.generations)[0])
  const [choice] = listOf(held.choices).map(fieldsOf)
  const list = Array.isArray(value) ? value : (held.output ?? held.messages)
  if (Array.isArray(list)) {
    const items = new ItemReader(log)
    for (const item of list.map(fieldsOf)) {
      yield* item.call_id !== undefined ? items.read(item) : eventsOf(item, log)
    }
  } else {
    const message = choice?.message ?? fieldsOf(generated).message ?? held.message
    yield* eventsOf(asFields(message) ?? held, log)
  }
}

/** Reads a message, an item or a part, of any provider. */
function* eventsOf(item: Fields, log: ReadLog): Iterable<RawEvent> {
  if (isLangChain(item)) yield* readLangChain(item, log)
  else if (typeof item.role === 'string') yield* readMessage(fromParts(item), log)
  else if (item.call_id !== undefined) yield* new ItemReader(log).read(item)
  else if (Array.isArray(item.toolCalls) || Array.isArray(item.content)) {
    yield* readMessage({ ...item, role: 'assistant' }, log)
  } else {
    const text = contentText(item.text ?? item.content)
    if (text) yield { t: 'text', text }
  }
}

/** Converts a message of OpenTelemetry, which has `parts` with `content` as their text. */
function fromParts(message: Fields): Fields {
  return Array.isArray(message.parts) ? { ...message, content: message.parts } : message
}
