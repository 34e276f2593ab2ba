/**
 * Reads the options of a command, and says what is wrong with them.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { LoopDetector, type LoopDetectorOptions, type PresetName } from 'loophound'

/** The command was called in a way it cannot work with. */
export class UsageError extends Error {
  /** What to do next. */
  readonly advice: string | undefined
  /** The exit code. */
  readonly code: number

  constructor(message: string, advice?: string, code = 2) {
    super(message)
    this.advice = advice
    this.code = code
  }
}

/**
 * Parses the arguments of a command.
 *
 * @throws UsageError for an unknown option, or one that lacks its value.
 */
export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  code = 2,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // The rest of Node's message explains how to pass a positional that begins with a dash.
    const [reason = ''] = (error as Error).message.split('. ')
    throw new UsageError(`${reason.replace(/\.$/, '')}.`, undefined, code)
  }
}

/** `--preset` and `--options`. */
export const DETECTOR_OPTIONS = {
  preset: { type: 'string' },
  options: { type: 'string' },
} as const

/**
 * Reads a detector's options from `--preset` and `--options`.
 *
 * @throws UsageError for a file that cannot be read, or a value that is not allowed.
 */
export function detectorOptions(
  given: { preset?: string | undefined; options?: string | undefined },
  code = 2,
): LoopDetectorOptions {
  const options: LoopDetectorOptions =
    given.options === undefined ? {} : readOptionsFile(given.options, code)
  if (given.preset !== undefined) options.preset = given.preset as PresetName
  try {
    new LoopDetector(options).free()
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`, undefined, code)
  }
  return options
}

function readOptionsFile(file: string, code: number): LoopDetectorOptions {
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
