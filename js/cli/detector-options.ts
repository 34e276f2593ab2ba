/**
 * `--preset` and `--options`.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { LoopDetector, type LoopDetectorOptions, type PresetName } from 'loophound'
import { UsageError } from './usage.js'

export const DETECTOR_OPTIONS = {
  preset: { type: 'string' },
  options: { type: 'string' },
} as const

/** @throws UsageError for a file or a value that will not do. */
export function detectorOptions(
  given: { preset?: string | undefined; options?: string | undefined },
  code = 2,
): LoopDetectorOptions {
  const options: LoopDetectorOptions =
    given.options === undefined ? {} : readOptions(given.options, code)
  if (given.preset !== undefined) options.preset = given.preset as PresetName
  try {
    new LoopDetector(options).free()
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`, undefined, code)
  }
  return options
}

function readOptions(file: string, code: number): LoopDetectorOptions {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `--options ${file}: ${(error as Error).message}.`,
      'It must be a file with the options of a LoopDetector as JSON.',
      code,
    )
  }
}
