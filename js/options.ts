/**
 * Reads options once: data for the engine, functions for the façade. The engine decides what the
 * values mean and which are allowed.
 *
 * @module
 */

import { because, describe, requirePlainObject } from './input/check.js'
import { toText } from './input/json-text.js'
import { type CopyLimits, copyPlain, type PlainData, type PlainObject } from './input/plain-data.js'

const LIMITS: CopyLimits = { depth: 8, values: 100_000 }

/** A tool's `identity` function: returns the key that equal calls share. */
export type Identity = (args: unknown) => unknown

/** The `redact` function: returns the part of a call's arguments that may be shown and stored. */
export type Redact = (name: string, args: unknown) => unknown

/** A detector's options, split into data and functions. */
export interface ReadOptions {
  /** Plain data for the engine. */
  readonly data: PlainData | undefined
  /** The `identity` functions by tool name; `null` when there are none. */
  readonly identities: ReadonlyMap<string, Identity> | null
  /** The `redact` function, if there is one. */
  readonly redact: Redact | null
}

/**
 * Reads a detector's options.
 *
 * @throws TypeError when they are not plain data with functions only at `redact` and
 * `tools.<name>.identity`.
 */
export function readOptions(options: unknown): ReadOptions {
  if (options === undefined) return { data: undefined, identities: null, redact: null }
  if (typeof options === 'string') {
    const data: PlainObject = Object.create(null)
    data.preset = options
    return { data, identities: null, redact: null }
  }
  requirePlainObject(options, 'LoopDetector(options): options', 'a preset name or an object')
  const identities = new Map<string, Identity>()
  let redact: Redact | null = null
  const data = copyPlain(options, 'options', LIMITS, (value, path, refuse) => {
    const [section, tool, key] = path
    const isRedact = path.length === 1 && section === 'redact'
    const isIdentity = path.length === 3 && section === 'tools' && key === 'identity'
    if (!isRedact && !isIdentity) return false
    if (typeof value !== 'function') refuse(`must be a function; got ${describe(value)}`)
    if (isRedact) redact = value as Redact
    else identities.set(tool as string, value as Identity)
    return true
  })
  return { data, identities: identities.size > 0 ? identities : null, redact }
}

/**
 * Reads a swarm's options.
 *
 * @throws TypeError when they are not plain data.
 */
export function readSwarmOptions(options: unknown): PlainData | undefined {
  if (options === undefined) return undefined
  requirePlainObject(options, 'SwarmDetector(options): options')
  return copyPlain(options, 'options', LIMITS)
}

/**
 * Asks a tool's `identity` function for the key that stands for a call's arguments.
 *
 * @returns `undefined` to compare the arguments as usual.
 * @throws TypeError when the function throws, or returns something that cannot be read.
 */
export function identityKey(identity: Identity, tool: string, args: unknown): string | undefined {
  const option = `options.tools.${tool}.identity`
  let key: unknown
  try {
    key = identity(parseArguments(args))
  } catch (error) {
    throw because(`${option} threw`, error)
  }
  return key === undefined || key === null ? undefined : toText(key, `what ${option} returned`)
}

/**
 * Asks the `redact` function what may be shown of a call's arguments.
 *
 * @throws TypeError when it throws, or returns something that cannot be read: nothing is shown
 * unredacted.
 */
export function redacted(redact: Redact, tool: string, args: unknown): string {
  // A copy: the tool runs with what was given.
  const copy = parseArguments(args === undefined ? args : toText(args, 'args'))
  let shown: unknown
  try {
    shown = redact(tool, copy)
  } catch (error) {
    throw because('options.redact threw', error)
  }
  return shown === undefined || shown === null ? '' : toText(shown, 'what options.redact returned')
}

/** Parses arguments that are JSON text; returns any other value as it is. */
function parseArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
