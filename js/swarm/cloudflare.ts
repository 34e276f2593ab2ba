/**
 * A store on Cloudflare Durable Objects: one SQLite database for each shard of a scope, and one with
 * the list of its latches.
 *
 * ```ts
 * export { SwarmObject } from 'loophound/swarm/cloudflare'
 * ```
 *
 * Bind the class with SQLite storage (`new_sqlite_classes`).
 *
 * @module
 */

import { describe } from '../input/check.js'
import {
  applyReport,
  detailedState,
  type FingerprintRecord,
  newRecord,
  stateOf,
} from './apply-report.js'
import { fingerprintKey, workerKey } from './identity.js'
import type { SwarmReport, SwarmRule, SwarmState, SwarmStore } from './types.js'

/** The part of Cloudflare's object state that is used. */
export interface SwarmObjectState {
  readonly storage: {
    readonly sql: {
      exec(statement: string, ...values: unknown[]): { toArray(): Record<string, unknown>[] }
    }
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
  }
}

/** A request to an object. */
type Ask =
  | { do: 'report'; worker: string; reports: readonly SwarmReport[]; rule: SwarmRule }
  | { do: 'announce'; states: readonly SwarmState[] }
  | { do: 'latched'; limit: number }
  | { do: 'describe'; ids: readonly string[]; details: boolean }
  | { do: 'clear' | 'unlist'; id: string | null }

/**
 * The Durable Object to bind. An object is one shard of a scope, or the list of its latches. Its
 * data is in its database, so it can be evicted at any time; an alarm removes expired rows.
 */
export class SwarmObject {
  /** Exists for the compiler only: Cloudflare's types know a Durable Object by it. */
  declare readonly __DURABLE_OBJECT_BRAND: never
  readonly #state: SwarmObjectState
  #isReady = false

  constructor(state: SwarmObjectState, _env?: unknown) {
    this.#state = state
  }

