/**
 * Reads and judges one file: the work that is spread over threads.
 *
 * @module
 */

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { decompress } from 'fzstd'
import type { LoopDetectorOptions, PriceTable, ScanOptions, ScanReport } from 'loophound'
import {
  MAX_LINE,
  scan,
  scanStream,
  streamTranscript,
  unpackTranscript,
} from 'loophound/transcripts'
import { addSpent, LISTED, type SessionReport } from '../../report/folder-report.js'
import { readEventFolder } from './event-folder.js'

/** How files are judged. Plain data, because it is sent to the threads. */
export interface JudgeSettings {
  readonly options: LoopDetectorOptions
  readonly input: NonNullable<ScanOptions['format']>
  readonly prices: PriceTable | undefined
  /** Loops that waste fewer calls are left out. */
  readonly minWasted: number
  /** Whether arguments, outputs and folders are left out. */
  readonly redact: boolean
  /** Which calls are listed: none, those of stuck sessions, or all. */
  readonly timeline: 'none' | 'stuck' | 'all'
}

/** The outcome of a file. */
export type FileOutcome =
  | { readonly state: 'read'; readonly session: SessionReport }
  /** The file is not a transcript. */
  | { readonly state: 'other'; readonly file: string; readonly reason: string }
  /** The file cannot be read. */
  | { readonly state: 'failed'; readonly file: string; readonly reason: string }

/**
 * Reads and judges a file; `-` is standard input. Never throws.
 *
 * @param onRead Called with the number of bytes while a large file is read.
 */
export async function judgeFile(
  file: string,
  settings: JudgeSettings,
  onRead: (bytes: number) => void,
): Promise<FileOutcome> {
  const shown = settings.redact ? baseName(file) : file
  try {
    const report = await read(file, settings, onRead)
    return { state: 'read', session: sessionOf(shown, report, settings) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    const isOther = /which is none of the known forms|found empty text/.test(reason)
    const state = isOther || isSettingsFile(file, code) ? 'other' : 'failed'
    return { state, file: shown, reason }
  }
}

/** Returns whether a file that could not be read is JSON with comments, as settings often are. */
function isSettingsFile(file: string, code: string | undefined): boolean {
  if (code !== undefined || !file.endsWith('.json')) return false
  const text = new TextDecoder().decode(startOf(file, BLOCK))
  // A text in JSON cannot begin on another line.
  return /^\s*\/[/*]/m.test(text)
}

/** Returns the last part of a path: folders may identify a person. */
export function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file
}

function sessionOf(file: string, report: ScanReport, settings: JudgeSettings): SessionReport {
  const { findings, first, timeline, ...rest } = report
  const loops = report.loops.filter(({ wasted }) => wasted >= settings.minWasted)
  const isShown = settings.timeline === 'all' || loops.length > 0
  return {
    file,
    ...rest,
    loops,
    stuck: loops.length > 0,
    waste: loops.length === report.loops.length ? report.waste : wasteOf(loops, report.waste.calls),
    timeline: isShown ? (timeline?.slice(0, LISTED.calls) ?? null) : null,
  }
}

/** Returns the waste without the loops that are left out. */
function wasteOf(loops: ScanReport['loops'], most: number): ScanReport['waste'] {
  const sum = (figure: (loop: ScanReport['loops'][number]) => number) =>
    loops.reduce((total, loop) => total + figure(loop), 0)
  return {
    calls: Math.min(
      most,
      sum(({ wasted }) => wasted),
    ),
    avoidable: Math.min(
      most,
      sum(({ avoidable }) => avoidable),
    ),
    ...addSpent(loops),
  }
}

function scanOptions(settings: JudgeSettings): ScanOptions {
  const { options, input, prices, redact, timeline } = settings
  return {
    ...options,
    format: input,
    timeline: timeline !== 'none',
    ...(prices && { prices }),
    ...(redact && { redact: (_name: string, args: unknown) => outline(args), evidence: 'none' }),
  }
}

/** The first bytes of packed files. */
const PACKED = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x4b, 3, 4],
]
const MEGABYTE = 1024 * 1024
/** Files up to this size are read as a whole, unless their name says that they contain lines. */
const MAX_WHOLE = 32 * MEGABYTE
/** A document on a single line cannot be read in blocks. It may be this large. */
const MAX_DOCUMENT = 128 * MEGABYTE

