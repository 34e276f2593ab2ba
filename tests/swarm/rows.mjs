// The rows of the suite: every store on every server that it is for, then faults and examples.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  glide,
  glideCluster,
  ioRedis,
  ioRedisCluster,
  ioValkey,
  nodeRedis,
  nodeRedisCluster,
  postgres,
  upstash,
} from './clients.mjs'
import { ALONE, CHECKS, runCheck, TIMED } from './conformance.mjs'
import { exampleChecks } from './examples.mjs'
import { faultChecks } from './faults.mjs'
import { interruptChecks } from './interrupted.mjs'
import { entry, load } from './packages.mjs'
import {
  findPostgres,
  findRedis,
  findValkey,
  startCluster,
  startPostgres,
  startRedis,
  stopServers,
  until,
} from './servers.mjs'
import { typeChecks } from './types.mjs'
import { requireGlobal, startWorkerd } from './workerd.mjs'

const { memorySwarm } = await entry('swarm')

/** Runs named checks: most at the same time, then those that measure time, then those that are alone. */
async function runAll(name, checks) {
  const started = Date.now()
  const failures = []
  const notes = []
  let passed = 0
  const isAlone = ([check]) => ALONE.includes(check) || check.startsWith('alone: ')
  const isTimed = ([check]) => TIMED.includes(check)
  const attempt = async ([check, run], tries = isTimed([check]) ? 3 : 1) => {
    try {
      const note = await run()
      if (typeof note === 'string') notes.push(note)
      passed += 1
    } catch (error) {
      if (tries > 1) return attempt([check, run], tries - 1)
      failures.push({ name: check, error })
    }
  }
  const all = Object.entries(checks)
  await Promise.all(all.filter((one) => !isAlone(one) && !isTimed(one)).map((one) => attempt(one)))
  await Promise.all(all.filter(isTimed).map((one) => attempt(one)))
  for (const one of all.filter(isAlone)) await attempt(one)
  return { name, passed, failures, notes, took: Date.now() - started }
}

/** The conformance checks on a store, and more that only it has. */
async function conformance(name, open, more = () => ({})) {
  let opened
  try {
    opened = await open()
  } catch (error) {
    return { name, passed: 0, failures: [{ name: 'open', error }], notes: [], took: 0 }
  }
  const { store, close } = opened
  const checks = Object.keys(CHECKS).map((check) => [check, () => runCheck(check, store)])
  const row = await runAll(name, { ...Object.fromEntries(checks), ...more(opened) })
  await close()
  return row
}

/** A clock that no check sets. */
const now = () => Math.round(performance.timeOrigin + performance.now())

