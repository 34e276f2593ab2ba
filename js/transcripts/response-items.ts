/**
 * Reads items of OpenAI's Responses API, which Codex and the Agents SDK keep as well.
 *
 * The items of one model response follow each other; the first output ends the turn.
 *
 * @module
 */

import { contentText, type Fields, outputOf, stringOf, typeOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'

/** Reads items, and tracks where turns begin. */
export class ItemReader {
  readonly #log: ReadLog
  #isTurnOpen = false

  constructor(log: ReadLog) {
    this.#log = log
  }

  /**
   * Reads one item. `isHarness` returns whether a text is from the program around the model instead
   * of a person.
   */
  *read(item: Fields, at?: unknown, isHarness?: (text: string) => boolean): Iterable<RawEvent> {
    const type = typeOf(item) || (typeof item.role === 'string' ? 'message' : '')
    const id = item.call_id ?? item.callId
    if (type === 'message' || type === 'agent_message') {
      yield* this.#message(item, at, isHarness)
    } else if (type === 'reasoning') {
      yield* this.#turn(at)
      const text = contentText(item.content) || contentText(item.summary)
      yield { t: 'chunk', text, channel: 'reasoning', at }
    } else if (/(?:_output|_call_result)$/.test(type)) {
      this.#isTurnOpen = false
      yield { t: 'result', id, ok: okOf(item), output: outputOf(item.output ?? item.tools), at }
    } else if (/_call$/.test(type)) {
      yield* this.#call(item, type, id, at)
    } else if (type === 'compaction' || type === 'context_compaction') {
      yield { t: 'compacted', at }
    } else this.#log.skipType(item.type)
  }

  *#turn(at: unknown): Iterable<RawEvent> {
    if (!this.#isTurnOpen) yield { t: 'turn', at }
    this.#isTurnOpen = true
  }

  *#message(
    item: Fields,
    at: unknown,
    isHarness: ((text: string) => boolean) | undefined,
  ): Iterable<RawEvent> {
    const { role } = item
    const text = contentText(item.content)
    if (role === 'assistant') {
      yield* this.#turn(at)
      yield { t: 'text', text, at }
    } else if (role === 'user') {
      this.#isTurnOpen = false
      const texts = Array.isArray(item.content)
        ? item.content.map((part) => contentText(part))
        : [text]
      const isPerson = !isHarness || texts.some((part) => !isHarness(part))
      yield { t: 'user', text, at, origin: isPerson ? undefined : 'harness' }
    } else this.#log.skip(`${stringOf(role) ?? 'unknown'} message`)
  }

  *#call(item: Fields, type: string, id: unknown, at: unknown): Iterable<RawEvent> {
    yield* this.#turn(at)
    const name = stringOf(item.name) ?? type.replace(/_call$/, '')
    const args = item.arguments ?? item.input ?? item.action ?? item.operation ?? item.code
    // Without a call id, the provider ran it.
    const providerExecuted = id === undefined && type !== 'function_call'
    const own = id ?? item.id
    yield { t: 'call', name, id: own, args: args ?? item.queries, at, providerExecuted }
    const output = item.output ?? item.error ?? item.outputs ?? item.results
    if (output === undefined || output === null) return
    yield { t: 'result', id: own, ok: item.error ? false : undefined, output: outputOf(output), at }
  }
}

function okOf(item: Fields): boolean | undefined {
  return item.status === 'failed' || item.is_error === true ? false : undefined
}
