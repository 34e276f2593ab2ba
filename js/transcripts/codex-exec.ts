/**
 * Reads what `codex exec --json` prints: items that begin and end, and the usage of each turn.
 *
 * @module
 */

import { type Fields, fieldsOf, numberOf, stringOf, typeOf, wordOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'

const TYPE = /^(?:thread\.started|(?:turn|item)\.(?:started|updated|completed|failed))$/

/** Returns whether a record is one that the command prints. */
export function isPrinted({ type, item, usage, thread_id, error }: Fields): boolean {
  return (
    TYPE.test(wordOf(type)) &&
    (type === 'turn.started' || Boolean(item ?? usage ?? thread_id ?? error))
  )
}

/** Reads the records, one after the other. */
export class PrintedItems {
  readonly #log: ReadLog
  readonly #called = new Set<unknown>()
  #isTurnOpen = false

  constructor(log: ReadLog) {
    this.#log = log
  }

  *read({ type, item, usage }: Fields): Iterable<RawEvent> {
    if (type === 'turn.completed') yield { t: 'usage', usage }
    else if (wordOf(type).startsWith('item.'))
      yield* this.#item(fieldsOf(item), type === 'item.completed')
    if (wordOf(type).startsWith('turn.')) this.#isTurnOpen = false
  }

  *#item(item: Fields, isDone: boolean): Iterable<RawEvent> {
    const type = typeOf(item)
    const text = stringOf(item.text)
    if (text !== undefined && isDone) {
      yield* this.#turn()
      yield type === 'reasoning' ? { t: 'chunk', text, channel: 'reasoning' } : { t: 'text', text }
    }
    const call = callOf(item, type)
    if (!call) {
      if (text === undefined && isDone) this.#log.skipType(type)
      return
    }
    if (!this.#called.has(item.id)) {
      this.#called.add(item.id)
      yield* this.#turn()
      yield { t: 'call', id: item.id, ...call }
    }
    if (!isDone || type === 'web_search') return
    this.#called.delete(item.id)
    this.#isTurnOpen = false
    const exitCode = numberOf(item.exit_code)
    const denied = item.status === 'declined'
    const isFailed = denied || item.status === 'failed' || Boolean(exitCode)
    const output = item.aggregated_output ?? item.output ?? item.error ?? item.result
    yield { t: 'result', id: item.id, ok: !isFailed, exitCode, denied, output }
  }

  *#turn(): Iterable<RawEvent> {
    if (!this.#isTurnOpen) yield { t: 'turn' }
    this.#isTurnOpen = true
  }
}

/** Returns the call that an item is, if it is one. */
function callOf(item: Fields, type: string): { name: string; args: unknown } | null {
  const { command, changes, query, server, tool } = item
  if (type === 'command_execution') return { name: type, args: { command } }
  if (type === 'file_change') return { name: type, args: { changes } }
  if (type === 'web_search') return { name: type, args: { query } }
  if (type !== 'mcp_tool_call') return null
  return { name: `mcp__${wordOf(server)}__${wordOf(tool)}`, args: item.arguments }
}
