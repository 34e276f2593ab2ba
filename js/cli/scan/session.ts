/**
 * Reads and judges one file: the work that is spread over threads.
 *
 * @module
 */

import { readFileSync, statSync } from 'node:fs'
import type { LoopDetectorOptions, PriceTable, ScanOptions, ScanReport } from 'loophound'
import {
  MAX_LINE,
  scan,
  scanStream,
  streamTranscript,
  unpackTranscript,
} from 'loophound/transcripts'
import { addSpent, LISTED, type SessionReport } from '../../report/folder-report.js'
import { blocksOf, packingOf, startOf, unpackBlocks, zstd } from './blocks.js'
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
  const text = new TextDecoder().decode(startOf(file, START))
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
  const loopsLeftOut = report.loops.length - loops.length
  const isShown = settings.timeline === 'all' || loops.length > 0
  return {
    file,
    ...rest,
    loops,
    ...(loopsLeftOut > 0 && { loopsLeftOut }),
    stuck: loops.length > 0,
    waste: loopsLeftOut === 0 ? report.waste : wasteOf(loops, report.waste.calls),
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

const MEGABYTE = 1024 * 1024
/** Most first lines are shorter. */
const START = MEGABYTE / 4
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
  if (file === '-') return readBlocks(blocksOf(file), settings)
  const stats = statSync(file)
  if (stats.isDirectory()) return scan(readEventFolder(file), options)
  if (packingOf(startOf(file, 4))) return readBlocks(blocksOf(file, onRead), settings)
  const { size } = stats
  const isSmall = !/\.(jsonl|ndjson)$/.test(file) && size <= MAX_WHOLE
  if (isSmall || (size > MAX_LINE && size <= MAX_DOCUMENT && isOneLine(file))) {
    return scan(readFileSync(file), options)
  }
  return scanStream(streamTranscript(blocksOf(file, onRead), settings.input), options)
}

/** Reads what may be packed, or whose size is not known beforehand. */
async function readBlocks(
  source: Iterator<Uint8Array>,
  settings: JudgeSettings,
): Promise<ScanReport> {
  const options = scanOptions(settings)
  const start = take(source, 1)
  const packing = packingOf(start.blocks[0] ?? new Uint8Array())
  if (packing === 'zip') {
    // The list of the files in a zip is at its end.
    const { blocks } = take(source, Number.POSITIVE_INFINITY)
    const bytes = Buffer.concat([...start.blocks, ...blocks])
    return scan(await unpackTranscript(bytes, { zstd }), options)
  }
  const packed = joined(start.blocks, source)
  const content = packing ? unpackBlocks(packed, packing) : packed
  const head = take(content, MAX_LINE)
  const isOneLine = head.blocks.every((block) => !block.includes(LINE_FEED))
  const more = take(content, (isOneLine ? MAX_DOCUMENT : MAX_WHOLE) - MAX_LINE)
  const blocks = [...head.blocks, ...more.blocks]
  if (more.isAll) return scan(Buffer.concat(blocks), options)
  if (isOneLine) throw new TypeError('transcript: found a line of more than 128 MiB')
  return scanStream(streamTranscript(joined(blocks, content), settings.input), options)
}

/** Takes blocks until they hold so many bytes, or until there are no more. */
function take(source: Iterator<Uint8Array>, most: number) {
  const blocks: Uint8Array[] = []
  let size = 0
  while (size < most) {
    const next = source.next()
    if (next.done) return { blocks, isAll: true }
    // A block is valid until the next one is requested.
    blocks.push(new Uint8Array(next.value))
    size += next.value.length
  }
  return { blocks, isAll: false }
}

/** The blocks that were taken are released as soon as they are read. */
function* joined(
  start: Uint8Array[],
  rest: Iterator<Uint8Array>,
): Generator<Uint8Array, void, void> {
  for (let block = start.shift(); block; block = start.shift()) yield block
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

/** Returns whether the first line is longer than a line may be. */
function isOneLine(file: string): boolean {
  return [START, MAX_LINE].every((most) => !startOf(file, most).includes(LINE_FEED))
}

const LINE_FEED = 10

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