  /** Answers a request of {@link durableObjectSwarm}. */
  async fetch(request: Request): Promise<Response> {
    const asked = (await request.json()) as Ask
    if (!this.#isReady) this.#prepare()
    const now = Date.now()
    switch (asked.do) {
      case 'report': {
        const states = this.#report(asked.worker, asked.reports, asked.rule, now)
        await this.#wake()
        return Response.json(states)
      }
      case 'announce':
        for (const state of asked.states) {
          const { id } = fingerprintKey(state.fingerprint)
          if (this.#liftedAt(id) >= Number(state.latchedSince)) continue
          this.#put('latches', id, JSON.stringify(state), state.latchedUntil)
        }
        await this.#wake()
        return Response.json(null)
      case 'latched': {
        const wanted = 'SELECT state FROM latches WHERE expires > ? ORDER BY expires DESC LIMIT ?'
        const rows = this.#all(wanted, now, asked.limit)
        return Response.json(rows.map((row) => ({ ...JSON.parse(String(row.state)), now })))
      }
      case 'describe':
        return Response.json(asked.ids.map((id) => this.#describe(id, asked.details, now)))
      case 'clear':
        this.#remove('fingerprints', asked.id)
        return Response.json(null)
      case 'unlist':
        this.#remove('latches', asked.id)
        this.#put('lifted', asked.id ?? '', String(now), now + KEEP_LIFTED_MS)
        await this.#wake()
        return Response.json(null)
    }
  }

  /** Removes expired rows, and sets the alarm for the next one. */
  async alarm(): Promise<void> {
    if (!this.#isReady) this.#prepare()
    for (const table of TABLES) this.#all(`DELETE FROM ${table} WHERE expires <= ?`, Date.now())
    await this.#wake()
  }

  /** Applies reports synchronously, so that nothing comes in between. */
  #report(worker: string, reports: readonly SwarmReport[], rule: SwarmRule, now: number) {
    const key = workerKey(worker)
    return reports.map((report) => {
      const { id } = fingerprintKey(report.fingerprint)
      const record = this.#find(id, now)?.record ?? newRecord(report.fingerprint, now)
      const { state, applied } = applyReport(record, now, worker, key, report, rule)
      if (applied) {
        const saved = JSON.stringify({ record, windowMs: rule.windowMs })
        this.#put('fingerprints', id, saved, record.expires)
      }
      return { ...state, fingerprint: report.fingerprint }
    })
  }

  /** When a latch was lifted, by itself or with all others; 0 if not lately. */
  #liftedAt(id: string): number {
    const rows = this.#all("SELECT state FROM lifted WHERE id = ? OR id = ''", id)
    return Math.max(0, ...rows.map((row) => Number(row.state)))
  }

  #describe(id: string, details: boolean, now: number): SwarmState | null {
    const found = this.#find(id, now)
    return found ? (details ? detailedState : stateOf)(found.record, now, found.windowMs) : null
  }

  #find(id: string, now: number): { record: FingerprintRecord; windowMs: number } | undefined {
    const wanted = 'SELECT state FROM fingerprints WHERE id = ? AND expires > ?'
    const [row] = this.#all(wanted, id, now)
    return row && JSON.parse(String(row.state))
  }

  #put(table: (typeof TABLES)[number], id: string, state: string, expires: number): void {
    this.#all(
      `INSERT OR REPLACE INTO ${table} (id, state, expires) VALUES (?, ?, ?)`,
      id,
      state,
      expires,
    )
  }

  #remove(table: (typeof TABLES)[number], id: string | null): void {
    if (id === null) this.#all(`DELETE FROM ${table}`)
    else this.#all(`DELETE FROM ${table} WHERE id = ?`, id)
  }

  #prepare(): void {
    for (const table of TABLES) {
      this.#all(
        `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, state TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID`,
      )
      this.#all(`CREATE INDEX IF NOT EXISTS ${table}_expires ON ${table} (expires)`)
    }
    this.#isReady = true
  }

  /** Sets the alarm for the next row that expires, if none is set. */
  async #wake(): Promise<void> {
    if ((await this.#state.storage.getAlarm()) !== null) return
    const rows = TABLES.flatMap((table) => this.#all(`SELECT min(expires) AS next FROM ${table}`))
    const next = rows.map((row) => row.next).filter((time) => typeof time === 'number')
    if (next.length > 0) await this.#state.storage.setAlarm(Math.max(Math.min(...next), Date.now()))
  }

  #all(statement: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#state.storage.sql.exec(statement, ...values).toArray()
  }
}

/** The last one is of latches that were lifted, so that nobody who learned of one before lists it again. */
const TABLES = ['fingerprints', 'latches', 'lifted'] as const

/** How long an object remembers that a latch was lifted: longer than a report is under way. */
const KEEP_LIFTED_MS = 60_000

/** The part of a Durable Object namespace that is used. */
export interface SwarmNamespace {
  idFromName(name: string): unknown
  get(id: never): { fetch(url: string, init: RequestInit): Promise<Response> }
}

/** Options of {@link durableObjectSwarm}. */
export interface DurableObjectSwarmOptions {
  /**
   * Over how many objects the fingerprints of a scope are spread; 16 if absent. All workers of a
   * scope must use the same number.
   */
  shards?: number
}

/**
 * Makes a store on Durable Objects.
 *
 * @param namespace The binding of {@link SwarmObject}.
 * @throws TypeError for anything else.
 *
 * @example
 * ```ts
 * const swarm = new SharedSwarm({ store: durableObjectSwarm(env.SWARM), timeoutMs: 1000 })
 * ctx.waitUntil(swarm.pending)
 * ```
 */