/** @param {(name: string) => boolean} isWanted */
export async function* rows(isWanted) {
  const wanted = (name, open, more) => (isWanted(name) ? [[name, open, more]] : [])

  if (isWanted('types')) yield runAll('types', typeChecks())

  if (isWanted('memory')) {
    yield conformance('memory', async () => ({ store: memorySwarm({ now }), close() {} }))
  }

  const redis = await findRedis()
  if (isWanted('servers'))
    yield runAll('servers stop when a run is interrupted', interruptChecks(redis))

  const pushes = { subscribe: true }
  for (const server of [
    { label: 'redis-server', found: redis },
    { label: 'valkey-server', found: await findValkey() },
  ]) {
    const { label, found } = server
    if (!found) {
      yield notFound(`${label}: not found, and not to be had here`)
      continue
    }
    const on = `${label} ${found.version} (${found.from})`
    const list = (port) => [
      ...wanted(`${on}: node-redis`, () => nodeRedis(port, pushes), noScript),
      ...wanted(`${on}: node-redis 4`, () => nodeRedis(port, pushes, 'redis-4'), noScript),
      ...wanted(
        `${on}: ioredis`,
        () => ioRedis(port, pushes),
        (opened) => ({
          ...noScript(opened),
          ...longAfterClear(opened),
          ...pushedByOthers(opened),
          ...liftedMeanwhile(opened.store, (hold) => heldRedis(opened.client, hold)),
        }),
      ),
      ...wanted(`${on}: iovalkey`, () => ioValkey(port, pushes), noScript),
      ...wanted(`${on}: valkey-glide`, () => glide(port), noScript),
      ...wanted(`${on}: @upstash/redis`, () => upstash(port)),
    ]
    if (list(0).length === 0) continue
    const { port } = await startRedis(found)
    for (const [name, open, more] of list(port)) yield conformance(name, open, more)
  }

  const onCluster = `Redis Cluster ${redis.version}, 3 masters`
  const clustered = (ports) => [
    ...wanted(`${onCluster}: node-redis`, () => nodeRedisCluster(ports, pushes), spread),
    ...wanted(`${onCluster}: node-redis 4`, () => nodeRedisCluster(ports, pushes, 'redis-4')),
    ...wanted(
      `${onCluster}: ioredis`,
      () => ioRedisCluster(ports, pushes),
      (opened) => ({ ...spread(opened), ...pushedByOthers(opened) }),
    ),
    ...wanted(`${onCluster}: valkey-glide`, () => glideCluster(ports)),
    ...wanted(`${onCluster}: ioredis, cluster: false`, () => oneOfCluster(ports)),
  ]
  if (clustered([]).length > 0) {
    const { ports } = await startCluster(redis)
    for (const [name, open, more] of clustered(ports)) yield conformance(name, open, more)
  }
  await stopServers()

  if (isWanted('postgresql')) {
    const found = await findPostgres().catch((error) => ({ version: '', error }))
    const open = async () => {
      if ('error' in found) throw found.error
      return postgres((await startPostgres(found)).port)
    }
    yield conformance(`PostgreSQL ${found.version}: pg`, open, ofPostgres)
    await stopServers()
  }

  if (isWanted('workerd, durable objects')) {
    yield conformance('workerd, Durable Objects', startWorkerd, (opened) => ({
      ...evictions(opened),
      ...liftedMeanwhile(opened.store, (hold) => heldObjects(opened.namespace, hold)),
    }))
  }

  if (isWanted('examples and the command')) {
    const valkey = await findValkey()
    yield runAll('examples and the command', exampleChecks(redis, valkey, findPostgres))
    await stopServers()
  }

  if (isWanted('faults')) {
    yield runAll(`faults, on redis-server ${redis.version}`, faultChecks(redis))
    await stopServers()
  }
}

const notFound = (name) => ({ name, passed: 0, failures: [], notes: [], took: 0 })

/** A server that forgets its scripts is given them again. */
const noScript = ({ client, store }) => ({
  async 'alone: NOSCRIPT'() {
    const flush = client.scriptFlush ?? (() => client.script('FLUSH'))
    await flush.call(client)
    await runCheck('replay', store)
    await flush.call(client)
    await runCheck('latched list', store)
  },
})

/** A store that does not subscribe, such as the one of the command, tells those that do. */
const pushedByOthers = ({ client, store }) => ({
  async 'alone: pushed by a store that does not subscribe'() {
    const { redisSwarm } = await entry('swarm')
    const other = redisSwarm(client)
    assert.equal(other.subscribe, undefined)
    const rule = {
      windowMs: SIX_DAYS,
      threshold: 2,
      minWorkers: 2,
      maxWorkers: 64,
      latchMs: 60_000,
    }
    const pushed = []
    const end = await store.subscribe('pushed', (state) => pushed.push(state))
    const reports = [{ fingerprint: 'f', kind: /** @type {const} */ ('call'), weight: 1, seq: 1 }]
    for (const worker of ['a', 'b']) await other.report('pushed', worker, reports, rule)
    await until('the latch is pushed', async () => pushed.at(-1)?.latchedUntil > 0)
    await other.clear('pushed')
    await until('that it was lifted is pushed', async () => pushed.at(-1)?.latchedUntil === 0)
    end()
  },
})

/** The window is so long that no bucket ends during a check. */
const SIX_DAYS = 518_400_000

/** What was counted since a scope was cleared stays when the server forgets that it was. */
const longAfterClear = ({ client, store }) => ({
  async 'alone: long after a scope was cleared'() {
    const rule = { windowMs: SIX_DAYS, threshold: 10, minWorkers: 2, maxWorkers: 64, latchMs: 1000 }
    const count = async (seq) => {
      const reports = [{ fingerprint: 'f', kind: 'call', weight: 1, seq }]
      const [{ total }] = await store.report('long after', 'a', reports, rule)
      return total
    }
    assert.equal(await count(1), 1)
    await store.clear('long after')
    await store.clear('long after')
    assert.deepEqual([await count(2), await count(3)], [1, 2])
    assert.equal(await client.del('lh:{long%20after}:generation'), 1)
    assert.deepEqual([await count(3), await count(4)], [2, 3])
    await store.clear('long after')
    assert.equal(await count(5), 1)
  },
})

