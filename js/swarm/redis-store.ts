/**
 * A store on Redis or Valkey, standalone or Cluster, and on Upstash: the same scripts, the same keys.
 *
 * @module
 */

import { reasonOf } from '../input/check.js'
import { wellFormed } from '../input/surrogates.js'
import {
  type FingerprintKey,
  fingerprintKey,
  LONGEST_FINGERPRINT,
  LONGEST_SAMPLE,
  plainText,
  SHARDS,
  workerKey,
} from './identity.js'
import {
  connect,
  connectUpstash,
  type RedisClient,
  type RedisConnection,
  type UpstashClient,
} from './redis-clients.js'
import {
  ANNOUNCE,
  DESCRIBE,
  FORGET,
  LIST,
  NEXT_GENERATION,
  REPORT,
  type RedisScript,
  UNLIST,
} from './redis-scripts.js'
import type { SwarmReport, SwarmRule, SwarmState, SwarmStore } from './types.js'

/** Options of {@link redisSwarm} and {@link upstashSwarm}. */
export interface RedisSwarmOptions {
  /** What every key begins with; `lh` if absent. */
  prefix?: string
  /** Whether the server is a Cluster; recognised by the client if absent. */
  cluster?: boolean
  /**
   * Whether to be pushed new and lifted latches, on a second connection for each worker. Without it,
   * workers poll. For node-redis, ioredis and iovalkey; what others report is pushed whatever they use.
   */
  subscribe?: boolean
}

/** Longer than any window may be, so that all records from before `clear()` have expired by then. */
const KEEP_GENERATION_MS = 30 * 24 * 3_600_000

/** How many latches a store remembers having put on the list. */
const MOST_ANNOUNCED = 256

/**
 * Makes a store on Redis 6.2 or newer, or on Valkey. The client may be one of node-redis, ioredis,
 * iovalkey or valkey-glide, for a single server or a Cluster; you connect and close it yourself.
 *
 * @throws TypeError for an unknown client.
 *
 * @example
 * ```ts
 * const client = await createClient({ url: 'redis://localhost:6379' }).connect()
 * const swarm = new SharedSwarm({ store: redisSwarm(client), scope: 'prod' })
 * ```
 */
export function redisSwarm(client: RedisClient, options: RedisSwarmOptions = {}): SwarmStore {
  return redisStore(connect(client), options)
}

/**
 * Makes a store on Upstash Redis, over HTTP. A flush is one command. Give the swarm a longer
 * `timeoutMs` than on a local network: 1,000.
 *
 * @throws TypeError for a client that is not one of `@upstash/redis`.
 */
export function upstashSwarm(redis: UpstashClient, options: RedisSwarmOptions = {}): SwarmStore {
  return redisStore(connectUpstash(redis), options)
}

/** A fingerprint's place in a list, and where it is kept. */
interface Placed extends FingerprintKey {
  readonly index: number
}

const place = (fingerprint: string, index: number): Placed => ({
  index,
  ...fingerprintKey(fingerprint),
})

/** An entry on the list of latches. */
interface Listed {
  readonly fingerprint: string
  readonly windowMs: number
  readonly total: number
  readonly workers: number
  readonly latchedSince?: number
  readonly latchedBy?: string
  readonly sample?: string
}

