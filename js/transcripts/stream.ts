/**
 * Judges a transcript while it is read, in constant memory except for a few numbers for each call.
 *
 * @module
 */

import { LoopDetector, type PresetName, type ScanOptions, type ScanReport } from 'loophound'
import { scanStreamWith, type TranscriptStream } from './shared.js'

/**
 * Does what {@link scan} does, with a stream of {@link streamTranscript}. The stream decides the
 * `format`.
 *
 * @example
 * ```ts
 * const report = scanStream(streamTranscript(blocksOf('session.jsonl')))
 * ```
 */
export function scanStream(
  stream: TranscriptStream,
  options: PresetName | ScanOptions = {},
): ScanReport {
  return scanStreamWith(LoopDetector, stream, options)
}
