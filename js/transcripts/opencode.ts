/**
 * Reads exports of opencode and Kilo: a call and its result are one part, and steps are separated by
 * parts of their own. What `opencode run --format json` prints is read as well: the same parts, each
 * on a line.
 *
 * @module
 */

import {
  asFields,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  stringOf,
  typeOf,
  wordOf,
} from './data.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'
import { readSteps } from './steps.js'

/** The reader of opencode exports. */
export const opencodeReader: TranscriptReader = {
  name: 'opencode',
  describes: 'opencode (an object with `info` and `messages`, each with `info` and `parts`)',
  keys: ['info', 'messages', 'parts'],
  matches: (head) =>
    peek(head, ['messages']).some(
      (record) =>
        isPrinted(record) ||
        (Array.isArray(record.parts) && typeof asFields(record.info)?.role === 'string'),
    ),
  *read(records, log) {
    for (const { items, container, agent: run } of runsOf(records, ['messages'], log)) {
      const session = fieldsOf(container.info)
      const parent = stringOf(session.parentID)
      const agent = parent === undefined ? run : stringOf(session.id)
      if (agent !== undefined && parent !== undefined) {
        log.agent(agent, { parent, name: stringOf(session.title) })
      }
      const isSubAgent = parent !== undefined
      for (const message of asMessages(objectsIn(items, log))) {
        for (const event of readMessage(message, isSubAgent, log)) yield { ...event, agent }
      }
    }
  },
}

/** Returns whether a record is a part as `opencode run` prints it. */
function isPrinted({ type, sessionID, part }: Fields): boolean {
  return typeof type === 'string' && typeof sessionID === 'string' && asFields(part) !== null
}

/** Collects the printed parts of each step in a message; messages stay as they are. */
function* asMessages(records: Iterable<Fields>): Iterable<Fields> {
  let parts: Fields[] = []
  let created: unknown
  const step = () => ({ info: { role: 'assistant', time: { created } }, parts })
  for (const record of records) {
    if (!isPrinted(record)) {
      yield record
      continue
    }
    // Some versions leave out the type of the part.
    const type = record.type === 'tool_use' ? 'tool' : wordOf(record.type).replace('_', '-')
    const part = { type, ...fieldsOf(record.part) }
    if (parts.length === 0) created = record.timestamp
    parts.push(part)
    if (typeOf(part) !== 'step-finish') continue
    yield step()
    parts = []
  }
  if (parts.length > 0) yield step()
}

function* readMessage(message: Fields, isSubAgent: boolean, log: ReadLog): Iterable<RawEvent> {
  const info = fieldsOf(message.info)
  const at = fieldsOf(info.time).created
  const parts = listOf(message.parts).map(fieldsOf)
  if (info.role === 'user') yield* readUser(parts, at, isSubAgent)
  else if (info.role === 'assistant') yield* readAssistant(info, parts, at, log)
  else log.skip(`${stringOf(info.role) ?? 'unknown'} message`)
}

function* readUser(parts: readonly Fields[], at: unknown, isSubAgent: boolean): Iterable<RawEvent> {
  if (parts.some((part) => typeOf(part) === 'compaction')) yield { t: 'compacted', at }
  const texts = parts.filter((part) => typeOf(part) === 'text')
  if (texts.some(({ text }) => isRedacted(text))) throw sanitized()
  const spoken = texts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true)
  const text = texts.map((part) => wordOf(part.text)).join('\n')
  // A sub-agent is given its task by another agent.
  const isPerson = spoken.length > 0 && !isSubAgent
  yield { t: 'user', text, at, origin: isPerson ? undefined : 'harness' }
}

function* readAssistant(
  info: Fields,
  parts: readonly Fields[],
  at: unknown,
  log: ReadLog,
): Iterable<RawEvent> {
  const model = info.modelID
  const steps = parts.filter((part) => typeOf(part) === 'step-finish')
  yield* readSteps(parts, at, log, (part, type) => {
    if (type === 'tool') return readTool(part, at, log)
    if (type === 'compaction') return [{ t: 'compacted', at }]
    if (type !== 'step-finish') return null
    return [{ t: 'usage', usage: part.tokens, cost: part.cost, model, at }]
  })
  if (steps.length === 0) yield { t: 'usage', usage: info.tokens, cost: info.cost, model, at }
}

/** Returns the call of a part and, if it is complete, its result. */
function readTool(part: Fields, at: unknown, log: ReadLog): RawEvent[] {
  const { callID: id, tool: name } = part
  const state = fieldsOf(part.state)
  const { status, input } = state
  if (status === 'pending') {
    log.skip('unfinished call')
    return []
  }
  if ([input, state.output].some(isRedacted)) {
    throw sanitized()
  }
  const metadata = fieldsOf(state.metadata)
  const time = fieldsOf(state.time)
  const events: RawEvent[] = [{ t: 'call', id, name, args: input, at: time.start ?? at }]
  const child = name === 'task' ? (metadata.sessionId ?? metadata.sessionID) : undefined
  if (child !== undefined) events.push({ t: 'spawn', id, child, at })
  const exitCode = numberOf(metadata.exit)
  const done = { t: 'result', id, at: time.end ?? at, exitCode } as const
  if (status === 'completed') {
    // A command that failed is still completed.
    events.push({ ...done, ok: exitCode ? undefined : true, output: state.output })
  } else if (status === 'error') {
    const denied = /rejected permission|dismissed this question/.test(wordOf(state.error))
    events.push({ ...done, ok: false, output: state.error, denied })
  }
  return events
}

function sanitized(): TypeError {
  return new TypeError(
    'transcript: this export was sanitized: calls and results are replaced by "[redacted:…]"',
  )
}

function isRedacted(value: unknown): boolean {
  const text = asFields(value) ? Object.values(fieldsOf(value))[0] : value
  return typeof text === 'string' && text.startsWith('[redacted:')
}