/**
 * A latch that is lifted between a report and the worker's note of it on the list stays lifted.
 *
 * @param open Opens a store that awaits this function before it puts a latch on the list.
 */
const liftedMeanwhile = (store, open) => ({
  async 'alone: lifted while a report is under way'() {
    const rule = {
      windowMs: SIX_DAYS,
      threshold: 2,
      minWorkers: 2,
      maxWorkers: 64,
      latchMs: 60_000,
    }
    const report = (seq) => [{ fingerprint: 'f', kind: 'call', weight: 1, seq }]
    for (const fingerprint of ['f', undefined]) {
      const scope = `lifted ${process.pid} ${fingerprint}`
      const [released, reached] = [promise(), promise()]
      const late = await open(() => {
        reached.resolve()
        return released.settled
      })
      await store.report(scope, 'a', report(1), rule)
      const reported = late.report(scope, 'b', report(1), rule)
      await reached.settled
      await store.clear(scope, fingerprint)
      released.resolve()
      assert.equal((await reported)[0].fresh, true)
      assert.deepEqual(await store.latched(scope, 10), [])
      // A later one is listed as ever.
      await sleep(5)
      await store.report(scope, 'a', report(2), rule)
      await store.report(scope, 'b', report(2), rule)
      assert.equal((await store.latched(scope, 10)).length, 1)
    }
  },
})

function promise() {
  let resolve = () => {}
  const settled = new Promise((done) => {
    resolve = () => done(undefined)
  })
  return { settled, resolve }
}

async function heldRedis(client, hold) {
  const { redisSwarm } = await entry('swarm')
  const holding =
    (method) =>
    async (...given) => {
      if (String(given[2]).endsWith(':latched')) await hold()
      return client[method](...given)
    }
  return redisSwarm({
    evalsha: holding('evalsha'),
    eval: holding('eval'),
    defineCommand() {},
  })
}

async function heldObjects(namespace, hold) {
  const { durableObjectSwarm } = await entry('swarm/cloudflare')
  return durableObjectSwarm({
    ...namespace,
    get: (name) => ({
      async fetch(url, init) {
        if (name.endsWith(' latches')) await hold()
        return namespace.get(name).fetch(url, init)
      },
    }),
  })
}

/** Fingerprints of one scope are on all nodes of the Cluster. */
const spread = ({ client, store }) => ({
  async 'alone: spread over nodes'() {
    const scope = client.masters ? 'spread-a' : 'spread-b'
    const reports = Array.from({ length: 200 }, (_, index) => ({
      fingerprint: `f${index}`,
      kind: 'call',
      weight: 1,
      seq: index + 1,
    }))
    const rule = { windowMs: SIX_DAYS, threshold: 10, minWorkers: 2, maxWorkers: 64, latchMs: 1000 }
    await store.report(scope, 'a', reports, rule)
    const masters = client.masters
      ? await Promise.all(client.masters.map((node) => client.nodeClient(node)))
      : client.nodes('master')
    const keys = await Promise.all(masters.map((node) => node.keys(`lh:{${scope}:*`)))
    const counts = keys.map((names) => names.length)
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      200,
    )
    assert(
      counts.every((count) => count > 20),
      `${counts}`,
    )
  },
})

/** A client for one server, connected to a Cluster of which it has only some slots. */
async function oneOfCluster(ports) {
  const { Cluster } = await load('ioredis')
  const { redisSwarm } = await entry('swarm')
  const client = new Cluster(ports.map((port) => ({ host: '127.0.0.1', port })))
  client.on('error', () => {})
  // Says that it is none; the first answer tells.
  const store = redisSwarm(client, { cluster: false })
  return { store, close: () => client.disconnect() }
}

