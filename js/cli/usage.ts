/**
 * How a command is called, and what is said when it is called wrongly.
 *
 * @module
 */

import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The command cannot do what it was asked for. */
export class UsageError extends Error {
  /** What to do next. */
  readonly advice: string | undefined
  /** What to exit with. */
  readonly code: number

  constructor(message: string, advice?: string, code = 2) {
    super(message)
    this.advice = advice
    this.code = code
  }
}

/** @throws UsageError for an option that there is not, or that lacks its value. */
export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  code = 2,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node's own text goes on to explain how to pass a positional that begins with a dash.
    const [reason = ''] = (error as Error).message.split('. ')
    throw new UsageError(`${reason.replace(/\.$/, '')}.`, undefined, code)
  }
}
