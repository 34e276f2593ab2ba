/**
 * Copies options and snapshots as plain data, before the engine sees them.
 *
 * Everything is read exactly once, so a getter cannot return something else later; the caller's
 * object is never changed; and anything that is not data (functions, cycles, a Map) is refused by
 * name instead of being dropped silently.
 *
 * @module
 */

import { because, describe, requirePlainObject } from './check.js'
import { wellFormed } from './surrogates.js'

/** Plain data: what JSON can hold. */
export type PlainData = null | boolean | number | string | readonly PlainData[] | PlainObject

/** An object without a prototype, so that no key is special and none is inherited. */
export interface PlainObject {
  [key: string]: PlainData
}

/** How large an object may be before it is refused. */
export interface CopyLimits {
  readonly depth: number
  readonly values: number
}

/** Called with each property before it is copied; returns `true` to leave it out of the copy. */
export type Interceptor = (
  value: unknown,
  path: readonly string[],
  refuse: (problem: string) => never,
) => boolean

/**
 * Copies an object as plain data. Keys whose value is `undefined` are left out.
 *
 * @param root What the caller calls the object, for error messages.
 * @throws TypeError naming the place of whatever is not plain data.
 */
export function copyPlain(
  value: object,
  root: string,
  limits: CopyLimits,
  intercept: Interceptor = () => false,
): PlainData {
  const path: string[] = []
  const place = (): string => [root, ...path].join('.')
  let budget = limits.values
  let refusal: TypeError | null = null

  const refuse = (problem: string): never => {
    refusal = new TypeError(`${place()} ${problem}`)
    throw refusal
  }

  const copy = (item: unknown): PlainData => {
    if (--budget < 0) refuse(`is one too many: more than ${limits.values} values`)
    switch (typeof item) {
      case 'string':
        return wellFormed(item)
      case 'boolean':
        return item
      case 'number':
        // JSON does not have these: they would reach the engine as null, that is, as
        // absent.
        return Number.isFinite(item) ? item : refuse(`must be a finite number; got ${item}`)
      case 'object':
        return item === null ? null : copyContainer(item)
      default:
        return refuse(`must be plain data; got ${describe(item)}`)
    }
  }

  const copyContainer = (item: object): PlainData => {
    if (path.length >= limits.depth) {
      refuse(`is nested more than ${limits.depth} levels deep, or holds itself`)
    }
    const kind = describe(item)
    if (kind === 'an array') return copyArray(item as readonly unknown[])
    if (kind === 'an object') return copyObject(item as Readonly<Record<string, unknown>>)
    return refuse(`must be plain data; got ${kind}`)
  }

  const copyArray = (items: readonly unknown[]): PlainData => {
    const result: PlainData[] = []
    for (let i = 0; i < items.length; i++) {
      path.push(String(i))
      result.push(copy(items[i]))
      path.pop()
    }
    return result
  }

  const copyObject = (item: Readonly<Record<string, unknown>>): PlainObject => {
    const result: PlainObject = Object.create(null)
    for (const key of Object.keys(item)) {
      path.push(key)
      const property = item[key]
      if (property !== undefined && !intercept(property, path, refuse)) {
        result[wellFormed(key)] = copy(property)
      }
      path.pop()
    }
    return result
  }

  try {
    return copyContainer(value)
  } catch (error) {
    if (refusal && error === refusal) throw error
    throw because(`${place()} could not be read`, error)
  }
}

/** Far more than any snapshot has. */
const SNAPSHOT_LIMITS: CopyLimits = { depth: 8, values: 10_000 }

/**
 * Copies a detector's snapshot; the engine decides whether it is valid.
 *
 * @throws TypeError when it is not plain data.
 */
export function readSnapshot(snapshot: unknown): PlainData {
  const argument = 'restoreFrom(snapshot): snapshot'
  requirePlainObject(snapshot, argument, 'an object made by toJSON()')
  return copyPlain(snapshot, argument, SNAPSHOT_LIMITS)
}
