/**
 * Reports that wait for the store: merged, numbered when they are first sent, and kept for a replay
 * until the store has confirmed them. Bounded.
 *
 * @module
 */

import { reportName } from './identity.js'
import { RULES_OF_KINDS } from './options.js'
import type { SwarmReport, SwarmReportKind } from './types.js'

/** A report that has not been sent, so its weight can still grow. */
export interface WaitingReport {
  readonly kind: SwarmReportKind
  readonly tool: string
  /** What is reported, in plain text: it is hashed only when it is sent. */
  readonly key: string
  sample: string | undefined
  weight: number
  /** How much of the weight the insurance has counted. */
  insured: number
}

export class ReportBuffer {
  readonly #capacity: number
  readonly #batchSize: number
  /** By kind and key, oldest first. */
  readonly #waiting = new Map<string, WaitingReport>()
  /** Sent but not confirmed: replayed with the same numbers. */
  #sent: readonly SwarmReport[] = []
  /** What was waiting and is now sent. */
  #sending: readonly WaitingReport[] = []
  #seq = 0
  #waitingWeight = 0

  recorded = 0
  delivered = 0
  dropped = 0
  /** Reports that got a place, and those of them that were confirmed or given up; equal ones as one. */
  added = 0
  settled = 0

  constructor(capacity: number, batchSize: number) {
    this.#capacity = capacity
    this.#batchSize = batchSize
  }

  /** How many distinct fingerprints wait to be sent. */
  get size(): number {
    return this.#waiting.size
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#sent.length === 0
  }

  /** The weight that the store has not confirmed. */
  get buffered(): number {
    return this.recorded - this.delivered - this.dropped
  }

  /** Everything that the store has not confirmed, oldest first. */
  get unconfirmed(): readonly WaitingReport[] {
    return [...this.#sending, ...this.#waiting.values()]
  }

  /** Returns the weight of a report that the store has not seen. */
  waitingFor(kind: SwarmReportKind, tool: string, key: string): number {
    return this.#waiting.get(placeOf(kind, tool, key))?.weight ?? 0
  }

  /** Adds a report and returns it. If the buffer is full, the oldest report is dropped. */
  add(kind: SwarmReportKind, tool: string, key: string, weight: number): WaitingReport {
    this.recorded += weight
    this.#waitingWeight += weight
    const place = placeOf(kind, tool, key)
    const waiting = this.#waiting.get(place)
    if (waiting) {
      waiting.weight += weight
      return waiting
    }
    if (this.#waiting.size >= this.#capacity) this.#giveUpOldest()
    this.added += 1
    const report: WaitingReport = { kind, tool, key, sample: undefined, weight, insured: 0 }
    this.#waiting.set(place, report)
    return report
  }

  /**
   * Returns the reports to send now: the unconfirmed ones again or, if there are none, the oldest, up
   * to one for which there is another rule.
   */
  batch(): readonly SwarmReport[] {
    if (this.#sent.length > 0) return this.#sent
    const batch: SwarmReport[] = []
    const sending: WaitingReport[] = []
    for (const [place, waiting] of this.#waiting) {
      const { kind, tool, key, weight, sample } = waiting
      const isOfOtherRule = RULES_OF_KINDS[kind] !== RULES_OF_KINDS[sending[0]?.kind ?? kind]
      if (batch.length >= this.#batchSize || isOfOtherRule) break
      sending.push(waiting)
      this.#waiting.delete(place)
      this.#waitingWeight -= weight
      this.#seq += 1
      const fingerprint = reportName(kind, tool, key)
      const report = { fingerprint, kind, weight, seq: this.#seq }
      batch.push(sample === undefined ? report : { ...report, sample })
    }
    this.#sent = batch
    this.#sending = sending
    return batch
  }

  #giveUpOldest(): void {
    const [oldest] = this.#waiting
    if (!oldest) return
    const [place, { weight }] = oldest
    this.#waiting.delete(place)
    this.#waitingWeight -= weight
    this.dropped += weight
    this.settled += 1
  }

  /** Records that the store has confirmed the batch. */
  confirm(): void {
    this.delivered += weightOf(this.#sent)
    this.settled += this.#sent.length
    this.#sent = []
    this.#sending = []
  }

  /** Drops all remaining reports. */
  close(): void {
    this.dropped += this.#waitingWeight + weightOf(this.#sent)
    this.#waiting.clear()
    this.#waitingWeight = 0
    this.#sent = []
    this.#sending = []
    this.settled = this.added
  }
}

/**
 * Returns the place of a report. The key of a call usually begins with its tool, and then is used
 * as it is.
 */
function placeOf(kind: SwarmReportKind, tool: string, key: string): string {
  return kind === 'call' && key.startsWith(tool) ? key : `${kind}\n${tool}\n${key}`
}

const weightOf = (reports: readonly SwarmReport[]): number =>
  reports.reduce((sum, { weight }) => sum + weight, 0)
