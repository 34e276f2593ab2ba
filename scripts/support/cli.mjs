// What every command shares: reading its options, writing to the screen, failing with a message.
// Uses Node alone, as `npm run setup` runs before any package is installed.
import util from 'node:util'

/** An expected failure: what is wrong, what to do next, and what the failing program printed. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {string} [next]
   * @param {string} [output]
   */
  constructor(message, next = '', output = '') {
    super(message)
    this.next = next
    this.output = output
  }
}

/**
 * Runs a command's body. Prints a {@link Failure} and exits with code 1; any other error is a bug
 * in these scripts and keeps its stack trace.
 *
 * @param {() => Promise<void>} body
 */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.output) writeError(`\n${error.output.trimEnd()}\n`)
    writeError(`\n${red('✗')} ${error.message}\n`)
    if (error.next) writeError(`  ${error.next}\n`)
    process.exit(1)
  }
}

/**
 * Reads the command line.
 *
 * @template {Record<string, number | string | boolean>} Defaults
 * @param {string} help The text of `--help`.
 * @param {Defaults} defaults Every option with its default, whose type is the option's.
 * @returns {Defaults | undefined} Nothing when only help was wanted, which is printed.
 */
export function readOptions(help, defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    { type: typeof value === 'boolean' ? 'boolean' : 'string' },
  ])
  const given = parse({ ...Object.fromEntries(options), help: { type: 'boolean' } })
  if (given.help) {
    write(help)
    return undefined
  }
  for (const [name, value] of Object.entries(defaults)) {
    if (given[name] === undefined || typeof value !== 'number') continue
    given[name] = Number(given[name])
    if (given[name] > 0) continue
    throw new Failure(`--${name} must be a number greater than 0.`, 'See --help.')
  }
  return { ...defaults, ...given }
}

/** @returns {Record<string, any>} */
function parse(options) {
  try {
    return { ...util.parseArgs({ options }).values }
  } catch (error) {
    throw new Failure(error.message, 'See --help.')
  }
}

/** Whether a person is watching: colours and moving lines only then. */
export const isLive = Boolean(process.stdout.isTTY)

const hasColour = isLive && !process.env.NO_COLOR
const style = (format) => (text) => (hasColour ? util.styleText(format, text) : text)

export const bold = style('bold')
export const dim = style('dim')
export const red = style('red')
export const green = style('green')

export const write = (text) => process.stdout.write(text)
export const writeError = (text) => process.stderr.write(text)

/** 1234567 as "1,234,567". */
export const thousands = (number) => number.toLocaleString('en-US')

/** How long something took: "4.2 s", "1:15". */
export function duration(milliseconds) {
  return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : clock(milliseconds)
}

/** How long something has been running: "0:04", "1:15". */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
