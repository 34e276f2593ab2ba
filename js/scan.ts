/**
 * `scan`, with the detectors of this package.
 *
 * @module
 */

import { LoopDetector } from './detector.js'
import type { ScanOptions, ScanReport } from './transcripts/report.js'
import { scanWith } from './transcripts/shared.js'
import type { PresetName } from './types.js'

/**
 * Reads a transcript and reports where its agents were stuck in a loop, and what that cost. Each
 * agent is judged by its own detector, and every call counts as having run.
 *
 * @param transcript The text or the data of a transcript in any known format.
 * @param options A preset's name, or a detector's options and, if wanted, the `format`.
 * @throws TypeError when the transcript cannot be read; it says what was expected, and where.
 *
 * @example
 * ```ts
 * const report = scan(messages)
 * for (const { kind, from, to, wasted } of report.loops) console.log(kind, from, to, wasted)
 * ```
 */
export function scan(transcript: unknown, options: PresetName | ScanOptions = {}): ScanReport {
  return scanWith(LoopDetector, transcript, options)
}