async function read(
  file: string,
  settings: JudgeSettings,
  onRead: (bytes: number) => void,
): Promise<ScanReport> {
  const options = scanOptions(settings)
  if (file === '-') return readInput(settings, options)
  const stats = statSync(file)
  if (stats.isDirectory()) return scan(readEventFolder(file), options)
  const { size } = stats
  if (isPacked(startOf(file, 4))) return scan(await unpack(readFileSync(file)), options)
  const isSmall = !/\.(jsonl|ndjson)$/.test(file) && size <= MAX_WHOLE
  if (isSmall || (size > MAX_LINE && size <= MAX_DOCUMENT && isOneLine(file))) {
    return scan(readFileSync(file), options)
  }
  return scanStream(streamTranscript(blocksOf(file, onRead), settings.input), options)
}

/** Reads standard input: as a whole if it is small or packed, else in blocks. */
async function readInput(settings: JudgeSettings, options: ScanOptions): Promise<ScanReport> {
  const input = blocksIn(STANDARD_INPUT)
  const start: Buffer[] = []
  let size = 0
  for (let next = input.next(); !next.done; next = input.next()) {
    start.push(Buffer.from(next.value))
    size += next.value.length
    if (size > MAX_WHOLE && !isPacked(start[0] ?? next.value)) {
      const blocks = joined(start, input)
      return scanStream(streamTranscript(blocks, settings.input), options)
    }
  }
  return scan(await unpack(Buffer.concat(start)), options)
}

function* joined(
  start: readonly Uint8Array[],
  rest: Iterable<Uint8Array>,
): Generator<Uint8Array, void, void> {
  yield* start
  yield* rest
}

const unpack = (bytes: Uint8Array) => unpackTranscript(bytes, { zstd: decompress })

function isPacked(start: Uint8Array): boolean {
  return PACKED.some((magic) => magic.every((byte, index) => start[index] === byte))
}

/** Returns whether the first line is longer than a line may be. */
function isOneLine(file: string): boolean {
  return [BLOCK, MAX_LINE].every((most) => !startOf(file, most).includes(LINE_FEED))
}

const LINE_FEED = 10

/** Returns the first bytes of a file. */
function startOf(file: string, most: number): Uint8Array {
  const start = Buffer.alloc(most)
  const handle = openSync(file, 'r')
  try {
    return start.subarray(0, readSync(handle, start, 0, most, 0))
  } finally {
    closeSync(handle)
  }
}

const BLOCK = 256 * 1024
/** How many blocks are read between two progress reports. */
const REPORTED = 16

/** Reads a file block by block. Each block is valid until the next one is requested. */
function* blocksOf(
  file: string,
  onRead: (bytes: number) => void,
): Generator<Uint8Array, void, void> {
  const handle = openSync(file, 'r')
  try {
    let count = 0
    for (const block of blocksIn(handle)) {
      yield block
      count += 1
      if (count % REPORTED === 0) onRead(REPORTED * BLOCK)
    }
  } finally {
    closeSync(handle)
  }
}

const STANDARD_INPUT = 0

function* blocksIn(handle: number): Generator<Uint8Array, void, void> {
  const block = Buffer.allocUnsafe(BLOCK)
  for (;;) {
    const length = readSync(handle, block, 0, BLOCK, null)
    if (length === 0) return
    yield block.subarray(0, length)
  }
}

/** Describes the shape of arguments without their content. */
function outline(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return `${value.length} characters`
  if (typeof value !== 'object' || value === null) return typeof value
  if (Array.isArray(value)) return `${value.length} items`
  if (depth > 2) return 'object'
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([key, inner]) => [key, outline(inner, depth + 1)]),
  )
}