function redisStore(connection: RedisConnection, options: RedisSwarmOptions): SwarmStore {
  const prefix = options.prefix ?? 'lh'
  let isCluster = options.cluster ?? connection.isCluster
  // A brace in a scope would end the part of a key that decides the slot.
  const escaped = (scope: string) => encodeURIComponent(wellFormed(scope))
  const tag = (scope: string, shard: number) => `${prefix}:{${escaped(scope)}:${shard}}`
  /** In a Cluster, a script reaches only its own slot, so each shard has a generation. */
  const generationOf = (scope: string, shard: number) =>
    isCluster ? `${tag(scope, shard)}:generation` : `${prefix}:{${escaped(scope)}}:generation`
  const listOf = (scope: string) => `${prefix}:{${escaped(scope)}}:latched`
  const channelOf = (scope: string) => `${listOf(scope)}:channel`
  const keyOf = (scope: string, { id, shard }: FingerprintKey) => `${tag(scope, shard)}:${id}`
  /** Latches that this store has put on the list, with their end. */
  const announced = new Map<string, number>()

  const run = async (script: RedisScript, keys: readonly string[], args: readonly string[]) =>
    (await connection.run(script, keys, args)) as unknown[]

  /** Runs something for each shard in a Cluster, otherwise for all at once. */
  async function inGroups(
    placed: readonly Placed[],
    runGroup: (group: readonly Placed[]) => Promise<void>,
  ): Promise<void> {
    if (placed.length === 0) return
    const wasCluster = isCluster
    const runAll = () => Promise.all((isCluster ? groupByShard(placed) : [placed]).map(runGroup))
    await runAll().catch((error) => {
      // A single-server client is connected to a Cluster.
      if (wasCluster || !/CROSSSLOT/.test(reasonOf(error))) throw error
      isCluster = true
      return runAll()
    })
  }

  /** Returns what is listed as it is now: the list has what was known when it was put there. */
  async function describe(
    scope: string,
    listed: readonly ListedState[],
    details: boolean,
  ): Promise<SwarmState[]> {
    const states = listed.map(({ state }) => state)
    const placed = states.map(({ fingerprint }, index) => place(fingerprint, index))
    await inGroups(placed, async (group) => {
      const keys = group.map((one) => keyOf(scope, one))
      const windows = group.map(({ index }) => String(listed[index]?.windowMs))
      const values = await run(DESCRIBE, keys, [details ? '1' : '0', ...windows])
      for (const [at, { index }] of group.entries()) {
        const [total, workers, first, by, ids] = values.slice(at * 5)
        const state = states[index]
        if (state === undefined || !(Number(total) >= 0)) continue
        const workerIds = String(ids).slice(1).split(' ').filter(Boolean)
        states[index] = {
          ...state,
          total: Number(total),
          workers: Number(workers),
          firstSeen: Number(first),
          latchedBy: String(by).slice(1),
          ...(details ? { workerIds } : {}),
        }
      }
    })
    return states
  }

  /**
   * Puts new latches on the list. Every worker that learns of a latch from its own report does so
   * once, so that the list is right even if the first of them crashes.
   */
  async function announce(scope: string, worker: string, rule: SwarmRule, states: SwarmState[]) {
    const one = async (state: SwarmState) => {
      const { id } = fingerprintKey(state.fingerprint)
      const name = `${scope} ${id}`
      if (announced.get(name) === state.latchedUntil) return
      const latchedSince = state.latchedUntil - rule.latchMs
      const entry: Listed = {
        fingerprint: plainText(state.fingerprint, LONGEST_FINGERPRINT),
        windowMs: rule.windowMs,
        total: state.total,
        workers: state.workers,
        latchedSince,
        ...(state.fresh ? { latchedBy: worker } : {}),
        ...(state.sample ? { sample: state.sample } : {}),
      }
      const ends = String(state.latchedUntil)
      const args = [id, ends, JSON.stringify(entry), channelOf(scope), state.fresh ? '1' : '0']
      await run(ANNOUNCE, [listOf(scope)], [...args, String(latchedSince)])
      announced.delete(name)
      announced.set(name, state.latchedUntil)
      const [oldest] = announced.keys()
      if (announced.size > MOST_ANNOUNCED && oldest !== undefined) announced.delete(oldest)
    }
    await Promise.all(states.filter(({ latchedUntil }) => latchedUntil > 0).map(one))
  }

  const store: SwarmStore = {
    async report(scope, worker, reports, rule) {
      const { id, hash } = workerKey(worker)
      const name = plainText(worker, 64)
      const { windowMs, threshold, minWorkers, maxWorkers, latchMs } = rule
      const about = [
        id,
        hash % maxWorkers,
        name,
        windowMs,
        threshold,
        minWorkers,
        maxWorkers,
        latchMs,
      ]
      const head = about.map(String)
      const answers = new Map<number, Answer>()
      const placed = reports.map(({ fingerprint }, index) => place(fingerprint, index))
      await inGroups(placed, async (group) => {
        const generation = generationOf(scope, group[0]?.shard ?? 0)
        const keys = [generation, ...group.map((one) => keyOf(scope, one))]
        const args = group.flatMap(({ index }) => argumentsOf(reports[index] as SwarmReport))
        readAnswers(await run(REPORT, keys, [...head, ...args]), group, answers)
      })
      const states = reports.map(({ fingerprint, sample }, index) => {
        const answer = answers.get(index)
        if (!answer) throw new TypeError('the server gave no answer to a report')
        return { fingerprint, ...answer, sample }
      })
      // The reports are applied, so they must not be sent again, even if listing fails.
      await announce(scope, name, rule, states).catch(() => {})
      return states
    },

    async latched(scope, limit, { details = false } = {}) {
      const [now, ...items] = await run(LIST, [listOf(scope)], [String(limit)])
      const listed = items.flatMap((item) => readListed(String(item), Number(now)))
      return describe(scope, listed, details)
    },

    async clear(scope, fingerprint) {
      if (fingerprint === undefined) {
        const shards = Array.from({ length: isCluster ? SHARDS : 1 }, (_, shard) => shard)
        const forget = (shard: number) =>
          run(NEXT_GENERATION, [generationOf(scope, shard)], [String(KEEP_GENERATION_MS)])
        await Promise.all(shards.map(forget))
        await run(UNLIST, [listOf(scope)], ['', '', channelOf(scope)])
        return
      }
      const key = fingerprintKey(fingerprint)
      await run(FORGET, [keyOf(scope, key)], [])
      const name = plainText(fingerprint, LONGEST_FINGERPRINT)
      await run(UNLIST, [listOf(scope)], [key.id, name, channelOf(scope)])
    },
  }
  if (options.subscribe === true && connection.subscribe !== undefined) {
    store.subscribe = async (scope, on, { signal } = {}) => {
      const read = (message: string) => {
        const state = readPushed(message)
        if (state) on(state)
      }
      return (await connection.subscribe?.(channelOf(scope), read, signal)) ?? (() => {})
    }
  }
  return store
}

