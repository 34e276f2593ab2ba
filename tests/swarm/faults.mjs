// What happens to reports when servers and connections fail. Worker processes record calls all the
// while; in the end every report was counted once, or is among those that were given up.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { thousands } from '../../scripts/support/cli.mjs'
import { ioRedis, ioRedisCluster } from './clients.mjs'
import { askRedis, DURABLE, startCluster, startRedis, until } from './servers.mjs'

const program = fileURLToPath(new URL('worker.mjs', import.meta.url))

/**
 * Runs worker processes, and a fault while they record.
 *
 * @param {{ client: string, ports: number[], scope: string, workers: number, records: number,
 *   fingerprints: number, pauseMs: number }} setup `records` of all workers together.
 * @param {() => Promise<void>} fault
 */
async function runWorkers({ workers, records, ...setup }, fault) {
  const given = JSON.stringify({ ...setup, records: records / workers })
  const all = Array.from({ length: workers }, () => fork(program, [given], { stdio: 'inherit' }))
  const answers = all.map(
    (child) =>
      new Promise((resolve, reject) => {
        child.on('message', (message) => {
          if (message !== 'ready') resolve(message)
        })
        child.once('error', reject)
        child.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)))
      }),
  )
  await Promise.all(all.map((child) => new Promise((resolve) => child.once('message', resolve))))
  const started = Date.now()
  for (const child of all) child.send('go')
  try {
    const [stats] = await Promise.all([Promise.all(answers), fault()])
    return { ...summed(stats), took: Date.now() - started }
  } finally {
    for (const child of all) child.kill()
  }
}

function summed(stats) {
  const sum = (name) => stats.reduce((total, one) => total + one[name], 0)
  return {
    recorded: sum('recorded'),
    delivered: sum('delivered'),
    dropped: sum('dropped'),
    failures: sum('failures'),
    latches: sum('latches'),
    thrown: stats.flatMap(({ thrown }) => thrown),
    outages: stats.filter(({ states }) => states.includes('offline')).length,
  }
}

/** Adds up what nodes have counted for each fingerprint of a scope. */
async function countsOf(nodes, scope) {
  const counts = []
  for (const node of nodes) {
    for (const key of await node.keys(`lh:{${scope}:*}:*`)) {
      const [, current, previous] = String(await node.hget(key, 's')).split(' ')
      counts.push(Number(current) + Number(previous))
    }
  }
  return counts
}

const total = (counts) => counts.reduce((sum, count) => sum + count, 0)

/** No worker threw, and none lost track of a report. */
function requireAccounts(result) {
  assert.deepEqual(result.thrown, [])
  assert.equal(result.delivered + result.dropped, result.recorded)
}

/** Every report was counted exactly once, and every latch told exactly once. */
function requireExact(result, counts, setup) {
  requireAccounts(result)
  assert.equal(result.dropped, 0)
  assert.equal(counts.length, setup.fingerprints)
  assert.deepEqual(new Set(counts), new Set([setup.records / setup.fingerprints]))
  assert.equal(result.latches, setup.fingerprints)
}

const figures = (what, result, counts) =>
  `${what}: ${thousands(result.recorded)} reports, ${thousands(total(counts))} counted, ${result.dropped} dropped; ${result.failures} failed requests, ${result.outages} workers offline for a while, ${result.latches} latches told, ${(result.took / 1000).toFixed(1)} s`

const SMALL = { workers: 4, records: 20_000, fingerprints: 100, pauseMs: 60 }

