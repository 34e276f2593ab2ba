// Measures shared swarms: reports per second on Redis against plain INCR, memory per fingerprint, what
// a call costs with a swarm, and how all that grows.
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildAll } from '../scripts/build/all.mjs'
import { main, readOptions, thousands, writeError } from '../scripts/support/cli.mjs'
import { published, writeFigures } from '../scripts/support/files.mjs'
import { findRedis, startRedis, stopServers } from '../tests/swarm/servers.mjs'
import { median, ratios, spread, takeTurns } from './statistics.mjs'
import { short, table, time } from './tables.mjs'

const HELP = `Measures shared swarms, on a Redis of its own.

  npm run bench:swarm [-- <options>]

  --rounds <n>     this many rounds; 7 if absent
  --write          also write the figures into docs/swarm.md
  --help           print this text
`

const RULE = { windowMs: 518_400_000, threshold: 1e9, minWorkers: 2, maxWorkers: 64, latchMs: 1000 }
const CONNECTIONS = 50

/** The built package, and the commands that its store sends. */
async function makeBench() {
  const load = (name) => import(pathToFileURL(path.join(published, 'dist', name)).href)
  const [loophound, swarm] = [await load('index.js'), await load('swarm.js')]
  const sent = []
  let script = ''
  const client = {
    defineCommand() {},
    evalsha: async (...args) => {
      if (script === '') throw new Error('NOSCRIPT')
      sent.push(['EVALSHA', ...args])
      // An answer for as many reports as there are keys after the first.
      return [1, ...Array((args[1] - 1) * 4).fill(0)]
    },
    eval: async (source, count) => {
      script = source
      return [1, ...Array((count - 1) * 4).fill(0)]
    },
  }
  const store = swarm.redisSwarm(client)
  const report = (fingerprint, seq) => ({ fingerprint, kind: 'call', weight: 1, seq })
  await store.report('bench', 'w', [report('f', 1)], RULE)
  return {
    ...{ loophound, swarm, script },
    /** Returns the command that the store sends for reports of a worker, as bytes. */
    async command(worker, reports) {
      sent.length = 0
      await store.report(
        'bench',
        worker,
        reports.map(([name, seq]) => report(name, seq)),
        RULE,
      )
      return encode(sent[0])
    },
  }
}

