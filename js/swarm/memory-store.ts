/**
 * A store in the memory of one process: for tests, for a single process with many agents, and as
 * the reference for the other stores.
 *
 * @module
 */

import { applyReport, detailedState, type FingerprintRecord, newRecord } from './apply-report.js'
import { fingerprintKey, hash64, workerKey } from './identity.js'
import type { SwarmState, SwarmStore } from './types.js'

/** Options of {@link memorySwarm}. */
export interface MemorySwarmOptions {
  /** The clock, in milliseconds; `Date.now` if absent. */
  now?: () => number
  /**
   * How many fingerprints are kept; the least recently reported is forgotten first. 65,536 if
   * absent.
   */
  capacity?: number
}

interface Entry {
  readonly record: FingerprintRecord
  windowMs: number
}

/**
 * Makes a store in the memory of this process. Workers that share it form one swarm.
 *
 * @example
 * ```ts
 * const store = memorySwarm()
 * const first = new SharedSwarm({ store, report: 'calls' })
 * const second = new SharedSwarm({ store, report: 'calls' })
 * ```
 */
export function memorySwarm(options: MemorySwarmOptions = {}): SwarmStore {
  const { now = Date.now, capacity = 65_536 } = options
  /** In the order of their latest report. */
  const entries = new Map<string, Entry>()
  const listeners = new Map<string, Set<(state: SwarmState) => void>>()
  const keyOf = (scope: string, fingerprint: string) =>
    `${hash64(scope)} ${fingerprintKey(fingerprint).id}`
  const push = (scope: string, state: SwarmState) => {
    for (const listener of listeners.get(scope) ?? []) listener(state)
  }

  /** Forgets expired fingerprints, and the least recently reported ones beyond the capacity. */
  function sweep(time: number): void {
    for (const [key, { record }] of entries) {
      if (record.expires > time && entries.size <= capacity) return
      entries.delete(key)
    }
  }

  return {
    async report(scope, worker, reports, rule) {
      const id = workerKey(worker)
      return reports.map((report) => {
        const time = now()
        const key = keyOf(scope, report.fingerprint)
        const found = entries.get(key)
        const record =
          found && found.record.expires > time ? found.record : newRecord(report.fingerprint, time)
        const { state } = applyReport(record, time, worker, id, report, rule)
        entries.delete(key)
        entries.set(key, { record, windowMs: rule.windowMs })
        sweep(time)
        if (state.fresh) push(scope, { ...state, fresh: false })
        return { ...state, fingerprint: report.fingerprint }
      })
    },

    async latched(scope, limit) {
      const time = now()
      const prefix = `${hash64(scope)} `
      const found: SwarmState[] = []
      for (const [key, { record, windowMs }] of entries) {
        if (found.length >= limit) break
        if (!key.startsWith(prefix) || record.latchedUntil <= time) continue
        found.push(detailedState(record, time, windowMs))
      }
      return found
    },

    async subscribe(scope, on) {
      const all = listeners.get(scope) ?? new Set()
      listeners.set(scope, all.add(on))
      return () => {
        all.delete(on)
        if (all.size === 0) listeners.delete(scope)
      }
    },

    async clear(scope, fingerprint) {
      const prefix = fingerprint === undefined ? `${hash64(scope)} ` : keyOf(scope, fingerprint)
      for (const [key, { record }] of entries) {
        if (!key.startsWith(prefix)) continue
        entries.delete(key)
        const lifted = { total: 0, workers: 0, latchedUntil: 0, fresh: false }
        push(scope, { fingerprint: record.fingerprint, ...lifted })
      }
    },
  }
}
