/**
 * Opens a transcript: data stays as it is, text is parsed as JSON or as JSON lines.
 *
 * @module
 */

import { reasonOf } from '../describe.js'
import { asFields, type TranscriptInput } from './reader.js'

/**
 * Opens a transcript.
 *
 * @throws TypeError when it is text that is not JSON; for JSON lines, with the number of the line.
 */
export function openTranscript(transcript: unknown): TranscriptInput {
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
  return isLoneItem(whole) ? fromData([whole]) : fromData(whole)
}

function fromData(value: unknown): TranscriptInput {
  return { value, place: (index) => `item ${index}` }
}

/** JSON lines with a single line parse as a whole: one event or message, not a list of them. */
function isLoneItem(value: unknown): boolean {
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