const encode = (parts) =>
  Buffer.from(
    `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(String(part))}\r\n${part}\r\n`).join('')}`,
  )

/** A connection that sends prepared commands and counts the answers. */
class Connection {
  #socket
  #answers = 0
  #wanted = 0
  #done = () => {}

  /** @param {number} port @param {string} mark The byte that begins an answer, and only there. */
  constructor(port, mark) {
    const code = mark.charCodeAt(0)
    this.#socket = net.connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    // A server that is stopped resets its connections.
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk) => {
      for (let at = chunk.indexOf(code); at >= 0; at = chunk.indexOf(code, at + 1))
        this.#answers += 1
      if (this.#answers >= this.#wanted) this.#done()
    })
  }

  /** Sends commands, this many at a time. */
  async send(commands, atATime) {
    for (let at = 0; at < commands.length; at += atATime) {
      const part = commands.slice(at, at + atATime)
      this.#answers = 0
      this.#wanted = part.length
      const answered = new Promise((resolve) => {
        this.#done = () => resolve(undefined)
      })
      this.#socket.write(part.length === 1 ? part[0] : Buffer.concat(part))
      await answered
    }
  }

  close() {
    this.#socket.destroy()
  }
}

/** Sends one line and returns the whole answer. */
function ask(port, parts) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(String(chunk))
    })
    socket.write(encode(parts))
  })
}

/** The processor time of a server so far, in seconds. */
async function serverTime(port) {
  const text = await ask(port, ['INFO', 'cpu'])
  const [user, system] = ['used_cpu_user', 'used_cpu_sys'].map((name) =>
    Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]),
  )
  return user + system
}

/** Runs commands over several connections; returns reports per second, and per second of the server. */
async function load(port, { lists, atATime, reports, mark }) {
  const connections = lists.map(() => new Connection(port, mark))
  const cpu = await serverTime(port)
  const started = performance.now()
  await Promise.all(lists.map((list, at) => connections[at].send(list, atATime)))
  const seconds = (performance.now() - started) / 1000
  const used = (await serverTime(port)) - cpu
  for (const connection of connections) connection.close()
  const count = lists.reduce((sum, list) => sum + list.length, 0) * reports
  return { perSecond: count / seconds, perCore: count / used }
}

/**
 * Commands for each connection, which is one worker.
 *
 * @param {object} bench
 * @param {{ connections: number, commands: number, reports: number, sharedBy: number }} how Each
 *   fingerprint is reported by `sharedBy` workers.
 */
async function makeLists(bench, { connections, commands, reports, sharedBy }) {
  const lists = []
  for (let worker = 0; worker < connections; worker++) {
    const list = []
    seqs[worker] ??= 0
    for (let command = 0; command < commands; command++) {
      const batch = []
      for (let at = 0; at < reports; at++) {
        seqs[worker] += 1
        const group = Math.floor(worker / sharedBy)
        batch.push([`${sharedBy} ${group} ${(seqs[worker] * 7) % 100}`, seqs[worker]])
      }
      list.push(await bench.command(`worker ${worker}`, batch))
    }
    lists.push(list)
  }
  return lists
}

/** The last number of each worker, over all jobs. */
const seqs = []

async function throughput(found, bench, rounds) {
  writeError('Measuring throughput.\n')
  const { port } = await startRedis(found)
  await ask(port, ['SCRIPT', 'LOAD', bench.script])
  const increments = Array.from({ length: CONNECTIONS }, (_, at) =>
    Array.from({ length: 400 }, (_, index) => encode(['INCR', `n${(index * 7 + at) % 1000}`])),
  )
  const jobs = [
    { name: 'INCR', atATime: 1, reports: 1, mark: ':' },
    { name: 'a report', atATime: 1, reports: 1, mark: '*' },
    { name: 'INCR, pipelined by 16', atATime: 16, reports: 1, mark: ':' },
    { name: 'a report, pipelined by 16', atATime: 16, reports: 1, mark: '*' },
    { name: '32 reports in one call', atATime: 1, reports: 32, mark: '*', commands: 40 },
    { name: '64 reports in one call', atATime: 1, reports: 64, mark: '*', commands: 20 },
  ]
  const results = jobs.map(() => /** @type {{ perSecond: number, perCore: number }[]} */ ([]))
  for (let round = -1; round < rounds; round++) {
    for (const [index, { commands = 400, ...job }] of jobs.entries()) {
      const connections = CONNECTIONS
      const lists =
        job.mark === ':'
          ? increments
          : await makeLists(bench, { connections, commands, reports: job.reports, sharedBy: 4 })
      const result = await load(port, { ...job, lists })
      if (round >= 0) results[index].push(result)
    }
  }
  const rows = jobs.map(({ name, reports }, index) => {
    const perSecond = results[index].map((result) => result.perSecond)
    const perCore = results[index].map((result) => result.perCore)
    const reference = results[name.includes('pipelined') || reports > 1 ? 2 : 0]
    const ratio = median(perSecond.map((value, round) => value / reference[round].perSecond))
    return [name, rounded(median(perSecond)), rounded(median(perCore)), short(ratio)]
  })
  await stopServers()
  return [
    `Reports per second with ${CONNECTIONS} connections, four workers on each fingerprint, and per second of the server's processor time; the last column compares with \`INCR\` sent the same way (batched calls with the pipelined one).`,
    '',
    table(['', 'per second', 'per core', 'against `INCR`'], rows),
  ]
}

const rounded = (value) => thousands(Number(value.toPrecision(3)))

