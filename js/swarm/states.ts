/**
 * Checks what a store says before anything relies on it.
 *
 * @module
 */

import { describe } from '../input/check.js'
import type { SwarmState } from './types.js'

/** Whether a value is the state of a fingerprint. */
export function isState(value: unknown): value is SwarmState {
  if (value === null || typeof value !== 'object') return false
  const { fingerprint, total, workers, latchedUntil } = value as Record<string, unknown>
  return typeof fingerprint === 'string' && [total, workers, latchedUntil].every(Number.isFinite)
}

/**
 * Returns the states that a store answered with.
 *
 * @param count How many there must be; any number if absent.
 * @throws TypeError if the answer is anything else: what the store did is then unknown.
 */
export function requireStates(answer: unknown, count?: number): readonly SwarmState[] {
  if (!Array.isArray(answer) || !answer.every(isState)) {
    throw new TypeError(`the store must answer with a list of states; got ${describe(answer)}`)
  }
  if (count !== undefined && answer.length !== count) {
    throw new TypeError(
      `the store must answer each of ${count} reports; got ${answer.length} states`,
    )
  }
  return answer
}
