/**
 * Any known transcript as neutral events.
 *
 * @module
 */

import { reasonOf } from '../describe.js'
import type { AgentEvent, ScanOptions, TranscriptFormat } from '../types.js'
import { readerFor } from './formats.js'
import { openTranscript } from './input.js'

/** A transcript that has been read. */
export interface Transcript {
  /** The form it was in. */
  readonly format: TranscriptFormat
  /** What happened, in order. */
  readonly events: AgentEvent[]
}

/**
 * Reads a transcript without judging it: the first half of {@link scan}, whose second half is
 * {@link replay}.
 *
 * @param format The transcript's form; found out by looking if absent or `auto`.
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