async function growth(found, bench) {
  writeError('Measuring growth.\n')
  const workers = []
  for (const connections of [1, 4, 16, 64]) {
    const { port } = await startRedis(found)
    await ask(port, ['SCRIPT', 'LOAD', bench.script])
    const commands = Math.ceil(2000 / connections)
    const lists = await makeLists(bench, {
      connections,
      commands,
      reports: 32,
      sharedBy: connections,
    })
    const { perSecond, perCore } = await load(port, { lists, atATime: 1, reports: 32, mark: '*' })
    workers.push([String(connections), rounded(perSecond), rounded(perCore)])
    await stopServers()
  }
  const fingerprints = []
  const { port } = await startRedis(found)
  await ask(port, ['SCRIPT', 'LOAD', bench.script])
  const before = await usedMemory(port)
  let seq = 0
  let filled = 0
  for (const size of [1e3, 1e4, 1e5, 1e6]) {
    for (const worker of ['a', 'b', 'c']) await fill(bench, port, worker, filled, size)
    filled = size
    const list = []
    for (let command = 0; command < 600; command++) {
      const batch = Array.from({ length: 32 }, () => {
        seq += 1
        return [`f${(seq * 7919) % size}`, 1e9 + seq]
      })
      list.push(await bench.command('a', batch))
    }
    const { perCore } = await load(port, { lists: [list], atATime: 1, reports: 32, mark: '*' })
    const bytes = (await usedMemory(port)) - before
    fingerprints.push([
      thousands(size),
      rounded(perCore),
      `${Math.round(bytes / size)} B`,
      `${(bytes / 1e6).toFixed(1)} MB`,
    ])
  }
  await stopServers()
  return [
    'By workers that report at the same time, all on the same 100 fingerprints, 32 reports in one call:',
    '',
    table(['workers', 'reports per second', 'per core'], workers),
    '',
    'By fingerprints in the store, each reported by three workers; memory as the server accounts for it, with keys and the table of keys:',
    '',
    table(['fingerprints', 'reports per second and core', 'bytes each', 'in all'], fingerprints),
  ]
}

/** Reports fingerprints once, by one worker. */
async function fill(bench, port, worker, from, to) {
  const connection = new Connection(port, '*')
  let batch = []
  let commands = []
  for (let at = from; at < to; at++) {
    batch.push([`f${at}`, at + 1])
    if (batch.length < 64 && at < to - 1) continue
    commands.push(await bench.command(worker, batch))
    batch = []
    if (commands.length < 200 && at < to - 1) continue
    await connection.send(commands, 8)
    commands = []
  }
  connection.close()
}

async function usedMemory(port) {
  return Number(/used_memory:(\d+)/.exec(await ask(port, ['INFO', 'memory']))?.[1])
}

async function memory(found, bench) {
  writeError('Measuring memory.\n')
  const { port } = await startRedis(found)
  await ask(port, ['SCRIPT', 'LOAD', bench.script])
  const rows = []
  let keyLength = 0
  let worker = 0
  for (const count of [1, 3, 16, 64, 200]) {
    const connection = new Connection(port, '*')
    for (; worker < count; worker++) {
      const name = `worker ${worker} with a name`
      await connection.send([await bench.command(name, [['f', 1000 + worker]])], 1)
    }
    connection.close()
    const [, key = ''] = /\r\n(lh:[^\r]+)/.exec(await ask(port, ['KEYS', 'lh:*'])) ?? []
    keyLength = key.length
    const bytes = Number((await ask(port, ['MEMORY', 'USAGE', key, 'SAMPLES', '0'])).slice(1))
    const encoding =
      /listpack|hashtable/.exec(await ask(port, ['OBJECT', 'ENCODING', key]))?.[0] ?? '?'
    rows.push([String(count), thousands(bytes), encoding])
  }
  await stopServers()
  return [
    `Memory of one fingerprint, by \`MEMORY USAGE\`, for a key of ${keyLength} bytes:`,
    '',
    table(['workers', 'bytes', 'kept as'], rows),
  ]
}

