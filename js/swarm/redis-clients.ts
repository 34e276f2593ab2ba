/**
 * Runs scripts and subscribes through the host's own Redis client. No client is imported: each is
 * recognised by its methods.
 *
 * @module
 */

import { describe, reasonOf } from '../input/check.js'
import { type RedisScript, shaOf } from './redis-scripts.js'

/** Runs a script on the server that has the keys. */
export type RunScript = (
  script: RedisScript,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>

/** What a store needs from a client. */
export interface RedisConnection {
  readonly run: RunScript
  /** Whether all keys of one command must be in one slot. */
  readonly isCluster: boolean
  subscribe?(
    channel: string,
    on: (message: string) => void,
    signal?: AbortSignal,
  ): Promise<() => void>
}

/** A client of node-redis: `createClient()`, `createCluster()` or `createClientPool()`. */
export interface NodeRedisClient {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A client of ioredis or iovalkey: `new Redis()` or `new Cluster()`. */
export interface IoRedisClient {
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  defineCommand: unknown
}

/** A client of valkey-glide: `GlideClient` or `GlideClusterClient`. */
export interface GlideClient {
  customCommand(args: string[]): Promise<unknown>
  invokeScript: unknown
}

/** A client of `@upstash/redis`. */
export interface UpstashClient {
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
}

export type RedisClient = NodeRedisClient | IoRedisClient | GlideClient

/** Recognises a client. @throws TypeError for an unknown client. */
export function connect(client: RedisClient): RedisConnection {
  if (has(client, 'evalSha') && has(client, 'eval')) return nodeRedis(client as NodeRedisClient)
  if (has(client, 'evalsha') && has(client, 'defineCommand'))
    return ioRedis(client as IoRedisClient)
  if (has(client, 'invokeScript') && has(client, 'customCommand')) {
    return glide(client as GlideClient)
  }
  const hint = has(client, 'evalsha') ? '; for @upstash/redis there is upstashSwarm()' : ''
  throw new TypeError(
    `redisSwarm(client): client must be a client of node-redis, ioredis, iovalkey or valkey-glide; got ${describe(client)}${hint}`,
  )
}

/** Recognises a client of Upstash. @throws TypeError for anything else. */
export function connectUpstash(client: UpstashClient): RedisConnection {
  if (!has(client, 'evalsha') || !has(client, 'eval')) {
    throw new TypeError(
      `upstashSwarm(redis): redis must be a client of @upstash/redis; got ${describe(client)}`,
    )
  }
  return {
    isCluster: false,
    run: withFallback(
      (sha, keys, args) => client.evalsha(sha, keys, args),
      (source, keys, args) => client.eval(source, keys, args),
    ),
  }
}

type Evaluate = (scriptOrSha: string, keys: string[], args: string[]) => Promise<unknown>

/** Returns the words of a command that runs a script. */
const commandOf = (name: string, script: string, keys: string[], args: string[]): string[] => [
  ...[name, script, String(keys.length)],
  ...keys,
  ...args,
]

/** Sends the SHA-1 of a script, and its text only to a server that does not know it. */
function withFallback(bySha: Evaluate, bySource: Evaluate): RunScript {
  return async (script, keys, args) => {
    try {
      return await bySha(await shaOf(script), [...keys], [...args])
    } catch (error) {
      if (!/NOSCRIPT/i.test(reasonOf(error))) throw error
      return await bySource(script.source, [...keys], [...args])
    }
  }
}

interface NodeRedisSubscriber extends Closable {
  connect(): Promise<unknown>
  subscribe(channel: string, on: (message: string) => void): Promise<unknown>
}

/** What a Cluster of node-redis has: a command goes to the server with its first key. */
interface NodeRedisCluster {
  sendCommand(firstKey: string | undefined, isReadonly: boolean, args: string[]): Promise<unknown>
}

function nodeRedis(client: NodeRedisClient): RedisConnection {
  const isCluster = has(client, 'getSlotRandomNode') || has(client, 'nodeClient')
  const cluster = client as unknown as NodeRedisCluster
  // A Cluster of node-redis 4 sends a script to any server, whatever its keys.
  const send =
    (command: string): Evaluate =>
    (script, keys, args) =>
      cluster.sendCommand(keys[0], false, commandOf(command, script, keys, args))
  return {
    isCluster,
    run:
      isCluster && has(client, 'sendCommand')
        ? withFallback(send('EVALSHA'), send('EVAL'))
        : withFallback(
            (sha, keys, args) => client.evalSha(sha, { keys, arguments: args }),
            (source, keys, args) => client.eval(source, { keys, arguments: args }),
          ),
    subscribe: (channel, on, signal) =>
      withOwnConnection<NodeRedisSubscriber>(client, signal, async (own) => {
        await own.connect()
        await own.subscribe(channel, on)
      }),
  }
}

interface IoRedisSubscriber extends Closable {
  subscribe(channel: string): Promise<unknown>
}

function ioRedis(client: IoRedisClient): RedisConnection {
  return {
    isCluster: (client as { isCluster?: unknown }).isCluster === true,
    run: withFallback(
      (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
      (source, keys, args) => client.eval(source, keys.length, ...keys, ...args),
    ),
    subscribe: (channel, on, signal) =>
      withOwnConnection<IoRedisSubscriber>(client, signal, async (own) => {
        own.on('message', (from, message) => {
          if (from === channel) on(message)
        })
        await own.subscribe(channel)
      }),
  }
}

/**
 * Connects valkey-glide. Its `invokeScript` needs a class of the package, so the command is sent
 * directly.
 */
function glide(client: GlideClient): RedisConnection {
  const send =
    (command: string): Evaluate =>
    (script, keys, args) =>
      client.customCommand(commandOf(command, script, keys, args))
  return {
    isCluster: has(client, 'fcallWithRoute') || has(client, 'invokeScriptWithRoute'),
    run: withFallback(send('EVALSHA'), send('EVAL')),
  }
}

interface Closable {
  on(event: string, listener: (channel: string, message: string) => void): unknown
  quit?(): unknown
  disconnect?(): unknown
  destroy?(): unknown
}

/**
 * Opens a connection that subscribes: it can do nothing else, so it is one of its own. It is closed by
 * the function that is returned, by the signal, and if it cannot be set up: while a server is gone, a
 * client would try for ever.
 */
async function withOwnConnection<Client extends Closable>(
  client: object,
  signal: AbortSignal | undefined,
  start: (own: Client) => Promise<void>,
): Promise<() => void> {
  const own = (client as { duplicate(): Client }).duplicate()
  // Without a listener, an error event would end the process.
  own.on('error', () => {})
  const end = () => close(own)
  signal?.addEventListener('abort', end, { once: true })
  try {
    await start(own)
    return end
  } catch (error) {
    end()
    throw error
  }
}

function close(client: Closable): void {
  try {
    const closed = (client.destroy ?? client.disconnect ?? client.quit)?.call(client)
    Promise.resolve(closed).catch(() => {})
  } catch {
    // It was already closed.
  }
}

function has(client: unknown, method: string): boolean {
  if (client === null || (typeof client !== 'object' && typeof client !== 'function')) return false
  return typeof (client as Record<string, unknown>)[method] === 'function'
}
