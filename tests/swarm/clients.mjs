// The pinned clients, and the store that each makes.
import http from 'node:http'
import { entry, load } from './packages.mjs'

const { redisSwarm, upstashSwarm, postgresSwarm } = await entry('swarm')

/** Milliseconds that valkey-glide waits; its own 250 are too few for a busy machine. */
const requestTimeout = 10_000

/** The method that ends a client of node-redis; the second is that of version 4. */
const closeNodeRedis = (client) => (client.destroy ?? client.disconnect).call(client)

export async function nodeRedis(port, options = {}, name = 'redis') {
  const { createClient } = await load(name)
  const client = createClient({ url: `redis://127.0.0.1:${port}` })
  client.on('error', () => {})
  await client.connect()
  return { client, store: redisSwarm(client, options), close: () => closeNodeRedis(client) }
}

export async function nodeRedisCluster(ports, options = {}, name = 'redis') {
  const { createCluster } = await load(name)
  const rootNodes = ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }))
  const client = createCluster({ rootNodes })
  client.on('error', () => {})
  await client.connect()
  return { client, store: redisSwarm(client, options), close: () => closeNodeRedis(client) }
}

async function io(name, port, options) {
  const { Redis } = await load(name)
  const client = new Redis({ host: '127.0.0.1', port })
  client.on('error', () => {})
  return { client, store: redisSwarm(client, options), close: () => client.disconnect() }
}

async function ioCluster(name, ports, options) {
  const { Cluster } = await load(name)
  const client = new Cluster(ports.map((port) => ({ host: '127.0.0.1', port })))
  client.on('error', () => {})
  return { client, store: redisSwarm(client, options), close: () => client.disconnect() }
}

export const ioRedis = (port, options) => io('ioredis', port, options)
export const ioRedisCluster = (ports, options) => ioCluster('ioredis', ports, options)
export const ioValkey = (port, options) => io('iovalkey', port, options)

export async function glide(port) {
  const { GlideClient, Logger } = await load('@valkey/valkey-glide')
  // It would report every script that a server does not know yet.
  Logger.init('off')
  const addresses = [{ host: '127.0.0.1', port }]
  const client = await GlideClient.createClient({ addresses, requestTimeout })
  return { client, store: redisSwarm(client), close: () => client.close() }
}

export async function glideCluster(ports) {
  const { GlideClusterClient, Logger } = await load('@valkey/valkey-glide')
  Logger.init('off')
  const addresses = ports.map((port) => ({ host: '127.0.0.1', port }))
  const client = await GlideClusterClient.createClient({ addresses, requestTimeout })
  return { client, store: redisSwarm(client), close: () => client.close() }
}

/** The client of Upstash, on a server that speaks its protocol over HTTP in front of a real Redis. */
export async function upstash(port) {
  const { Redis } = await load('@upstash/redis')
  const { client, close } = await ioRedis(port)
  const server = await startUpstash(client)
  const redis = new Redis({ url: `http://127.0.0.1:${server.address().port}`, token: 'secret' })
  return {
    store: upstashSwarm(redis),
    close() {
      server.closeAllConnections()
      server.close()
      close()
    },
  }
}

/** A server that speaks the protocol of Upstash, in front of a client. */
export function startUpstash(client) {
  const server = http.createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const isEncoded = request.headers['upstash-encoding'] === 'base64'
    const run = async ([command, ...args]) => {
      try {
        return { result: encoded(await client.call(command, ...args.map(String)), isEncoded) }
      } catch (error) {
        return { error: error.message }
      }
    }
    const commands = JSON.parse(String(Buffer.concat(chunks)))
    const isPipeline = request.url === '/pipeline'
    const answer = isPipeline ? await Promise.all(commands.map(run)) : await run(commands)
    response.statusCode = answer.error === undefined ? 200 : 400
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function encoded(value, isEncoded) {
  if (Array.isArray(value)) return value.map((item) => encoded(item, isEncoded))
  if (typeof value !== 'string' || !isEncoded || value === 'OK') return value
  return Buffer.from(value).toString('base64')
}

export async function postgres(port) {
  const { default: pg } = await load('pg')
  const login = (user) => {
    const pool = new pg.Pool({ host: '127.0.0.1', port, user, database: 'postgres', max: 16 })
    pool.on('error', () => {})
    return pool
  }
  const pool = login('swarm')
  return { pool, login, store: postgresSwarm(pool), close: () => pool.end() }
}
