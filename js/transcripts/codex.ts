/**
 * Reads rollouts of the Codex command.
 *
 * Only response items are read: the events next to them repeat the same, except for token counts.
 * In the rollout of a sub-agent, the history inherited from its parent is left out.
 *
 * What `codex exec --json` prints is read as well.
 *
 * @module
 */

import { isPrinted, PrintedItems } from './codex-exec.js'
import {
  exitCodeIn,
  type Fields,
  fieldsOf,
  numberOf,
  parsed,
  stringOf,
  typeOf,
  wordOf,
} from './data.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'
import { ItemReader } from './response-items.js'

/** Texts that Codex itself puts into user messages: wrapped in a tag, or a file of instructions. */
const INJECTED =
  /^\s*(?:<(environment_context|INSTRUCTIONS|skill|[a-z]+(?:[_ ][a-z]+)+)>[\s\S]*<\/\1>\s*$|<environment_context>|# AGENTS\.md instructions)/

/** The reader of Codex rollouts. */
export const codexReader: TranscriptReader = {
  name: 'codex',
  describes: 'codex (JSON lines with `type`: "session_meta", "response_item", … and a `payload`)',
  keys: ['timestamp', 'type', 'payload'],
  matches: (head) =>
    peek(head).some(
      ({ type, payload, record_type }) =>
        (/^(?:session_meta|response_item|turn_context|event_msg|compacted)$/.test(wordOf(type)) &&
          payload) ||
        record_type === 'state',
    ) ||
    peek(head).some(isPrinted) ||
    isFirstVersion(fieldsOf(fieldsOf(head[0]).session ?? head[0])),
  *read(records, log) {
    const rollout = new Rollout(log)
    const printed = new PrintedItems(log)
    for (const record of objectsIn(flatten(records), log)) {
      yield* isPrinted(record) ? printed.read(record) : rollout.read(unwrapped(record))
    }
    yield* rollout.end()
  },
}

/** Before Codex wrote lines, a session was one document with all items. */
function* flatten(records: Iterable<unknown>): Iterable<unknown> {
  for (const record of records) {
    const { items } = fieldsOf(record)
    if (Array.isArray(items)) yield* items
    else yield record
  }
}

/** The first version had items without an envelope, after a line about the session. */
function isFirstVersion({ id, timestamp, instructions, type }: Fields): boolean {
  return Boolean(id && timestamp) && instructions !== undefined && type === undefined
}

function unwrapped(record: Fields): Fields {
  if (record.payload !== undefined || record.type === undefined) return record
  return { type: 'response_item', timestamp: record.timestamp, payload: record }
}

class Rollout {
  readonly #log: ReadLog
  readonly #items: ItemReader
  #agent: string | undefined
  /** Records before this one were inherited. */
  #start = 0
  #records = 0
  #model: unknown
  /** Which of the two kinds of usage record is counted: the one that comes first. */
  #usageType = ''
  #lastTotal = ''
  /** The latest sum of all usage. */
  #total: unknown
  #isCompacted = false

  constructor(log: ReadLog) {
    this.#log = log
    this.#items = new ItemReader(log)
  }

  *read(record: Fields): Iterable<RawEvent> {
    const { type, timestamp: at } = record
    const ordinal = numberOf(record.ordinal) ?? this.#records
    this.#records += 1
    const payload = fieldsOf(record.payload)
    if (type === 'session_meta') this.#meta(payload)
    else if (ordinal < this.#start) this.#log.skip('inherited record')
    else {
      for (const event of this.#events(type, payload, at)) {
        // A compaction may be reported by an item and by a record.
        const isAgain = event.t === 'compacted' && this.#isCompacted
        this.#isCompacted = event.t === 'compacted' || (this.#isCompacted && event.t === 'usage')
        if (!isAgain) yield { ...event, agent: this.#agent }
      }
    }
  }

  /** Yields the sum of all usage, if the usage of single responses is not known. */
  *end(): Iterable<RawEvent> {
    if (this.#usageType !== '') return
    yield { t: 'usage', usage: this.#total, model: this.#model, agent: this.#agent }
  }

  /**
   * Reads the metadata. Only the first is about this session: later ones were copied with the
   * history.
   */
  #meta(payload: Fields): void {
    const id = stringOf(payload.id)
    const { subagent } = fieldsOf(payload.source)
    const spawned = fieldsOf(fieldsOf(subagent).thread_spawn ?? subagent)
    const parent = stringOf(payload.parent_thread_id ?? spawned.parent_thread_id)
    const isSubAgent = payload.thread_source === 'subagent' || (subagent ?? parent) !== undefined
    if (this.#records > 1) this.#log.skip('inherited record')
    else if (id !== undefined && isSubAgent) {
      this.#agent = id
      this.#start = numberOf(payload.subagent_history_start_ordinal) ?? 0
      const name = stringOf(payload.agent_nickname ?? spawned.agent_nickname)
      this.#log.agent(id, { name, parent })
    }
  }

  *#events(type: unknown, payload: Fields, at: unknown): Iterable<RawEvent> {
    if (type === 'response_item') {
      // A sub-agent is given its task by another agent.
      const isHarness = (text: string) => this.#agent !== undefined || INJECTED.test(text)
      for (const event of this.#items.read(payload, at, isHarness)) {
        yield event.t === 'result' ? { ...event, ...outcomeOf(event.output) } : event
      }
    } else if (type === 'turn_context') {
      this.#model = payload.model
    } else if (type === 'compacted') {
      yield { t: 'compacted', at }
    } else if (type === 'token_usage_record') {
      yield* this.#usage('token_usage_record', payload.usage, at)
    } else if (type === 'event_msg' && typeOf(payload) === 'token_count') {
      const info = fieldsOf(payload.info)
      const { input_tokens, output_tokens } = fieldsOf(info.total_token_usage)
      this.#total = info.total_token_usage ?? this.#total
      const total = `${wordOf(input_tokens)} ${wordOf(output_tokens)}`
      // The same count is written again when only the rate limits changed.
      if (total !== this.#lastTotal) yield* this.#usage('token_count', info.last_token_usage, at)
      this.#lastTotal = total
    } else {
      this.#log.skipType(type === 'event_msg' ? `event_msg ${typeOf(payload)}` : type)
    }
  }

  *#usage(type: string, usage: unknown, at: unknown): Iterable<RawEvent> {
    this.#usageType ||= usage ? type : ''
    if (this.#usageType === type) yield { t: 'usage', usage, model: this.#model, at }
  }
}

/**
 * Finds out whether a call failed. Nothing marks failures: the exit code is in the text, and a
 * failed patch has none.
 */
function outcomeOf(output: unknown): { ok: boolean | undefined; exitCode: number | undefined } {
  const exitCode = exitCodeOf(output)
  const isFailed =
    fieldsOf(output).success === false ||
    (typeof output === 'string' && output.startsWith('apply_patch verification failed'))
  return { exitCode, ok: isFailed ? false : exitCode === undefined ? undefined : !exitCode }
}

/** The code stands before the command's own output or, in older versions, beside it in JSON. */
function exitCodeOf(output: unknown): number | undefined {
  const code = numberOf(fieldsOf(fieldsOf(parsed(output)).metadata).exit_code)
  if (code !== undefined || typeof output !== 'string') return code
  const [header] = output.slice(0, 2000).split(/^Output:$/m, 1)
  return exitCodeIn(header)
}
