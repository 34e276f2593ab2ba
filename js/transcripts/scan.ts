/**
 * Judges a whole transcript at once.
 *
 * @module
 */

import type {
  LoopDetector,
  LoopDetectorOptions,
  PresetName,
  ScanOptions,
  ScanReport,
} from 'loophound'
import { describe, reading } from '../input/check.js'
import { toText } from '../input/json-text.js'
import type { Show } from './agent-counts.js'
import { PRICES } from './prices.js'
import { openTranscript, type TranscriptStream } from './read.js'
import { Session } from './session.js'

/** Makes detectors. The class itself is in another file of the package. */
export type Detectors = new (options: PresetName | LoopDetectorOptions) => LoopDetector

/** Judges a transcript that is given as a whole. */
export function scanWith(
  Detector: Detectors,
  transcript: unknown,
  options: PresetName | ScanOptions = {},
): ScanReport {
  const { format, ...settings } = readScanOptions(options)
  return judge(Detector, openTranscript(transcript, format), settings)
}

/** Judges a transcript while it is read. */
export function scanStreamWith(
  Detector: Detectors,
  stream: TranscriptStream,
  options: PresetName | ScanOptions = {},
): ScanReport {
  return judge(Detector, stream, readScanOptions(options))
}

function judge(
  Detector: Detectors,
  stream: TranscriptStream,
  { tuning, prices, timeline }: Omit<Settings, 'format'>,
): ScanReport {
  const detector = () => new Detector(tuning)
  // Mistakes in the options are reported whatever the transcript contains.
  detector().free()
  const show = timeline ? showWith(tuning.redact) : null
  const session = new Session({ detector, format: stream.format, prices, show })
  try {
    for (const event of stream) session.push(event)
    session.end()
  } finally {
    session.free()
  }
  return session.report(stream.agents, stream.skipped)
}

/** Returns a function that shows calls as text, redacted if requested. */
function showWith(redact: LoopDetectorOptions['redact']): Show {
  const text = (value: unknown) =>
    value === undefined ? '' : typeof value === 'string' ? value : toText(value, 'timeline')
  return (name, args, output) => {
    if (output !== undefined) {
      return redact ? `${text(output).length} characters` : text(output)
    }
    return text(redact ? redact(name, args) : args)
  }
}

interface Settings {
  readonly format: NonNullable<ScanOptions['format']>
  readonly tuning: LoopDetectorOptions
  readonly prices: NonNullable<ScanOptions['prices']> | null
  readonly timeline: boolean
}

/** Splits the options: how to read, how to judge, and what to report. */
function readScanOptions(options: unknown): Settings {
  if (typeof options === 'string') return readScanOptions({ preset: options })
  if (describe(options) !== 'an object') {
    throw new TypeError(
      `scan(options): options must be a preset name or an object; got ${describe(options)}`,
    )
  }
  return reading('scan(options): options', () => {
    const { format = 'auto', prices = PRICES, timeline = false, ...tuning } = options as ScanOptions
    // The calls of a transcript did run, whatever a detector would have decided.
    return { format, prices, timeline, tuning: { observe: true, ...tuning } }
  })
}