/** What {@link REPORT} wants to know of a report. */
const argumentsOf = ({ seq, weight, fingerprint, sample = '' }: SwarmReport): string[] => [
  String(seq),
  String(weight),
  plainText(fingerprint, LONGEST_FINGERPRINT),
  plainText(sample, LONGEST_SAMPLE),
]

type Answer = Omit<SwarmState, 'fingerprint' | 'sample'>

function readAnswers(reply: unknown[], group: readonly Placed[], into: Map<number, Answer>): void {
  const [now, ...values] = reply.map(Number)
  for (const [place, { index }] of group.entries()) {
    const [total, workers, latchedUntil, fresh] = values.slice(place * 4)
    if (fresh === undefined) return
    into.set(index, {
      total: total as number,
      workers: workers as number,
      latchedUntil: latchedUntil as number,
      fresh: fresh === 1,
      now,
    })
  }
}

interface ListedState {
  readonly state: SwarmState
  readonly windowMs: number
}

/** Reads an entry of the list; returns an empty list if it is not ours. */
function readListed(text: string, now: number): ListedState[] {
  const space = text.indexOf(' ')
  try {
    const { windowMs, ...entry } = JSON.parse(text.slice(space + 1)) as Listed
    const latchedUntil = Number(text.slice(0, space))
    return [{ state: { ...entry, latchedUntil, fresh: false, now }, windowMs }]
  } catch {
    return []
  }
}

/**
 * Reads a pushed message: the end of the latch and the time, then the entry; or a fingerprint whose
 * latch was lifted.
 */
function readPushed(message: string): SwarmState | undefined {
  const [, latchedUntil, now, rest = ''] = /^(\d+) (\d+) (.*)$/s.exec(message) ?? []
  if (latchedUntil === '0') {
    return { fingerprint: rest, total: 0, workers: 0, latchedUntil: 0, fresh: false }
  }
  return readListed(`${latchedUntil} ${rest}`, Number(now))[0]?.state
}

function groupByShard(placed: readonly Placed[]): Placed[][] {
  const groups = new Map<number, Placed[]>()
  for (const one of placed) {
    const group = groups.get(one.shard)
    if (group) group.push(one)
    else groups.set(one.shard, [one])
  }
  return [...groups.values()]
}
