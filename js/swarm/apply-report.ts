/**
 * Applies a report to the record of its fingerprint. The stores in memory and in Durable Objects
 * run this code; the script for Redis and the statement for Postgres do the same.
 *
 * @module
 */

import { LONGEST_FINGERPRINT, LONGEST_SAMPLE, plainText, type WorkerKey } from './identity.js'
import type { SwarmReport, SwarmRule, SwarmState } from './types.js'

/** What is known about one fingerprint. Plain data; times in milliseconds of the store's clock. */
export interface FingerprintRecord {
  /** The number of the current bucket: the time divided by the window. */
  bucket: number
  /** Weight in that bucket. */
  current: number
  /** Weight in the previous bucket. */
  previous: number
  /** Distinct workers, up to `maxWorkers`. */
  workers: number
  /** The last number applied, by worker. */
  seqs: Record<string, number>
  /**
   * Workers beyond `maxWorkers` share these slots: the latest worker of each slot, and its number.
   */
  shared: Record<number, [worker: string, seq: number]>
  firstSeen: number
  latchedUntil: number
  latchedSince: number
  /** Whose report set the latch, so that a replay of it gets the same answer. */
  latchedBy: string
  latchedById: string
  latchedSeq: number
  fingerprint: string
  sample: string
  /** When it may be forgotten: two whole windows after the bucket, or when the latch ends. */
  expires: number
}

export function newRecord(fingerprint: string, now: number): FingerprintRecord {
  return {
    bucket: 0,
    current: 0,
    previous: 0,
    workers: 0,
    seqs: {},
    shared: {},
    firstSeen: now,
    latchedUntil: 0,
    latchedSince: 0,
    latchedBy: '',
    latchedById: '',
    latchedSeq: 0,
    fingerprint: plainText(fingerprint, LONGEST_FINGERPRINT),
    sample: '',
    expires: 0,
  }
}

/**
 * Applies a report at most once, and answers. The record is changed in place.
 *
 * @returns The state, and whether anything changed.
 */
export function applyReport(
  record: FingerprintRecord,
  now: number,
  worker: string,
  key: WorkerKey,
  report: SwarmReport,
  rule: SwarmRule,
): { state: SwarmState; applied: boolean } {
  const { seq } = report
  const place = key.hash % rule.maxWorkers
  const shared = record.shared[place]
  const known = record.seqs[key.id]
  const last = known ?? (shared?.[0] === key.id ? shared[1] : undefined)
  if (last !== undefined && last >= seq) {
    // A replay of the report that set the latch gets the same answer.
    const fresh = record.latchedById === key.id && record.latchedSeq === seq
    return { state: stateOf(record, now, rule.windowMs, fresh), applied: false }
  }
  roll(record, now, rule.windowMs)
  record.current += report.weight
  if (known !== undefined) record.seqs[key.id] = seq
  else if (record.workers < rule.maxWorkers) {
    record.workers += 1
    record.seqs[key.id] = seq
  } else record.shared[place] = [key.id, seq]
  if (report.sample) record.sample = plainText(report.sample, LONGEST_SAMPLE)

  const fires =
    totalOf(record, now, rule.windowMs) >= rule.threshold && record.workers >= rule.minWorkers
  const fresh = fires && record.latchedUntil <= now
  if (fresh) {
    record.latchedUntil = now + rule.latchMs
    record.latchedSince = now
    record.latchedBy = worker
    record.latchedById = key.id
    record.latchedSeq = seq
  }
  record.expires = Math.max((record.bucket + 3) * rule.windowMs, record.latchedUntil)
  return { state: stateOf(record, now, rule.windowMs, fresh), applied: true }
}

/**
 * Moves on to the bucket of this time. If the clock was set back a little, the bucket stays; if
 * time has jumped or the window was changed, counting starts over.
 */
function roll(record: FingerprintRecord, now: number, windowMs: number): void {
  const bucket = Math.floor(now / windowMs)
  if (bucket === record.bucket || bucket === record.bucket - 1) return
  record.previous = bucket === record.bucket + 1 ? record.current : 0
  record.current = 0
  record.bucket = bucket
}

/**
 * Returns the weight in the window: this bucket, and the part of the previous one that the window
 * still covers.
 */
function totalOf(record: FingerprintRecord, now: number, windowMs: number): number {
  const passed = Math.floor(now / windowMs) - record.bucket
  // The clock was set back: the bucket has not begun, so all of the previous one is in the
  // window.
  const covered = passed < 0 ? windowMs : windowMs - (now % windowMs)
  const share = (weight: number) => Math.floor((weight * covered) / windowMs)
  if (passed === 0 || passed === -1) return record.current + share(record.previous)
  return passed === 1 ? share(record.current) : 0
}

/** Returns the state of a record at this time. */
export function stateOf(
  record: FingerprintRecord,
  now: number,
  windowMs: number,
  fresh = false,
): SwarmState {
  const isLatched = record.latchedUntil > now
  return {
    fingerprint: record.fingerprint,
    total: totalOf(record, now, windowMs),
    workers: record.workers,
    latchedUntil: isLatched ? record.latchedUntil : 0,
    fresh,
    now,
    firstSeen: record.firstSeen,
    latchedSince: isLatched ? record.latchedSince : undefined,
    latchedBy: isLatched ? record.latchedBy : undefined,
    sample: record.sample || undefined,
  }
}

/** Returns the state of a latched record with details for operators. */
export function detailedState(record: FingerprintRecord, now: number, windowMs: number) {
  return { ...stateOf(record, now, windowMs), workerIds: Object.keys(record.seqs) }
}
