/**
 * Reads any known transcript as neutral events.
 *
 * @module
 */

import type {
  AgentEvent,
  AgentInfo,
  AgentTranscript,
  ScanOptions,
  SkippedRecords,
  Transcript,
  TranscriptFormat,
} from 'loophound'
import { reasonOf } from '../input/check.js'
import { type FormatOf, unwrap, wayToTranscript } from './containers.js'
import { parseJson } from './data.js'
import { checkFormat, findReader, readerFor } from './formats.js'
import { decodeText, recordsIn, splitLines } from './lines.js'
import { type RawEvent, tidy } from './raw-event.js'
import { ReadLog, type TranscriptReader } from './reader.js'

type Format = NonNullable<ScanOptions['format']>

/** How many records are used to recognise the format. */
const HEAD = 64

/**
 * Reads a transcript without judging it: the first half of {@link scan}, whose second half is
 * {@link replay}.
 *
 * @param transcript The text of a file, its bytes in UTF-8 or UTF-16, or the data that was in it.
 * @param format The transcript's format; recognised by its first records if absent or `auto`.
 * @throws TypeError when it cannot be read; it says what was expected, and where.
 * @throws RangeError when there is no format of that name.
 *
 * @example
 * ```ts
 * const { format, agents, skipped } = readTranscript(await readFile('session.jsonl', 'utf8'))
 * ```
 */
export function readTranscript(transcript: unknown, format: Format = 'auto'): Transcript {
  const stream = openTranscript(transcript, format)
  const threads = new Map<string, AgentEvent[]>()
  for (const event of stream) {
    const id = event.agent ?? ''
    const events = threads.get(id)
    if (events) events.push(event)
    else threads.set(id, [event])
  }
  // A known agent may have done nothing.
  for (const id of stream.agents.keys()) if (!threads.has(id)) threads.set(id, [])
  if (threads.size === 0) threads.set('', [])
  const agents = Array.from(
    threads,
    ([id, events]): AgentTranscript => ({ id, ...stream.agents.get(id), events }),
  )
  agents.sort((a, b) => Number(a.id !== '') - Number(b.id !== ''))
  const events = agents[0]?.events ?? []
  return { format: stream.format, agents, events, skipped: stream.skipped }
}

/** A transcript that is read while it is iterated over. It can be iterated over once. */
export interface TranscriptStream extends Iterable<AgentEvent> {
  /** The format, as recognised. */
  readonly format: TranscriptFormat
  /** What was skipped so far, and how many times. */
  readonly skipped: readonly SkippedRecords[]
  /** What is known about agents so far, by id. */
  readonly agents: ReadonlyMap<string, AgentInfo>
}

/**
 * Reads a transcript that comes in chunks, in constant memory if the format allows it.
 *
 * Only JSON lines, and JSON values over several lines, can be read in chunks. For a file that is one
 * JSON document on a single line, use {@link readTranscript}.
 *
 * @param chunks Text or UTF-8, such as the blocks of a file.
 * @throws TypeError immediately when the format is not recognised, and during iteration when
 * nothing can be read.
 */
export function streamTranscript(
  chunks: Iterable<string | Uint8Array>,
  format: Format = 'auto',
): TranscriptStream {
  checkFormat(format)
  return guarded(() => {
    const log = new ReadLog()
    const stream = openRecords(recordsIn(splitLines(chunks), log), format, log, true)
    // Any format would do for no lines at all.
    if (log.index === 0) throw emptyText()
    return stream
  })
}

/** Reads a transcript that is given as a whole, while it is iterated over. */
export function openTranscript(transcript: unknown, format: Format): TranscriptStream {
  checkFormat(format)
  return guarded(() => {
    const log = new ReadLog()
    const data = transcript instanceof Uint8Array ? decodeText(transcript) : transcript
    if (typeof data !== 'string') return openData(data, format, log)
    const text = data.startsWith('\uFEFF') ? data.slice(1) : data
    if (text.trim() === '') throw emptyText()
    let whole: unknown
    try {
      whole = parseJson(text)
    } catch {
      return openRecords(recordsIn(splitLines([text]), log), format, log, true)
    }
    return openData(whole, format, log)
  })
}

