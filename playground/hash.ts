/**
 * The state of the page as text for the part of its address after `#`, and back. What is there never
 * leaves the browser by itself.
 *
 * @module
 */

import type { LoopDetectorOptions } from 'loophound'
import { MOVES, type Move } from './simulation.js'

/** What a link carries. */
export interface Shared {
  /** The version of loophound that the link was made with. */
  readonly engine: string
  readonly view: View
  /** The options, and those to compare with. */
  readonly sets: readonly [LoopDetectorOptions, LoopDetectorOptions]
  readonly format: string
  /** What the simulated agent did. */
  readonly moves: readonly Move[]
  /** The transcript, if it was asked for. */
  readonly source: { readonly name: string; readonly text: string } | null
}

export const VIEWS = ['session', 'compare', 'text', 'agent'] as const
export type View = (typeof VIEWS)[number]

const PREFIX = 'v1.'

/** Characters of the longest link. Longer ones are cut off in mails, chats and issues. */
export const MAX_LINK = 32_000
/** Characters that a link may hold when it is unpacked. */
const MAX_UNPACKED = 8_000_000

/**
 * Writes the part of a link after `#`.
 *
 * @throws RangeError when it would be too long.
 */
export async function writeHash(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared))
  const packed = await collect(
    streamOf(bytes).pipeThrough(new CompressionStream('deflate-raw')),
    MAX_LINK,
  )
  const hash = packed && PREFIX + toBase64Url(packed)
  if (!hash || hash.length > MAX_LINK) {
    throw new RangeError(
      `This is too much for a link: more than ${MAX_LINK / 1000} kB even when it is compressed.`,
    )
  }
  return hash
}

/**
 * Reads the part of a link after `#`.
 *
 * @throws TypeError when it was not made by this page, or is damaged.
 */
export async function readHash(hash: string): Promise<Shared> {
  if (!hash.startsWith(PREFIX)) throw new TypeError('This link was not made by this page.')
  if (hash.length > MAX_LINK) throw new TypeError('This link is too long.')
  let data: unknown
  try {
    const packed = fromBase64Url(hash.slice(PREFIX.length))
    const bytes = await collect(
      streamOf(packed).pipeThrough(new DecompressionStream('deflate-raw')),
      MAX_UNPACKED,
    )
    if (!bytes) throw new RangeError('too large')
    data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new TypeError('This link is damaged: it cannot be unpacked.', { cause })
  }
  return readShared(data)
}

/**
 * Checks data of unknown origin. Options are checked by the detector that gets them.
 *
 * @throws TypeError when it is not what a link carries.
 */
export function readShared(data: unknown): Shared {
  const { engine, view, sets, format, moves, source } = isRecord(data) ? data : {}
  if (
    typeof engine !== 'string' ||
    !isOneOf(view, VIEWS) ||
    !Array.isArray(sets) ||
    sets.length !== 2 ||
    !sets.every(isRecord) ||
    typeof format !== 'string' ||
    !Array.isArray(moves) ||
    !moves.every((move) => isOneOf(move, MOVES))
  ) {
    throw new TypeError('This link or file does not hold what this page saves.')
  }
  const [first = {}, second = {}]: LoopDetectorOptions[] = sets
  return { engine, view, sets: [first, second], format, moves, source: readSource(source) }
}

function readSource(source: unknown): Shared['source'] {
  if (!isRecord(source)) return null
  const { name, text } = source
  return typeof name === 'string' && typeof text === 'string' ? { name, text } : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOneOf<T>(value: unknown, known: readonly T[]): value is T {
  return known.includes(value as T)
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream()
}

/** The bytes of a stream; `null` if there are more than that. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
    if (size > most) {
      await reader.cancel()
      return null
    }
  }
  const all = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}
