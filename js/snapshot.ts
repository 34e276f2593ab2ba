/**
 * A snapshot as it comes back: data of unknown origin.
 *
 * @module
 */

import { describe } from './describe.js'
import { type CopyLimits, copyPlain, type PlainData } from './plain-data.js'

/** Far more than any snapshot has. */
const LIMITS: CopyLimits = { depth: 8, values: 10_000 }

/**
 * A private copy of a snapshot; whether it is a good one is for the engine to say.
 *
 * @throws TypeError when it is not plain data.
 */
export function readSnapshot(snapshot: unknown): PlainData {
  if (describe(snapshot) !== 'an object') {
    throw new TypeError(
      `restoreFrom(snapshot): snapshot must be an object made by toJSON(); got ${describe(snapshot)}`,
    )
  }
  return copyPlain(snapshot as object, 'restoreFrom(snapshot): snapshot', LIMITS)
}
