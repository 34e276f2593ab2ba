/**
 * Reads data of unknown shape: every function accepts any value, and none throws.
 *
 * @module
 */

/** An object whose properties may be read. */
export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = Object.freeze(Object.create(null))
const NO_ITEMS: readonly unknown[] = []

/** Content nested deeper than this is cut off. */
const MAX_DEPTH = 8

/** Returns the value if it is an object and not an array, else `null`. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null
}

/** Returns the value if it is an object, else an object without properties. */
export function fieldsOf(value: unknown): Fields {
  return asFields(value) ?? NO_FIELDS
}

/** Returns the value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ITEMS
}

/** Returns the value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns the value as text if it is a string or a number, else an empty text. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

/** Returns the value if it is a finite number, or the text of one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/**
 * Parses JSON. Python also writes `NaN` and `Infinity`, which are no JSON: they become `null`.
 *
 * @throws SyntaxError when it is not JSON otherwise.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/[\s:,[](?:NaN|-?Infinity)[\s,\]}]/.test(text)) throw error
    const strict = text.replace(/"(?:[^"\\]|\\.)*"|\bNaN\b|-?\bInfinity\b/g, (found) =>
      found.startsWith('"') ? found : 'null',
    )
    return JSON.parse(strict)
  }
}

/** Parses JSON text. Anything else, also text that is not JSON, is returned as it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value
  try {
    return parseJson(value)
  } catch {
    return value
  }
}

/**
 * Returns a time in milliseconds since 1970: from an ISO date (in UTC if it names no zone), or from
 * a number of seconds, milliseconds, microseconds or nanoseconds. A number of milliseconds that is
 * known to be one is given as `{ ms }`.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    // All events of a record have the same time.
    if (value !== latest.text) latest = { text: value, time: timeOfText(value) }
    return latest.time
  }
  const number = numberOf(value)
  return number === undefined ? numberOf(asFields(value)?.ms) : timeOfNumber(number)
}

let latest: { readonly text: string; readonly time: number | undefined } = {
  text: '',
  time: undefined,
}

function timeOfText(text: string): number | undefined {
  if (text.length > 64) return undefined
  const number = numberOf(text)
  if (number !== undefined) return timeOfNumber(number)
  const isLocal = /T[\d:.]+$/.test(text)
  const time = Date.parse(isLocal ? `${text}Z` : text)
  return Number.isNaN(time) ? undefined : time
}

function timeOfNumber(number: number): number {
  if (number < 1e11) return number * 1000
  if (number < 1e14) return number
  return number / (number < 1e17 ? 1e3 : 1e6)
}

/** Returns the type of a part, a block, an item or a record. */
export function typeOf(value: unknown): string {
  return stringOf(fieldsOf(value).type) ?? ''
}

/**
 * Joins the texts of content: a text, a part, or a list of these. An image becomes its media type
 * and a hash, so that equal images stay equal without their bytes.
 */
export function contentText(content: unknown, depth = 0): string {
  if (typeof content === 'string') return content
  if (depth > MAX_DEPTH) return ''
  if (Array.isArray(content)) return content.map((part) => contentText(part, depth + 1)).join('')
  const part = asFields(content)
  if (!part) return ''
  const image = imageOf(part)
  if (image !== undefined) return image
  const text = part.text ?? part.refusal ?? part.output_text ?? part.content ?? part.parts
  return text === undefined ? '' : contentText(text, depth + 1)
}

function imageOf(part: Fields): string | undefined {
  const source = fieldsOf(part.source ?? part.inlineData)
  const url = fieldsOf(part.image_url).url ?? part.image_url
  const bytes = source.data ?? url ?? part.data ?? part.image
  if (typeof bytes !== 'string') return undefined
  const media = source.media_type ?? source.mimeType ?? part.mediaType ?? part.mimeType
  return `[${stringOf(media) ?? 'image'} ${hash(bytes)}]`
}

/** Returns a short hash of a text (FNV-1a). */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return (value >>> 0).toString(16)
}

/** Returns what a tool returned: content as text, other data as it is. */
export function outputOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    // Search results and references have no text, but are not empty.
    return contentText(value) || (value.every(isTextPart) ? '' : value)
  }
  const fields = asFields(value)
  const isContent = fields !== null && (typeOf(fields) === 'text' || Array.isArray(fields.content))
  return isContent ? contentText(fields) : (value ?? undefined)
}

function isTextPart(part: unknown): boolean {
  return typeof part === 'string' || typeof fieldsOf(part).text === 'string'
}

/** Returns whether a call succeeded, by an error flag that may be absent. */
export function okUnless(isError: unknown): boolean | undefined {
  return typeof isError === 'boolean' ? !isError : undefined
}

/** Returns the exit code in a command's output, in the wording of known hosts. */
export function exitCodeIn(output: unknown): number | undefined {
  const found = /(?:exited with code|Exit code:|<returncode>|"exit_code":) ?(-?\d+)/.exec(
    typeof output === 'string' ? output.slice(0, 2000) : '',
  )
  return found ? Number(found[1]) : undefined
}