function emptyText(): TypeError {
  return new TypeError('transcript: looked for JSON or JSON lines; found empty text')
}

function openData(data: unknown, format: Format, log: ReadLog): TranscriptStream {
  const isList = Array.isArray(data)
  return openRecords(itemsOf(isList ? data : [data], log), format, log, isList)
}

function* itemsOf(list: readonly unknown[], log: ReadLog): Generator<unknown, void, void> {
  for (const [index, item] of list.entries()) {
    log.unit = 'item'
    log.index = index
    yield item
  }
}

/** Chooses the reader by the first records. */
function openRecords(
  records: Iterator<unknown>,
  format: Format,
  log: ReadLog,
  isList: boolean,
): TranscriptStream {
  const head: unknown[] = []
  const places: (readonly [ReadLog['unit'], number])[] = []
  while (head.length < HEAD) {
    const next = records.next()
    if (next.done) break
    head.push(next.value)
    places.push([log.unit, log.index])
  }
  if (head.length === 0 && log.problem !== undefined) {
    const problem = log.problem.replace(/^transcript: /, '')
    throw new TypeError(
      `transcript: looked for JSON or JSON lines; found text that is neither: ${problem}`,
    )
  }
  ;[log.unit, log.index] = places[0] ?? [log.unit, log.index]
  const formatOf: FormatOf = (found) => findReader(found, format)?.name
  const way = formatOf(head) ? null : wayToTranscript(head[0], formatOf)
  const reader = readerFor(way ? unwrap(head[0], way).slice(0, HEAD) : head, format, isList, log)
  return {
    format: reader.name,
    agents: log.agents,
    get skipped() {
      return log.skipped
    },
    [Symbol.iterator]: () => events(reader, all(), log),
  }

  function* all(): Generator<unknown, void, void> {
    for (const [index, record] of head.entries()) {
      ;[log.unit, log.index] = places[index] ?? ['item', index]
      yield* way ? unwrap(record, way) : [record]
    }
    for (let next = records.next(); !next.done; next = records.next()) {
      yield* way ? unwrap(next.value, way) : [next.value]
    }
  }
}

/** Checks what the reader yields, and numbers the turns of each agent. */
function* events(
  reader: TranscriptReader,
  records: Iterable<unknown>,
  log: ReadLog,
): Generator<AgentEvent, void, void> {
  const turns = new Map<string, number>()
  let isEmpty = true
  const source = guarded(() => reader.read(records, log)[Symbol.iterator]())
  const pull = () => {
    const next = source.next()
    return next.done ? undefined : numbered(next.value, turns)
  }
  for (;;) {
    const event = guarded(pull)
    if (event === undefined) break
    if (event === null) continue
    if (typeof event === 'string') {
      log.unreadable(event, `transcript: ${log.place}: found ${event}`)
      continue
    }
    isEmpty = false
    yield event
  }
  if (isEmpty && log.problem !== undefined) throw new TypeError(log.problem)
}

/** Returns an event in its public form, with its turn, or what {@link tidy} returns instead. */
function numbered(raw: RawEvent, turns: Map<string, number>): AgentEvent | string | null {
  const event = tidy(raw)
  if (event === null || typeof event === 'string') return event
  const agent = event.agent ?? ''
  if (event.t === 'turn') turns.set(agent, (turns.get(agent) ?? 0) + 1)
  if ((event.t !== 'call' && event.t !== 'usage') || raw.t === 'checked') return event
  const turn = turns.get(agent)
  return turn === undefined ? event : { ...event, turn }
}

/** Turns whatever a getter, a proxy or the stack throws into a TypeError. */
function guarded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const reason = reasonOf(error)
    if (error instanceof TypeError && reason.startsWith('transcript')) throw error
    throw new TypeError(`transcript could not be read: ${reason}`, { cause: error })
  }
}
