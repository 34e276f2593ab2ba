/**
 * A short text that is equal for calls of one tool with equal arguments.
 *
 * The detector has a better idea of sameness, but this one is only asked whether a call is presented
 * again, where the arguments come back as they were.
 *
 * @module
 */

import { toText } from '../arguments.js'

/** Shorter texts stand for themselves. */
const SHORT = 64

/** @throws TypeError when the arguments cannot be read. */
export function callKey(name: string, args: unknown): string {
  const text = args === undefined ? '' : toText(args, 'call(args): args')
  return `${name} ${text.length <= SHORT ? text : `${text.length}#${hash(text)}`}`
}

/** Two hashes of 32 bits, as one would collide within a few ten thousand calls. */
function hash(text: string): string {
  let first = 0x811c9dc5
  let second = 0x1000193
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second + unit, 0x5bd1e995) ^ (second >>> 15)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}
