/**
 * Reads what `gemini --output-format stream-json` prints.
 *
 * @module
 */

import { type Fields, fieldsOf, stringOf, wordOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'

/** Returns whether a record is one that the command prints. */
export function isPrinted({ type, session_id, model, tool_name, tool_id, stats }: Fields): boolean {
  if (type === 'init') return typeof session_id === 'string' && model !== undefined
  if (type === 'tool_use') return typeof tool_name === 'string' && tool_id !== undefined
  return type === 'result' && stats !== undefined
}

/** Reads the records, one after the other. */
export class PrintedEvents {
  readonly #log: ReadLog
  #model: unknown
  /** The text of the model, which comes in pieces. */
  #text = ''
  #isTurnOpen = false

  constructor(log: ReadLog) {
    this.#log = log
  }

  *read(record: Fields): Iterable<RawEvent> {
    const { type, timestamp: at, tool_id: id, status } = record
    if (type === 'message' && record.role === 'assistant') {
      if (!this.#isTurnOpen) yield { t: 'turn', at }
      this.#isTurnOpen = true
      this.#text += wordOf(record.content)
      return
    }
    yield* this.end()
    if (type === 'init') this.#model = record.model
    else if (type === 'message') {
      this.#isTurnOpen = false
      yield { t: 'user', text: record.content, at }
    } else if (type === 'tool_use') {
      if (!this.#isTurnOpen) yield { t: 'turn', at }
      this.#isTurnOpen = true
      yield { t: 'call', id, name: record.tool_name, args: record.parameters, at }
    } else if (type === 'tool_result') {
      this.#isTurnOpen = false
      const output = record.output ?? fieldsOf(record.error).message
      yield { t: 'result', id, ok: status === 'success', output, at }
    } else if (type === 'result') {
      yield { t: 'usage', usage: record.stats, model: this.#model, at }
    } else this.#log.skipType(stringOf(type))
  }

  /** The text that was not passed on yet. */
  *end(): Iterable<RawEvent> {
    if (this.#text) yield { t: 'text', text: this.#text }
    this.#text = ''
  }
}