export function durableObjectSwarm(
  namespace: SwarmNamespace,
  options: DurableObjectSwarmOptions = {},
): SwarmStore {
  if (typeof namespace?.idFromName !== 'function' || typeof namespace.get !== 'function') {
    throw new TypeError(
      `durableObjectSwarm(namespace): namespace must be a binding of Durable Objects; got ${describe(namespace)}`,
    )
  }
  const { shards = 16 } = options
  if (!Number.isInteger(shards) || shards < 1 || shards > 1024) {
    throw new RangeError(
      `durableObjectSwarm(options): shards must be from 1 to 1024; got ${describe(shards)}`,
    )
  }
  /** Latches that this store has put on the list, with their end. */
  const announced = new Map<string, number>()

  async function ask<Answer>(name: string, asked: Ask, signal?: AbortSignal): Promise<Answer> {
    const object = namespace.get(namespace.idFromName(name) as never)
    const init: RequestInit = { method: 'POST', body: JSON.stringify(asked) }
    if (signal) init.signal = signal
    const response = await object.fetch('https://swarm/', init)
    if (!response.ok) throw new Error(`the Durable Object answered with status ${response.status}`)
    return (await response.json()) as Answer
  }
  const shardName = (scope: string, shard: number) => `${scope} ${shard}`
  const listName = (scope: string) => `${scope} latches`

  /**
   * Puts latches on the list. Every worker that learns of a latch from its own report does so once,
   * so that none is missed.
   */
  async function announce(scope: string, states: readonly SwarmState[]): Promise<void> {
    const isNew = ({ fingerprint, latchedUntil }: SwarmState) =>
      latchedUntil > 0 && announced.get(`${scope} ${fingerprint}`) !== latchedUntil
    const added = states.filter(isNew).map((state) => ({ ...state, fresh: false }))
    if (added.length === 0) return
    await ask(listName(scope), { do: 'announce', states: added })
    for (const { fingerprint, latchedUntil } of added) {
      announced.set(`${scope} ${fingerprint}`, latchedUntil)
      const [oldest] = announced.keys()
      if (announced.size > 256 && oldest !== undefined) announced.delete(oldest)
    }
  }

  /** Asks the object of each shard about its part of a list; returns the answers in the list's order. */
  async function askShards<Item extends { readonly fingerprint: string }>(
    scope: string,
    items: readonly Item[],
    askFor: (part: readonly Item[]) => Ask,
    signal?: AbortSignal,
  ): Promise<(SwarmState | null)[]> {
    const parts = new Map<number, number[]>()
    for (const [index, { fingerprint }] of items.entries()) {
      const { shard } = fingerprintKey(fingerprint, shards)
      parts.set(shard, [...(parts.get(shard) ?? []), index])
    }
    const answers: (SwarmState | null)[] = []
    await Promise.all(
      Array.from(parts, async ([shard, part]) => {
        const asked = askFor(part.map((index) => items[index] as Item))
        const states = await ask<(SwarmState | null)[]>(shardName(scope, shard), asked, signal)
        for (const [place, index] of part.entries()) answers[index] = states[place] ?? null
      }),
    )
    return answers
  }

  return {
    async report(scope, worker, reports, rule, { signal } = {}) {
      const asked = (reports: readonly SwarmReport[]): Ask => ({
        do: 'report',
        worker,
        reports,
        rule,
      })
      const states = (await askShards(scope, reports, asked, signal)) as SwarmState[]
      // The reports are applied, so they must not be sent again, even if listing fails.
      await announce(scope, states).catch(() => {})
      return states
    },

    async latched(scope, limit, { details = false } = {}) {
      const states = await ask<SwarmState[]>(listName(scope), { do: 'latched', limit })
      // The list has what was known when a latch was put there.
      const asked = (part: readonly SwarmState[]): Ask => {
        const ids = part.map(({ fingerprint }) => fingerprintKey(fingerprint).id)
        return { do: 'describe', ids, details }
      }
      const found = await askShards(scope, states, asked)
      // One that was lifted in between is not latched.
      return states
        .map((state, index) => found[index] ?? state)
        .filter(({ latchedUntil }) => latchedUntil > 0)
    },

    async clear(scope, fingerprint) {
      announced.clear()
      if (fingerprint === undefined) {
        const names = Array.from({ length: shards }, (_, shard) => shardName(scope, shard))
        await Promise.all(names.map((name) => ask(name, { do: 'clear', id: null })))
        await ask(listName(scope), { do: 'unlist', id: null })
        return
      }
      const { id, shard } = fingerprintKey(fingerprint, shards)
      await ask(shardName(scope, shard), { do: 'clear', id })
      await ask(listName(scope), { do: 'unlist', id })
    },
  }
}
