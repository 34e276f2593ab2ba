/**
 * The known transcript formats, and how one is chosen.
 *
 * @module
 */

import { describe } from '../input/check.js'
import { eventsReader } from './events.js'
import { openAiChatReader } from './openai-chat.js'
import { describeInput, type TranscriptInput, type TranscriptReader } from './reader.js'

/** All readers, in the order in which they are tried. */
const READERS: readonly TranscriptReader[] = [eventsReader, openAiChatReader]

/**
 * Returns the reader for a transcript.
 *
 * @param format A format's name, or `auto` to recognise it by the first item.
 * @throws TypeError when no reader recognises it.
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