/** What only this store has to do. */
const ofPostgres = ({ pool, login }) => ({
  async 'alone: a worker that may not create tables'() {
    const { postgresSwarm } = await entry('swarm')
    const table = 'loophound_swarm'
    await pool.query(
      `CREATE ROLE modest LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO modest`,
    )
    const modest = login('modest')
    await runCheck('replay', postgresSwarm(modest))
    const missing = postgresSwarm(modest, { table: 'no_such_table' })
    await assert.rejects(missing.latched('x', 1), /no_such_table.* does not exist/)
    await modest.end()
  },

  async 'alone: expired rows are removed, without waiting for one that is in use'() {
    const { postgresSwarm } = await entry('swarm')
    const table = 'busy_swarm'
    const rule = { windowMs: 100, threshold: 10, minWorkers: 2, maxWorkers: 64, latchMs: 100 }
    const report = (fingerprint) => [{ fingerprint, kind: 'call', weight: 1, seq: 1 }]
    const names = async () => {
      const { rows } = await pool.query(`SELECT fingerprint FROM ${table} ORDER BY fingerprint`)
      return rows.map(({ fingerprint }) => fingerprint)
    }
    const first = postgresSwarm(pool, { table })
    for (const name of ['a', 'b', 'c']) await first.report('busy', 'w', report(name), rule)
    await sleep(500)
    const other = await pool.connect()
    try {
      await other.query(`BEGIN; SELECT FROM ${table} WHERE fingerprint = 'b' FOR UPDATE`)
      // A store looks for what has expired with its first report.
      await postgresSwarm(pool, { table }).report('busy', 'w', report('d'), rule)
      await until('the others are removed', async () => (await names()).join() === 'b,d')
    } finally {
      await other.query('ROLLBACK')
      other.release()
    }
  },

  // By whoever reports.
  async 'alone: expired rows are removed'() {
    const { postgresSwarm } = await entry('swarm')
    const store = postgresSwarm(pool, { table: 'public.another_swarm' })
    const rule = { windowMs: 100, threshold: 10, minWorkers: 2, maxWorkers: 64, latchMs: 100 }
    await store.report('sweep', 'a', [{ fingerprint: 'x', kind: 'call', weight: 1, seq: 1 }], rule)
    await sleep(300)
    const next = postgresSwarm(pool, { table: 'public.another_swarm', create: false })
    await next.report('sweep', 'a', [{ fingerprint: 'y', kind: 'call', weight: 1, seq: 2 }], rule)
    for (let tries = 0; ; tries++) {
      const { rows } = await pool.query('SELECT fp FROM public.another_swarm')
      if (rows.length === 1) break
      assert(tries < 100, `${rows.length} rows`)
      await sleep(20)
    }
  },
})

/** Objects are evicted, their alarms run, and a Worker uses the swarm. */
const evictions = ({ store, ask, namespace, worker }) => ({
  async 'alone: evicted between reports'() {
    const { durableObjectSwarm } = await entry('swarm/cloudflare')
    const small = durableObjectSwarm(namespace, { shards: 1 })
    const rule = {
      windowMs: SIX_DAYS,
      threshold: 10,
      minWorkers: 2,
      maxWorkers: 64,
      latchMs: 60_000,
    }
    const born = new Set()
    for (let seq = 1; seq <= 10; seq++) {
      for (const name of ['evicted 0', 'evicted latches']) {
        born.add(await ask(name, '/born'))
        await ask(name, '/evict').catch(() => {})
      }
      const reports = [{ fingerprint: 'f', kind: /** @type {const} */ ('call'), weight: 1, seq }]
      const [state] = await small.report('evicted', seq % 2 ? 'a' : 'b', reports, rule)
      assert.equal(state.total, seq)
      assert.equal(state.fresh, seq === 10)
    }
    assert.equal(born.size, 20)
    await ask('evicted latches', '/evict').catch(() => {})
    assert.equal((await small.latched('evicted', 10)).length, 1)
  },

  async 'alone: an alarm removes what expired'() {
    const { durableObjectSwarm } = await entry('swarm/cloudflare')
    const small = durableObjectSwarm(namespace, { shards: 1 })
    const rule = { windowMs: 1500, threshold: 10, minWorkers: 2, maxWorkers: 64, latchMs: 100 }
    const reports = [{ fingerprint: 'f', kind: /** @type {const} */ ('call'), weight: 1, seq: 1 }]
    await small.report('alarm', 'a', reports, rule)
    assert.equal(await ask('alarm 0', '/rows'), '1')
    for (let tries = 0; (await ask('alarm 0', '/rows')) !== '0'; tries++) {
      assert(tries < 600, 'the row is still there')
      await sleep(50)
    }
  },

  async 'alone: a swarm for each request of a Worker'() {
    await requireGlobal(worker, 'http://localhost/?scope=requests')
    assert.equal((await store.latched('requests', 1)).length, 1)
  },
})
