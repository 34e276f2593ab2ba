/**
 * Peer test vectors: what they look like, and how one is held against a detector.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { LoopDetector, type LoopDetectorOptions, type Verdict } from 'loophound'
import { type AgentEvent, play } from './events.js'

export interface Vector {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  readonly events: readonly VectorEvent[]
  readonly expect: Expectation
  readonly note?: string
}

/** `meta` events are the peer's own business; they pass by unseen. */
export type VectorEvent = AgentEvent | { readonly t: 'meta'; readonly kind: string }

export interface Expectation {
  readonly detected: boolean
  /** Index of the event at which the peer first reports (`mode` absent), or of the last event. */
  readonly at: number | null
  /** What the peer calls the loop. */
  readonly kind?: string | null
  /** Every index at which the peer reports. */
  readonly all?: readonly number[]
  /** `at_end`: only the state after the last event counts. */
  readonly mode?: 'at_end'
  /** In mode `at_end`: the index at which the peer would first have said "stuck". */
  readonly first?: number | null
}

/** How a peer's vectors are put to our detector. */
export interface Peer {
  /** Our options for the peer's own configuration. */
  options(config: Vector['config']): LoopDetectorOptions
  /** Which verdicts are the peer's "detected"; any but `continue`, unless told. */
  reports?(verdict: Verdict): boolean
}

/** What our detector did on a vector, in the terms of its `expect`. */
export interface Observation {
  readonly reported: readonly number[]
  readonly stuck: readonly number[]
  readonly stuckAtEnd: boolean
}

/** The vectors of one file. */
export function readVectors(path: string): Vector[] {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** A number of the peer's configuration; a vector without it is not what we think it is. */
export function setting(config: Vector['config'], name: string): number {
  const value = config[name]
  if (typeof value !== 'number') throw new TypeError(`config.${name} is not a number`)
  return value
}

/** Plays a vector under the peer's options. */
export function observe(peer: Peer, vector: Pick<Vector, 'config' | 'events'>): Observation {
  const detector = new LoopDetector(peer.options(vector.config))
  const reports = peer.reports ?? ((verdict: Verdict) => verdict.action !== 'continue')
  const reported: number[] = []
  const stuck: number[] = []
  for (const [i, event] of vector.events.entries()) {
    if (event.t === 'meta') continue
    if (reports(play(detector, event))) reported.push(i)
    if (detector.isStuck()) stuck.push(i)
  }
  return { reported, stuck, stuckAtEnd: detector.isStuck() }
}

/** In what the observation differs from what is expected; empty when it conforms. */
export function differences(seen: Observation, expected: Expectation, lastEvent: number): string[] {
  if (expected.mode === 'at_end') {
    return compare([
      ['stuck after the last event', seen.stuckAtEnd, expected.detected],
      ['at', seen.stuckAtEnd ? lastEvent : null, expected.at],
      ['first', seen.stuck[0] ?? null, expected.first],
    ])
  }
  return compare([
    ['detected', seen.reported.length > 0, expected.detected],
    ['at', seen.reported[0] ?? null, expected.at],
    ['all', seen.reported.join(), expected.all?.join()],
  ])
}

type Row = readonly [what: string, seen: unknown, expected: unknown]

/** What the vector does not state (undefined) is not compared. */
function compare(rows: readonly Row[]): string[] {
  return rows
    .filter(([, seen, expected]) => expected !== undefined && seen !== expected)
    .map(([what, seen, expected]) => `${what}: ${seen} instead of ${expected}`)
}