async function callCost({ loophound, swarm }, rounds) {
  writeError('Measuring calls.\n')
  const { LoopDetector, LoopGuard, SwarmDetector } = loophound
  const { SharedSwarm, memorySwarm } = swarm
  const calls = Array.from({ length: 2000 }, (_, at) => ({
    name: ['read_file', 'bash', 'search', 'edit'][at % 4],
    args: {
      path: `src/module-${at % 500}/file.ts`,
      command: `npm run task-${at % 300}`,
      query: `word ${at}`,
    },
  }))
  const quiet = { pollMs: 0, flushMs: 60_000, flushSize: 1024 }
  const waste = new SharedSwarm({ store: memorySwarm(), ...quiet })
  const names = new Set(calls.map(({ name }) => name))
  const warned = new SharedSwarm({ store: await latchedStore(swarm, names), ...quiet })
  await warned.refresh()
  const counted = new SharedSwarm({
    ...{ store: memorySwarm(), report: 'calls', bufferSize: 4096 },
    ...quiet,
  })
  const other = new SharedSwarm({ store: memorySwarm(), ...quiet })
  const detectors = [0, 1, 2].map(() => new LoopDetector())
  /** Steps of a guard: one call each, and its result. */
  const steps = (given, ok) => {
    const guard = new LoopGuard({ ...(given && { swarm: given }), onWarning: false })
    let count = 0
    return (name, args) => {
      count += 1
      const id = String(count)
      guard.beginStep()
      guard.call({ id, name, args })
      const output = ok ? `line ${count}` : `Error: host ${count} refused the connection`
      guard.result({ id, ok, output })
      guard.endStep()
    }
  }
  const local = new SwarmDetector()
  const each = (run) => ({
    run: () => {
      for (let pass = 0; pass < 5; pass++) for (const { name, args } of calls) run(name, args)
    },
    work: calls.length * 5,
  })
  const times = takeTurns(
    [
      each((name, args) => detectors[0].record(name, args)),
      each((name, args) => {
        waste.ask({ name, args })
        detectors[1].record(name, args)
      }),
      each((name, args) => {
        warned.ask({ name, args })
        detectors[2].record(name, args)
      }),
      each((name, args) => local.record('worker', name, args)),
      each((name, args) => counted.record(name, args)),
      each(steps(null, true)),
      each(steps(other, true)),
      each(steps(warned, true)),
      each(steps(null, false)),
      each(steps(other, false)),
    ],
    { rounds: rounds * 5, warmUp: 3 },
  )
  const row = (name, mine, theirs) => {
    const ratio = ratios(times[mine], times[theirs])
    return [name, time(spread(times[mine]).median), mine === theirs ? '' : short(ratio.median)]
  }
  return [
    'What a call costs the agent, in processor time:',
    '',
    table(
      ['', 'per call', 'ratio'],
      [
        row('`LoopDetector.record` alone', 0, 0),
        row("with a swarm, `report: 'waste'`, nothing latched", 1, 0),
        row('the same, while another call of each tool is latched', 2, 0),
        row('`SwarmDetector.record`, in one process', 3, 3),
        row("`SharedSwarm.record`, `report: 'calls'`", 4, 3),
        row('a step of `LoopGuard`, with its result', 5, 5),
        row('with a swarm, nothing latched', 6, 5),
        row('the same, while another call of each tool is latched', 7, 5),
        row('a step whose call fails, as all do', 8, 8),
        row('with a swarm, nothing latched', 9, 8),
      ],
    ),
  ]
}

/** A store in which a call of each of these tools is latched, which is not among those that are made. */
async function latchedStore({ memorySwarm }, names) {
  const store = memorySwarm()
  const rule = { ...RULE, threshold: 2, latchMs: 1e8 }
  const reports = Array.from(names, (name, at) => ({
    fingerprint: `waste:${name}:0123456789abcdef`,
    kind: 'waste',
    weight: 1,
    seq: at + 1,
  }))
  for (const worker of ['a', 'b']) await store.report('default', worker, reports, rule)
  return store
}

await main(async () => {
  const options = readOptions(HELP, { rounds: 7, write: false })
  if (options === undefined) return
  await buildAll()
  const found = await findRedis()
  const bench = await makeBench()
  try {
    const lines = [
      `Measured on ${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), Node ${process.versions.node}, redis-server ${found.version}, client and server on the same machine; medians of ${options.rounds} rounds.`,
      '',
      ...(await throughput(found, bench, options.rounds)),
      '',
      ...(await growth(found, bench)),
      '',
      ...(await memory(found, bench)),
      '',
      ...(await callCost(bench, options.rounds)),
    ]
    writeFigures('docs/swarm.md', 'figures', options.write, lines)
  } finally {
    await stopServers()
  }
  process.exit(0)
})
