/**
 * Reads sessions of Claude Code.
 *
 * One model response is written as several lines with the same message id, one for each block,
 * possibly with results in between. Its usage, which every line repeats, is counted once.
 *
 * The lines that `claude -p --output-format stream-json` prints are read as well.
 *
 * @module
 */

import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  stringOf,
  typeOf,
  wordOf,
} from './data.js'
import { readMessage, readResult } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

/** Rows of the user that no person wrote begin with one of these. */
const INJECTED =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-\w+|task-notification|bash-(?:input|stdout|stderr)|teammate-message)\b|\[Request interrupted by user|Caveat: The messages below were generated|This session is being continued from)/

/** The program adds these to what a person wrote. */
const ADDED = /^\s*<(system-reminder|ide_\w+|user-memory-input|user-prompt-submit-hook)\b/

/** Results from a person, a rule or a hook instead of the tool. */
const DENIED =
  /^(?:<tool_use_error>)?(?:The user doesn't want to (?:proceed|take this action)|(?:Permission to use|Claude requested permissions to) |.{0,80}hook (?:blocking )?error|Hook \S+ denied|Cancelled: parallel tool call|Sibling tool call errored)/

/** The reader of Claude Code sessions. */
export const claudeCodeReader: TranscriptReader = {
  name: 'claude-code',
  describes:
    'claude-code (JSON lines with `uuid`, `parentUuid`, `sessionId`, `type` and `message`)',
  keys: ['type', 'uuid', 'parentUuid', 'sessionId', 'message'],
  matches: (head) =>
    peek(head).some(
      ({ type, uuid, parentUuid, sessionId, message, operation, leafUuid, messageId, snapshot }) =>
        (typeof parentUuid === 'string' && typeof type === 'string') ||
        // Cut-outs may have lost their ids.
        (/^(?:user|assistant)$/.test(wordOf(type)) && asFields(message)?.content !== undefined) ||
        (typeof sessionId === 'string' &&
          uuid &&
          /^(?:user|assistant|system)$/.test(wordOf(type))) ||
        (type === 'queue-operation' && operation) ||
        (type === 'summary' && leafUuid) ||
        (type === 'file-history-snapshot' && messageId && snapshot),
    ),
  *read(records, log) {
    const agents = new Sidechains(log)
    const threads = new Map<string, Thread>()
    for (const record of objectsIn(records, log)) {
      const agent = agents.of(record)
      const key = agent ?? ''
      const thread = threads.get(key) ?? new Thread(log)
      threads.set(key, thread)
      for (const event of thread.read(record, agent !== undefined)) {
        if (event.t === 'call') agents.called(event, key)
        yield agent === undefined ? event : { ...event, agent }
      }
    }
    for (const [key, thread] of threads) {
      for (const event of thread.end()) yield { ...event, agent: key || undefined }
    }
  },
}

/** One agent's lines. */
class Thread {
  readonly #log: ReadLog
  #response: unknown
  /** Responses whose usage was counted. Texts of the program may stand between their lines. */
  readonly #counted = new Map<unknown, true>()
  #usage: RawEvent | undefined

  constructor(log: ReadLog) {
    this.#log = log
  }

  read(record: Fields, isSubAgent: boolean): readonly RawEvent[] {
    const { type, timestamp: at, subtype } = record
    const message = fieldsOf(record.message)
    if (type === 'assistant' && record.isApiErrorMessage !== true) {
      return this.#assistant(record, message, at)
    }
    if (type === 'user') return this.#user(record, message, at, isSubAgent)
    if (type === 'system' && subtype === 'compact_boundary') {
      return [...this.end(), { t: 'compacted', at }]
    }
    if (type === 'system') this.#log.skip(`system ${stringOf(subtype) ?? 'message'}`)
    else this.#log.skipType(type === 'assistant' ? 'API error' : type)
    return []
  }

  #assistant(record: Fields, message: Fields, at: unknown): readonly RawEvent[] {
    const response = message.id ?? record.requestId ?? record.uuid
    const isOpen = response === this.#response
    const isSame = isOpen || this.#counted.has(response)
    const events = isOpen ? [] : this.end()
    this.#response = response
    if (message.model !== '<synthetic>' && !this.#counted.has(response)) {
      this.#usage = { t: 'usage', usage: message.usage, model: message.model, at }
    }
    for (const event of readMessage({ ...message, role: 'assistant', timestamp: at }, this.#log)) {
      const isRepeated = event.t === 'turn' && isSame
      const isEmpty = event.t === 'text' && event.text === ''
      if (!isRepeated && !isEmpty) events.push(event)
    }
    return events
  }

  #user(record: Fields, message: Fields, at: unknown, isSubAgent: boolean): readonly RawEvent[] {
    const parts = listOf(message.content).filter((part) => typeOf(part) === 'tool_result')
    if (parts.length > 0) return parts.flatMap((part) => resultsOf(fieldsOf(part), record, at))
    const text = contentText(message.content)
    const isHarness = isSubAgent || isInjected(record, message.content)
    return [...this.end(), { t: 'user', text, at, origin: isHarness ? 'harness' : undefined }]
  }

  /** Ends the current response; returns its usage. */
  end(): RawEvent[] {
    const events = this.#usage ? [this.#usage] : []
    if (this.#usage) remember(this.#counted, this.#response, true, MAX_RESPONSES)
    this.#usage = undefined
    this.#response = undefined
    return events
  }
}

function resultsOf(part: Fields, record: Fields, at: unknown): RawEvent[] {
  const result = { ...readResult(part), at }
  const denied = typeof result.output === 'string' && DENIED.test(result.output)
  const { agentId: child } = fieldsOf(record.toolUseResult)
  const events: RawEvent[] = [{ ...result, denied }]
  if (child !== undefined) events.push({ t: 'spawn', id: result.id, child, at })
  return events
}

function isInjected(record: Fields, content: unknown): boolean {
  const kind = fieldsOf(record.origin).kind
  if (record.isMeta === true || record.isCompactSummary === true) return true
  if (record.sourceToolAssistantUUID || (kind !== undefined && kind !== 'human')) return true
  const parts = Array.isArray(content) ? content : [content]
  return parts.every((part) => isInjectedText(contentText(part)))
}

/** Returns whether a person wrote no part of a text. */
function isInjectedText(text: string): boolean {
  let rest = text
  for (let added = ADDED.exec(rest); added; added = ADDED.exec(rest)) {
    const tag = `</${added[1]}>`
    const end = rest.indexOf(tag)
    if (end < 0) return true
    rest = rest.slice(end + tag.length)
    if (rest.trim() === '') return true
  }
  return INJECTED.test(rest)
}

/** How many responses are remembered. */
const MAX_RESPONSES = 1000
/** How many lines of sub-agents are remembered to find out where a line belongs. */
const MAX_LINES = 10_000
/** How many calls that start a sub-agent are remembered. */
const MAX_CALLS = 1000

/** Finds the agent that a line belongs to. Older versions write sub-agents into the main file. */
class Sidechains {
  readonly #log: ReadLog
  readonly #agentOf = new Map<unknown, string>()
  /** Calls that start a sub-agent, by prompt and by id. */
  readonly #calls = new Map<unknown, { readonly id: unknown; readonly agent: string }>()
  #count = 0

  constructor(log: ReadLog) {
    this.#log = log
  }

  of(record: Fields): string | undefined {
    const call = stringOf(record.parent_tool_use_id)
    if (call !== undefined) {
      if (!this.#log.agents.has(call)) this.#started(call, call)
      return call
    }
    if (record.isSidechain !== true) return undefined
    if (typeof record.agentId === 'string') return record.agentId
    const agent = this.#agentOf.get(record.parentUuid) ?? this.#begin(record)
    remember(this.#agentOf, record.uuid, agent, MAX_LINES)
    return agent
  }

  /** Takes a call of an agent, which may start a sub-agent. */
  called({ name, args, id }: Extract<RawEvent, { t: 'call' }>, agent: string): void {
    if (name !== 'Task' && name !== 'Agent') return
    remember(this.#calls, asFields(args)?.prompt, { id, agent }, MAX_CALLS)
    remember(this.#calls, id, { id, agent }, MAX_CALLS)
  }

  #begin(record: Fields): string {
    this.#count += 1
    const agent = `sidechain-${this.#count}`
    this.#started(agent, contentText(fieldsOf(record.message).content))
    return agent
  }

  /** Records what is known about an agent, by its prompt or by the call that started it. */
  #started(agent: string, key: string): void {
    const { id = key === agent ? key : undefined, agent: parent = '' } = this.#calls.get(key) ?? {}
    this.#log.agent(agent, { parent, parentCall: stringOf(id) })
  }
}

function remember<T>(map: Map<unknown, T>, key: unknown, value: T, most: number): void {
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value)
}
