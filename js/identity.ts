/**
 * Asks a tool's own `identity` function what a call is the same as.
 *
 * @module
 */

import { toText } from './arguments.js'
import { reasonOf } from './describe.js'
import type { Identity } from './options.js'

/**
 * The key that stands for a call's arguments, or `undefined` to compare them as usual.
 *
 * @throws TypeError when the function throws, or returns what cannot be read.
 */
export function identityKey(identity: Identity, tool: string, args: unknown): string | undefined {
  const option = `options.tools.${tool}.identity`
  let key: unknown
  try {
    key = identity(parsed(args))
  } catch (error) {
    throw new TypeError(`${option} threw: ${reasonOf(error)}`, { cause: error })
  }
  return key === undefined || key === null ? undefined : toText(key, `what ${option} returned`)
}

/** Arguments as data: JSON text from a model is parsed, any other text stays as it is. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