/** The checks, by name; each returns its figures. */
export function faultChecks(found) {
  return {
    async 'alone: server killed and restarted'() {
      const setup = { workers: 8, records: 100_000, fingerprints: 250, pauseMs: 25 }
      const server = await startRedis(found, DURABLE)
      const where = { client: 'node-redis', ports: [server.port], scope: 'killed' }
      const result = await runWorkers({ ...setup, ...where }, async () => {
        for (let kill = 0; kill < 2; kill++) {
          await sleep(600)
          await server.kill('SIGKILL')
          await sleep(400)
          await server.start()
        }
      })
      const { client, close } = await ioRedis(server.port)
      const counts = await countsOf([client], 'killed')
      close()
      await server.kill()
      requireExact(result, counts, setup)
      assert(result.failures > 0)
      return figures('SIGKILL twice, 8 processes', result, counts)
    },

    async 'alone: connections cut'() {
      const server = await startRedis(found)
      const proxy = await startProxy(server.port)
      const where = { client: 'ioredis', ports: [proxy.port], scope: 'cut' }
      const result = await runWorkers({ ...SMALL, ...where }, async () => {
        for (let cut = 0; cut < 12; cut++) {
          await sleep(120)
          proxy.cut()
        }
      })
      const { client, close } = await ioRedis(server.port)
      const counts = await countsOf([client], 'cut')
      close()
      proxy.close()
      await server.kill()
      requireExact(result, counts, SMALL)
      return `${figures('connections cut 12 times', result, counts)}; ${proxy.connections} connections`
    },

    async 'alone: answers lost after the script ran'() {
      const server = await startRedis(found)
      const proxy = await startProxy(server.port)
      const where = { client: 'ioredis', ports: [proxy.port], scope: 'lost' }
      const result = await runWorkers({ ...SMALL, ...where }, async () => {
        for (let loss = 0; loss < 12; loss++) {
          await sleep(120)
          proxy.loseAnswers()
        }
      })
      const { client, close } = await ioRedis(server.port)
      const counts = await countsOf([client], 'lost')
      close()
      proxy.close()
      await server.kill()
      requireExact(result, counts, SMALL)
      assert(proxy.lost > 0)
      return `${figures('answers swallowed', result, counts)}; ${proxy.lost} answers lost`
    },

    async 'alone: FLUSHALL'() {
      const server = await startRedis(found)
      const where = { client: 'node-redis', ports: [server.port], scope: 'flushed' }
      let before = 0
      const { client, close } = await ioRedis(server.port)
      const result = await runWorkers({ ...SMALL, ...where }, async () => {
        await sleep(1200)
        // In one step, so that nothing is counted in between.
        const count = `local sum = 0
          for _, key in ipairs(redis.call('KEYS', 'lh:{flushed:*}:*')) do
            local _, current, previous = string.match(redis.call('HGET', key, 's'), '^(%d+) (%d+) (%d+) ')
            sum = sum + current + previous
          end
          redis.call('FLUSHALL')
          return sum`
        before = Number(await client.eval(count, 0))
        await client.script('FLUSH')
      })
      const counts = await countsOf([client], 'flushed')
      close()
      await server.kill()
      requireAccounts(result)
      assert.equal(result.dropped, 0)
      assert(before > 0)
      // What was applied before and not confirmed comes again after it: nothing is left of the first.
      const again = total(counts) + before - SMALL.records
      assert(again >= 0, `${-again} reports were lost`)
      const each = SMALL.records / SMALL.fingerprints
      assert(
        counts.every((count) => count <= each),
        `${Math.max(...counts)} of ${each}`,
      )
      return `${figures('FLUSHALL and SCRIPT FLUSH', result, counts)}; ${thousands(before)} counted before it, ${again} of them sent again after it`
    },

    async 'alone: failover in the Cluster'() {
      const { masters, replica, ports } = await startCluster(found)
      const where = { client: 'cluster', ports, scope: 'failover' }
      let failovers = 0
      const result = await runWorkers({ ...SMALL, ...where }, async () => {
        await sleep(700)
        await until('the replica has taken over', async () => {
          if (/role:master/.test(await askRedis(replica.port, 'INFO replication'))) return true
          // It gives up after 5 s, if the machine is too busy.
          if (failovers++ % 100 === 0) await askRedis(replica.port, 'CLUSTER FAILOVER')
          return false
        })
      })
      const { client, close } = await ioRedisCluster(ports)
      await until('the Cluster is known', async () => client.nodes('master').length === 3)
      const counts = await countsOf(client.nodes('master'), 'failover')
      requireExact(result, counts, SMALL)

      // Now the new master dies, and the old one takes over again, with what had reached it.
      const lossy = { ...SMALL, ...where, scope: 'death' }
      const [first] = masters
      const second = await runWorkers(lossy, async () => {
        await sleep(700)
        for (const { port } of masters) await askRedis(port, 'CONFIG SET cluster-node-timeout 1000')
        await replica.kill('SIGKILL')
        await until('the other has taken over', async () =>
          /role:master/.test(await askRedis(Number(first?.port), 'INFO replication')),
        )
      })
      close()
      const again = await ioRedisCluster(masters.map(({ port }) => port))
      await until('the Cluster answers', async () => {
        const pings = await Promise.allSettled(
          again.client.nodes('master').map((node) => node.ping()),
        )
        return pings.length === 3 && pings.every(({ status }) => status === 'fulfilled')
      })
      const left = await countsOf(again.client.nodes('master'), 'death')
      again.close()
      requireAccounts(second)
      assert.equal(second.dropped, 0)
      const each = lossy.records / lossy.fingerprints
      assert(
        left.every((count) => count <= each),
        `counted twice: ${Math.max(...left)} of ${each}`,
      )
      const lost = lossy.records - total(left)
      return `${figures('failover', result, counts)}\n    ${figures('master killed', second, left)}; ${lost} confirmed reports lost with it, as replication is asynchronous`
    },
  }
}

/** Stands between clients and a server: cuts connections, or swallows answers and then cuts. */
async function startProxy(target) {
  const pairs = new Set()
  const proxy = { port: 0, connections: 0, lost: 0 }
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1')
    const pair = { client, upstream, isSwallowing: false }
    pairs.add(pair)
    proxy.connections += 1
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (!pair.isSwallowing) client.write(chunk)
      else {
        // The server did what it was asked to; nobody is told.
        proxy.lost += 1
        end()
      }
    })
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  proxy.port = /** @type {net.AddressInfo} */ (server.address()).port
  return Object.assign(proxy, {
    cut() {
      for (const { client } of pairs) client.destroy()
    },
    loseAnswers() {
      for (const pair of pairs) pair.isSwallowing = true
    },
    close() {
      for (const { client, upstream } of pairs) {
        client.destroy()
        upstream.destroy()
      }
      server.close()
    },
  })
}
