/**
 * Splits text into lines, and lines into records, one at a time, so that a file of any size can be
 * read in constant memory.
 *
 * @module
 */

import { reasonOf } from '../input/check.js'
import { parseJson } from './data.js'
import type { ReadLog } from './reader.js'

/** The longest line that is read, in characters. */
export const MAX_LINE = 8 * 1024 * 1024

/** What the first line of Aider's chat history begins with. */
export const AIDER_START = '# aider chat started at'

/** A line of text, or `null` for one that is longer than {@link MAX_LINE}. */
export type Line = string | null

/**
 * Decodes text in UTF-8, or in UTF-16 if its byte-order mark says so, as Windows PowerShell writes
 * it.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)
}

/**
 * Returns the encoding that a byte-order mark names, if it is not UTF-8. The first byte alone says
 * so as well: UTF-8 has no such byte.
 */
function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && (second ?? 0xfe) === 0xfe) return 'utf-16le'
  return first === 0xfe && (second ?? 0xff) === 0xff ? 'utf-16be' : undefined
}

/** Converts chunks in UTF-16 to strings; others stay as they are. */
function* withoutUtf16(
  chunks: Iterable<string | Uint8Array>,
): Generator<string | Uint8Array, void, void> {
  let decoder: TextDecoder | undefined
  let isStart = true
  for (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? undefined : chunk
    const encoding = isStart && bytes ? encodingOf(bytes) : undefined
    if (encoding) decoder = new TextDecoder(encoding)
    isStart &&= chunk.length === 0
    yield decoder && bytes ? decoder.decode(bytes, { stream: true }) : chunk
  }
}

/**
 * Returns the lines of text that comes in chunks, as strings, as UTF-8, or as UTF-16 with a
 * byte-order mark. That mark and the ends of lines (LF or CRLF) are left out; the last line need not
 * be terminated.
 *
 * Bytes are faster: each line is decoded separately, and a line of plain ASCII takes one byte per
 * character, whatever the other lines contain.
 *
 * @example
 * ```ts
 * for (const line of splitLines([await file.bytes()])) console.log(line)
 * ```
 */
export function* splitLines(chunks: Iterable<string | Uint8Array>): Generator<Line, void, void> {
  const decoder = new LineDecoder()
  let rest = ''
  let isTooLong = false
  let isStart = true
  const whole = (line: string) => {
    const text = isStart && line.startsWith('\uFEFF') ? line.slice(1) : line
    const result = isTooLong ? null : ended(text)
    rest = ''
    isTooLong = false
    isStart = false
    return result
  }
  for (const chunk of withoutUtf16(chunks)) {
    const isText = typeof chunk === 'string'
    let start = 0
    for (;;) {
      const end = isText ? chunk.indexOf('\n', start) : chunk.indexOf(LINE_FEED, start)
      if (end < 0) break
      yield whole(rest + (isText ? chunk.slice(start, end) : decoder.decode(chunk, start, end)))
      start = end + 1
    }
    const unfinished = isText ? chunk.slice(start) : decoder.begin(chunk, start)
    if (!isTooLong) rest += unfinished
    if (rest.length > MAX_LINE) {
      rest = ''
      isTooLong = true
    }
  }
  rest += decoder.end()
  if (isTooLong || rest !== '') yield whole(rest)
}

const LINE_FEED = 10

/** Decodes lines whose beginning may be in one chunk and whose end in another. */
class LineDecoder {
  // A decoder that was once used in streaming mode stays slow, so there are two.
  readonly #lines = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #parts = new TextDecoder('utf-8', { ignoreBOM: true })
  #isOpen = false

  /** Decodes a line, or the end of a line that began in an earlier chunk. */
  decode(chunk: Uint8Array, start: number, end: number): string {
    const bytes = chunk.subarray(start, end)
    if (!this.#isOpen) return this.#lines.decode(bytes)
    this.#isOpen = false
    return this.#parts.decode(bytes)
  }

  /** Decodes the part of a line that continues in the next chunk. */
  begin(chunk: Uint8Array, start: number): string {
    if (start === chunk.length) return ''
    this.#isOpen = true
    return this.#parts.decode(chunk.subarray(start), { stream: true })
  }

  /** Returns the rest of an incomplete character. */
  end(): string {
    return this.#isOpen ? this.#parts.decode() : ''
  }
}

function ended(line: string): Line {
  if (line.length > MAX_LINE) return null
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/**
 * Returns the records in lines: JSON lines, JSON values over several lines each (as Python's console
 * exporter writes them), or, for Aider, the lines themselves. A list stands for its items. Lines that
 * are too long or not JSON are counted and left out.
 */
export function* recordsIn(lines: Iterable<Line>, log: ReadLog): Generator<unknown, void, void> {
  let mode: 'json-lines' | 'values' | 'text' | undefined
  let number = 0
  const value = new ValueLines()
  for (const line of lines) {
    number += 1
    // Readers of lists count items in the same log.
    log.unit = 'line'
    log.index = number
    if (line === null) {
      log.unreadable('line longer than 8 MiB', `transcript: ${log.place} is longer than 8 MiB`)
      continue
    }
    mode ??= modeOf(line)
    if (mode === 'text') yield line
    else if (line.trim() !== '') {
      const text = mode === 'values' ? value.add(line) : line
      if (text !== undefined) yield* parse(text, log)
    }
  }
  const unfinished = value.end()
  if (unfinished) yield* parse(unfinished, log)
}

function modeOf(line: string): 'json-lines' | 'values' | 'text' | undefined {
  const start = line.trim()
  if (start === '') return undefined
  if (start.startsWith(AIDER_START)) return 'text'
  return start === '{' || start === '[' ? 'values' : 'json-lines'
}

function* parse(text: string, log: ReadLog): Iterable<unknown> {
  let value: unknown
  try {
    // A line may have been taken out of a list.
    value = parseJson(text.replace(/,\s*$/, ''))
  } catch (error) {
    log.unreadable('broken line', `transcript: ${log.place} is not JSON: ${reasonOf(error)}`)
    return
  }
  if (Array.isArray(value)) yield* value
  else yield value
}

/** Collects lines until their brackets are closed. */
class ValueLines {
  #lines: string[] = []
  #depth = 0

  /** Adds a line. Returns the text of a value when it is complete. */
  add(line: string): string | undefined {
    this.#lines.push(line)
    this.#depth += depthOf(line)
    return this.#depth <= 0 ? this.end() : undefined
  }

  /** Returns what has been collected, and starts over. */
  end(): string {
    const text = this.#lines.join('\n')
    this.#lines = []
    this.#depth = 0
    return text
  }
}

/**
 * Returns how many more brackets a line opens than it closes. A string never continues on the next
 * line.
 */
function depthOf(line: string): number {
  const bare = line.includes('"') ? line.replace(/"(?:[^"\\]|\\.)*"/g, '') : line
  let depth = 0
  for (const character of bare) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }
  return depth
}
