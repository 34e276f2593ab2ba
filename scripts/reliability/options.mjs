// What the command lines of these commands ask for.
import { parseArgs } from 'node:util'
import { Failure } from '../support/failure.mjs'
import { write } from '../support/terminal.mjs'

/**
 * Reads the command line.
 *
 * @param {string} help The text of `--help`.
 * @param {Record<string, number | string | boolean>} usual What can be said, and what holds if it
 * is not. Its type is that of the option.
 * @returns What holds; nothing when all that was wanted is help.
 */
export function readOptions(help, usual) {
  const type = (value) => (typeof value === 'boolean' ? 'boolean' : 'string')
  const known = Object.entries(usual).map(([name, value]) => [name, { type: type(value) }])
  const { values } = parse({ ...Object.fromEntries(known), help: { type: 'boolean' } })
  if (values.help) {
    write(help)
    return undefined
  }
  const read = ([name, value]) => [name, readValue(name, values[name], value)]
  return Object.fromEntries(Object.entries(usual).map(read))
}

function parse(options) {
  try {
    return parseArgs({ options })
  } catch (error) {
    throw new Failure(error.message, 'See --help.')
  }
}

function readValue(name, given, usual) {
  if (given === undefined || typeof usual !== 'number') return given ?? usual
  const value = Number(given)
  if (value > 0) return value
  throw new Failure(`--${name} wants a number greater than 0.`, 'See --help.')
}
