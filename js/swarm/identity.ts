/**
 * The short names under which stores keep things: fingerprints, workers, scopes.
 *
 * They outlive releases and are shared by machines, so they must never change.
 *
 * @module
 */

import type { SwarmReportKind } from './types.js'

/** The longest fingerprint, in UTF-16 units. */
export const LONGEST_FINGERPRINT = 200

/** The longest sample, in UTF-16 units. */
export const LONGEST_SAMPLE = 120

/** How much of a tool's name is kept, in UTF-16 units. */
export const LONGEST_TOOL = 64

/** Over how many shards the fingerprints of a scope are spread. */
export const SHARDS = 64

/**
 * Hashes a text to 64 bits, equal on every machine. Two multiplicative hashes of 32 bits over the
 * UTF-16 units; not for secrets.
 */
function hashHalves(text: string): [number, number] {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    high = Math.imul(high ^ unit, 0x5f356495)
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return [low >>> 0, high >>> 0]
}

const hex8 = (number: number): string => number.toString(16).padStart(8, '0')

/** Returns 64 bits of a text as 16 hexadecimal digits. */
export function hash64(text: string): string {
  const [low, high] = hashHalves(text)
  return hex8(high) + hex8(low)
}

/** Where a fingerprint is kept: its 64-bit hash, and its shard. */
export interface FingerprintKey {
  readonly id: string
  readonly shard: number
}

/** Returns the key of a fingerprint; the fingerprint as stores print it has the same key. */
export function fingerprintKey(fingerprint: string, shards: number = SHARDS): FingerprintKey {
  const [low, high] = hashHalves(plainText(fingerprint, LONGEST_FINGERPRINT))
  return { id: hex8(high) + hex8(low), shard: low % shards }
}

/**
 * Returns the fingerprint of a report: the kind and the tool, for operators, and a 64-bit hash of
 * the rest, which may be confidential.
 */
export function reportName(kind: SwarmReportKind, tool: string, key: string): string {
  return nameOfKind(kind, reportSubject(tool, key))
}

/** Returns what the fingerprints of all reports about one call have in common, whatever their kind. */
export function reportSubject(tool: string, key: string): string {
  return `${plainText(tool, LONGEST_TOOL)}:${hash64(`${tool}\n${key}`)}`
}

/** Returns the fingerprint of a report about a subject made by {@link reportSubject}. */
export const nameOfKind = (kind: SwarmReportKind, subject: string): string => `${kind}:${subject}`

/**
 * Returns whether a fingerprint counts hand-overs. Many of one task are no loop by themselves: a latch
 * on it is for workers, and is not shown to people.
 */
export const countsHandOvers = (fingerprint: string): boolean => fingerprint.startsWith('edge:')

/**
 * Returns the fingerprints to forget with one: a circle of hand-overs is known by the hand-overs that
 * were counted.
 */
export function clearedWith(fingerprint: string): string[] {
  return [
    fingerprint,
    ...(fingerprint.startsWith('cycle:') ? [fingerprint.replace('cycle', 'edge')] : []),
  ]
}

/** Returns the tool that a name made by {@link reportName} is about. */
export function toolIn(name: string): string {
  return name.slice(name.indexOf(':') + 1, name.lastIndexOf(':'))
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** A worker as stores keep it. */
export interface WorkerKey {
  /**
   * 8 characters: those that {@link newWorkerName} has added, or a 48-bit hash of any other name, even
   * a short one.
   */
  readonly id: string
  /** Decides which slot a worker shares once `maxWorkers` workers have their own. */
  readonly hash: number
}

export function workerKey(worker: string): WorkerKey {
  const [low, high] = hashHalves(worker)
  const hash = (low ^ high) >>> 0
  const added = ADDED.exec(worker)?.[1]
  if (added !== undefined) return { id: added, hash }
  let id = ''
  for (const [bits, digits] of [
    [low, 4],
    [high, 4],
  ] as const) {
    for (let digit = 0; digit < digits; digit++) id += DIGITS[(bits >>> (digit * 6)) & 63]
  }
  return { id, hash }
}

/** The random characters of a worker's name. */
const ADDED = /~([\w-]{8})$/

/**
 * Makes the name under which a worker reports: the given one and random characters, by which stores
 * know it. If another worker had the same ones and counted from one again, its reports would be lost.
 */
export const newWorkerName = (name: string): string => `${plainText(name, 48)}~${randomId()}`

/** Makes 8 random characters, for an id that no other process has. */
function randomId(): string {
  const bytes = new Uint8Array(8)
  try {
    crypto.getRandomValues(bytes)
  } catch {
    // Some edge runtimes offer no randomness outside a request.
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.random() * 256
  }
  return Array.from(bytes, (byte) => DIGITS[byte & 63]).join('')
}

/** Shortens a text and removes characters that a terminal, a log or a database cannot handle. */
export function plainText(text: string, longest: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]+/g, ' ')
  return plain.slice(0, longest).replace(/[\ud800-\udfff]/gu, '')
}
