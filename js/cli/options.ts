/**
 * Reads and checks the options of a command.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { LoopDetector, type LoopDetectorOptions, type PresetName } from 'loophound'
import { printable } from './terminal.js'

/** The error for a command that was called in the wrong way. */
export class UsageError extends Error {
  /** Identifies the error: each file of the command has its own copy of this class. */
  override readonly name = 'UsageError'
  /** What to do next. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
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
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // The rest of Node's message explains how to pass a positional that begins with a dash.
    const [reason = ''] = (error as Error).message.split('. ')
    throw new UsageError(`${printable(reason.replace(/\.$/, ''))}.`)
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
export function detectorOptions(given: {
  preset?: string | undefined
  options?: string | undefined
}): LoopDetectorOptions {
  // Nothing to check; skipped because a hook is started for every event of an agent.
  if (given.options === undefined && given.preset === undefined) return {}
  const options: LoopDetectorOptions =
    given.options === undefined ? {} : readOptionsFile(given.options)
  if (given.preset !== undefined) options.preset = given.preset as PresetName
  try {
    new LoopDetector(options).free()
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`)
  }
  return options
}

function readOptionsFile(file: string): LoopDetectorOptions {
  return readJsonFile('options', file, 'the options of a LoopDetector')
}

/**
 * Reads a file that an option names.
 *
 * @param what What the file must contain.
 * @throws UsageError when it cannot be read.
 */
export function readJsonFile<T>(option: string, file: string, what: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      printable(`--${option} ${file}: ${(error as Error).message}.`),
      `It must be a file with ${what} as JSON.`,
    )
  }
}

/** Reads the version from the manifest of the package. */
export function version(): string {
  const manifest = new URL('../package.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
