/**
 * Reads any known transcript as neutral events.
 *
 * @module
 */

import { reasonOf } from '../input/check.js'
import type { AgentEvent, ScanOptions, TranscriptFormat } from '../types.js'
import { readerFor } from './formats.js'
import { asFields, type TranscriptInput } from './reader.js'

/** A transcript that has been read. */
export interface Transcript {
  /** The format it was in. */
  readonly format: TranscriptFormat
  /** What happened, in order. */
  readonly events: AgentEvent[]
}

/**
 * Reads a transcript without judging it: the first half of {@link scan}, whose second half is
 * {@link replay}.
 *
 * @param format The transcript's format; recognised by its first item if absent or `auto`.
 * @throws TypeError when it cannot be read; it says what was looked for, and where.
 * @throws RangeError when there is no format of that name.
 *
 * @example
 * ```ts
 * const { format, events } = readTranscript(await readFile('session.jsonl', 'utf8'))
 * ```
 */
export function readTranscript(
  transcript: unknown,
  format: ScanOptions['format'] = 'auto',
): Transcript {
  try {
    const input = openTranscript(transcript)
    const reader = readerFor(input, format)
    return { format: reader.name, events: [...reader.read(input)] }
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error
    // A getter or proxy in the transcript threw something of its own.
    throw new TypeError(`transcript could not be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** Opens a transcript: data stays as it is, text is parsed as JSON or as JSON lines. */
function openTranscript(transcript: unknown): TranscriptInput {
  if (typeof transcript !== 'string') return fromData(transcript)
  const text = transcript.startsWith('\uFEFF') ? transcript.slice(1) : transcript
  if (text.trim() === '') {
    throw new TypeError('transcript: looked for JSON or JSON lines; found empty text')
  }
  let whole: unknown
  try {
    whole = JSON.parse(text)
  } catch (error) {
    return fromLines(text, error)
  }
  return isSingleItem(whole) ? fromData([whole]) : fromData(whole)
}

function fromData(value: unknown): TranscriptInput {
  return { value, place: (index) => `item ${index}` }
}

/** Recognises JSON lines with a single line, which parse as one event or message, not as a list. */
function isSingleItem(value: unknown): boolean {
  const fields = asFields(value)
  return fields !== null && (typeof fields.t === 'string' || typeof fields.role === 'string')
}

function fromLines(text: string, whyNotWhole: unknown): TranscriptInput {
  const items: unknown[] = []
  const numbers: number[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue
    try {
      items.push(JSON.parse(line))
    } catch (error) {
      throw badLine(index + 1, items.length === 0 ? whyNotWhole : error, items.length === 0)
    }
    numbers.push(index + 1)
  }
  return { value: items, place: (index) => `line ${numbers[index]}` }
}

function badLine(number: number, cause: unknown, isFirst: boolean): TypeError {
  const problem = isFirst
    ? `looked for JSON or JSON lines; found text that is neither, from line ${number} on`
    : `line ${number} is not JSON`
  return new TypeError(`transcript: ${problem}: ${reasonOf(cause)}`, { cause })
}
