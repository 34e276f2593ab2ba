/**
 * Reads a detector's options once: data for the engine, functions for the façade.
 *
 * What the values mean, and which are allowed, is the engine's business.
 *
 * @module
 */

import { describe } from './describe.js'
import { type CopyLimits, copyPlain, type PlainData, type PlainObject } from './plain-data.js'

const LIMITS: CopyLimits = { depth: 8, values: 100_000 }

/** A tool's own idea of when two calls are the same. */
export type Identity = (args: unknown) => unknown

/** Options, taken apart. */
export interface ReadOptions {
  /** Plain data for the engine. */
  readonly data: PlainData | undefined
  /** The `identity` functions by tool name; `null` when there are none. */
  readonly identities: ReadonlyMap<string, Identity> | null
}

/**
 * Takes a detector's options apart.
 *
 * @throws TypeError when they are not plain data with functions only at `tools.<name>.identity`.
 */
export function readOptions(options: unknown): ReadOptions {
  if (options === undefined) return { data: undefined, identities: null }
  if (typeof options === 'string') {
    const data: PlainObject = Object.create(null)
    data.preset = options
    return { data, identities: null }
  }
  if (describe(options) !== 'an object') {
    throw new TypeError(
      `LoopDetector(options): options must be a preset name or an object; got ${describe(options)}`,
    )
  }
  const identities = new Map<string, Identity>()
  const data = copyPlain(options as object, 'options', LIMITS, (value, path, refuse) => {
    const [section, tool, key] = path
    if (path.length !== 3 || section !== 'tools' || key !== 'identity') return false
    if (typeof value !== 'function') refuse(`must be a function; got ${describe(value)}`)
    identities.set(tool as string, value as Identity)
    return true
  })
  return { data, identities: identities.size > 0 ? identities : null }
}

/**
 * A swarm's options as plain data.
 *
 * @throws TypeError when they are not.
 */
export function readSwarmOptions(options: unknown): PlainData | undefined {
  if (options === undefined) return undefined
  if (describe(options) !== 'an object') {
    throw new TypeError(
      `SwarmDetector(options): options must be an object; got ${describe(options)}`,
    )
  }
  return copyPlain(options as object, 'options', LIMITS)
}
