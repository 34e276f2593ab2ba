/**
 * Unpacks the files that transcripts come in: gzip, Zstandard, and the zip that Inspect writes.
 *
 * The runtime unpacks gzip and zip. Not every runtime has Zstandard, so the host passes a function
 * for it.
 *
 * @module
 */

import { parseJson } from './data.js'
import { decodeText } from './lines.js'

/** Decompresses bytes, as a whole or in chunks. */
export type Decompress = (
  bytes: Uint8Array,
) => Uint8Array | Promise<Uint8Array> | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Options of {@link unpackTranscript}. */
export interface UnpackOptions {
  /**
   * Decompresses Zstandard, which Codex uses for old sessions. Without it, such files are refused.
   * `maxBytes` stops it early only if it returns chunks one after the other.
   */
  zstd?: Decompress
  /** The most bytes that are unpacked; 1 GiB if absent. */
  maxBytes?: number
}

/**
 * Unpacks a file, if it is packed, into what {@link readTranscript} reads: its text, or for an
 * `.eval` file of Inspect the log as one object.
 *
 * @throws TypeError when the file is damaged, too large, or packed in a way that is not known.
 *
 * @example
 * ```ts
 * const transcript = readTranscript(await unpackTranscript(new Uint8Array(await file.arrayBuffer())))
 * ```
 */
export async function unpackTranscript(
  bytes: Uint8Array,
  options: UnpackOptions = {},
): Promise<unknown> {
  const limit = options.maxBytes ?? 2 ** 30
  if (startsWith(bytes, [0x1f, 0x8b])) return decodeText(await inflate(bytes, 'gzip', limit))
  if (startsWith(bytes, ZSTD)) return decodeText(await unzstd(bytes, options, limit))
  if (startsWith(bytes, [0x50, 0x4b, 3, 4])) return readEval(bytes, options, limit)
  return decodeText(bytes)
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

async function unzstd(
  bytes: Uint8Array,
  { zstd }: UnpackOptions,
  limit: number,
): Promise<Uint8Array> {
  if (!zstd) throw new TypeError('transcript: packed with Zstandard; options.zstd is needed')
  return collect(chunks(), 'Zstandard', limit)

  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    const unpacked = await zstd?.(bytes)
    if (unpacked instanceof Uint8Array) yield unpacked
    else if (unpacked) yield* unpacked
  }
}

function damaged(what: string, cause?: unknown): TypeError {
  return new TypeError(`transcript: the ${what} data is damaged`, { cause })
}

/** Inflates with the runtime's own decompressor. */
async function inflate(
  bytes: Uint8Array,
  format: 'gzip' | 'deflate-raw',
  limit: number,
): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
  const reader = source.pipeThrough(new DecompressionStream(format)).getReader()
  return collect(chunks(), format, limit)

  // Safari cannot iterate over a stream.
  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    } finally {
      await reader.cancel()
    }
  }
}

/** Joins chunks, up to a limit: a small file may hold terabytes. */
async function collect(
  source: AsyncIterable<Uint8Array>,
  what: string,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw damaged(what, cause)
  }
  if (size > limit) throw new TypeError(`transcript: more than ${limit} bytes when unpacked`)
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Combines the header and the samples of an Inspect log. */
async function readEval(
  bytes: Uint8Array,
  options: UnpackOptions,
  limit: number,
): Promise<unknown> {
  const entries = zipEntries(bytes)
  let rest = limit
  const read = async (entry: ZipEntry): Promise<unknown> => {
    const content = await unpackEntry(entry, options, rest)
    rest -= content.length
    try {
      return parseJson(decodeText(content))
    } catch (cause) {
      throw damaged(`zip entry ${entry.name}`, cause)
    }
  }
  const find = (name: string) => entries.find((entry) => entry.name === name)
  // A run that was interrupted has only what was known at its start.
  const header = find('header.json') ?? find('_journal/start.json')
  if (!header) throw new TypeError('transcript: a zip without header.json is not a log of Inspect')
  const log = await read(header)
  const samples: unknown[] = []
  for (const entry of entries) {
    if (/^samples\/.+\.json$/.test(entry.name)) samples.push(await read(entry))
  }
  return { version: 2, ...(log as object), samples }
}

async function unpackEntry(
  { method, data }: ZipEntry,
  options: UnpackOptions,
  limit: number,
): Promise<Uint8Array> {
  if (method === 0) return data
  if (method === 8) return inflate(data, 'deflate-raw', limit)
  if (method === 93) return unzstd(data, options, limit)
  throw new TypeError(`transcript: zip method ${method} is not known`)
}

/** A file in a zip. */
interface ZipEntry {
  readonly name: string
  /** How it is compressed: 0 not at all, 8 deflate, 93 Zstandard. */
  readonly method: number
  readonly data: Uint8Array
}

/** Signatures and sizes of a zip's records. */
const END = { signature: 0x06054b50, size: 22 }
const DIRECTORY = { signature: 0x02014b50, size: 46 }
const LOCAL = { signature: 0x04034b50, size: 30 }

/** Lists the files in a zip by its central directory. */
function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return [...entriesOf(bytes, view)]
  } catch (cause) {
    // An offset points outside the file.
    throw cause instanceof TypeError ? cause : damaged('zip', cause)
  }
}

function* entriesOf(bytes: Uint8Array, view: DataView): Iterable<ZipEntry> {
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== DIRECTORY.signature) throw damaged('zip')
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    )
    const start = at + DIRECTORY.size
    const name = decodeText(bytes.subarray(start, start + nameLength))
    const size = view.getUint32(at + 20, true)
    yield { name, method: view.getUint16(at + 10, true), data: dataAt(bytes, view, at, size) }
    at = start + nameLength + extraLength + commentLength
  }
}

/** Finds the record at the end of the file, which a comment may follow. */
function endOf(view: DataView): number {
  const last = view.byteLength - END.size
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) === END.signature) return at
  }
  throw damaged('zip')
}

function dataAt(bytes: Uint8Array, view: DataView, entry: number, size: number): Uint8Array {
  const local = view.getUint32(entry + 42, true)
  if (view.getUint32(local, true) !== LOCAL.signature) throw damaged('zip')
  const start =
    local + LOCAL.size + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  if (start + size > bytes.length) throw damaged('zip')
  return bytes.subarray(start, start + size)
}
