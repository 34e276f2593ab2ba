/**
 * The transcript formats there are, and which of them a transcript is in.
 *
 * @module
 */

import { describe } from '../describe.js'
import { eventsReader } from './events.js'
import { openAiChatReader } from './openai-chat.js'
import { describeInput, type TranscriptInput, type TranscriptReader } from './reader.js'

/** All readers, in the order in which they are tried. */
const READERS: readonly TranscriptReader[] = [eventsReader, openAiChatReader]

/**
 * The reader for a transcript.
 *
 * @param format A format's name, or `auto` to find out by looking.
 * @throws TypeError when no reader knows the form.
 * @throws RangeError when there is no format of that name.
 */
export function readerFor(input: TranscriptInput, format: unknown): TranscriptReader {
  const reader = READERS.find((known) =>
    format === 'auto' ? known.matches(input) : known.name === format,
  )
  if (reader) return reader
  if (format === 'auto') {
    const known = READERS.map(({ describes }) => `\n- ${describes}`).join('')
    throw new TypeError(
      `transcript: found ${describeInput(input)}, which is none of the known forms:${known}`,
    )
  }
  const names = ['auto', ...READERS.map(({ name }) => name)].map((name) => `"${name}"`)
  const expected = `options.format must be one of ${names.join(', ')}; got ${describe(format)}`
  throw typeof format === 'string' ? new RangeError(expected) : new TypeError(expected)
}
