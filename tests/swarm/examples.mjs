// Runs the examples of docs/swarm.md on real servers, often enough that their call is latched. And the
// command, as an operator uses it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot, published, tools } from '../../scripts/support/files.mjs'
import { capture, run } from '../../scripts/support/process.mjs'
import { postgres, startUpstash } from './clients.mjs'
import { entry } from './packages.mjs'
import { askRedis, startCluster, startPostgres, startRedis } from './servers.mjs'
import { requireGlobal, startWorker } from './workerd.mjs'

/** Inside the folder in which the clients are installed, so that examples find them. */
const app = path.join(tools, 'swarm', 'examples')

function makeApp() {
  rmSync(app, { recursive: true, force: true })
  mkdirSync(path.join(app, 'node_modules'), { recursive: true })
  symlinkSync(published, path.join(app, 'node_modules/loophound'), 'dir')
  cpSync(inRoot('examples/swarm'), app, { recursive: true })
}

const sources = ['redis', 'cluster', 'valkey', 'upstash', 'postgres', 'worker']

/** Runs an example as twelve workers, one after the other, and requires that the last ones are told. */
async function runTwelve(name, env, store) {
  let latched = []
  const kinds = []
  // One whose answer takes too long gives up: on a busy machine, a few more are needed.
  while (!(latched[0]?.workers >= 12 && kinds.at(-1) === 'global')) {
    const [counted, made] = [latched[0]?.workers ?? 0, kinds.length]
    assert(made < 24, `${counted} of ${made} workers are counted; they print ${kinds}`)
    const output = await run(process.execPath, [path.join(app, `${name}.mjs`)], { cwd: app, env })
    // valkey-glide has lines of its own.
    kinds.push(output.split('\n').find((line) => line === 'null' || line === 'global'))
    if (made >= 11) latched = await store.latched('prod', 10, { details: true })
  }
  assert.deepEqual(kinds.slice(0, 10), Array(10).fill('null'))
  assert.equal(latched.length, 1)
  const [{ total, fingerprint }] = latched
  // Fewer than there were workers if a bucket of the window has ended meanwhile.
  assert(total >= 10 && total <= kinds.length, `${total} reports`)
  assert.match(fingerprint, /^call:web_search:[0-9a-f]{16}$/)
}

export function exampleChecks(redis, valkey, findPostgres) {
  makeApp()
  const { redisSwarm } = /** @type {any} */ (entries)
  return {
    async 'alone: redis.mjs, and the command'() {
      const { port } = await startRedis(redis)
      const { client, store, close } = await clientOf(port, redisSwarm)
      await runTwelve('redis', { REDIS_URL: `redis://127.0.0.1:${port}` }, store)
      await checkCommand(port, store)
      await checkHostile(port, client)
      close()
    },
    async 'alone: cluster.mjs'() {
      const { ports } = await startCluster(redis)
      const urls = ports.slice(0, 3).map((port) => `redis://127.0.0.1:${port}`)
      const { ioRedisCluster } = await import('./clients.mjs')
      const { store, close } = await ioRedisCluster(ports)
      await runTwelve('cluster', { REDIS_NODES: urls.join() }, store)
      const cluster = ['swarm', '--once', '--cluster', '--scope', 'prod', '--redis']
      const latched = /call web_search [0-9a-f]{8}\s+1\d\s+1\d/
      assert.match((await command([...cluster, urls[0] ?? ''])).output, latched)
      const forgotten = await command(['swarm', '--scope', 'prod', '--redis', urls[0] ?? ''])
      assert.deepEqual([forgotten.code, /give --cluster/.test(forgotten.output)], [2, true])
      for (const port of ports) {
        await askRedis(port, 'CONFIG SET masterauth s%3cret')
        await askRedis(port, 'CONFIG SET requirepass s%3cret')
      }
      const [first] = ports
      const withPassword = `valkey://:${encodeURIComponent('s%3cret')}@127.0.0.1:${first}`
      assert.match((await command([...cluster, withPassword])).output, latched)
      const without = await command([...cluster, urls[0] ?? ''])
      assert.deepEqual([without.code, /NOAUTH/.test(without.output)], [2, true], without.output)
      close()
    },
    async 'alone: valkey.mjs'() {
      const { port } = await startRedis(valkey ?? redis)
      const { store, close } = await clientOf(port, redisSwarm)
      await runTwelve('valkey', { VALKEY_URL: `redis://127.0.0.1:${port}` }, store)
      close()
    },
    async 'alone: upstash.mjs'() {
      const { port } = await startRedis(redis)
      const { client, store, close } = await clientOf(port, redisSwarm)
      const server = await startUpstash(client)
      const url = `http://127.0.0.1:${server.address().port}`
      const env = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: 'x' }
      await runTwelve('upstash', env, store)
      server.close()
      close()
    },
    async 'alone: postgres.mjs'() {
      const { port } = await startPostgres(await findPostgres())
      const { store, close } = await postgres(port)
      const env = { DATABASE_URL: `postgres://swarm@127.0.0.1:${port}/postgres` }
      await runTwelve('postgres', env, store)
      await close()
    },
    async 'alone: worker.mjs'() {
      const { worker, close } = await startWorker(
        readFileSync(inRoot('examples/swarm/worker.mjs'), 'utf8'),
        'SwarmObject',
      )
      await requireGlobal(worker, 'http://localhost/')
      await close()
    },
    async 'every example is here'() {
      const page = readFileSync(inRoot('docs/swarm.md'), 'utf8')
      for (const name of sources) {
        const code = readFileSync(inRoot(`examples/swarm/${name}.mjs`), 'utf8')
        assert(page.includes(`\n${code}\`\`\``), `docs/swarm.md does not quote ${name}.mjs`)
      }
    },
  }
}

const entries = await entry('swarm')

async function clientOf(port, redisSwarm) {
  const { ioRedis } = await import('./clients.mjs')
  const { client, close } = await ioRedis(port)
  return { client, store: redisSwarm(client), close }
}

const cli = path.join(published, 'dist/cli.js')

const command = async (args, env = {}) => {
  const result = await capture(process.execPath, [cli, ...args], { env })
  return { code: result?.code, output: result?.output ?? '' }
}

/** Shows, watches and lifts a latch. */
async function checkCommand(port, store) {
  const server = ['--redis', `redis://127.0.0.1:${port}`, '--scope', 'prod']
  const once = await command(['swarm', ...server])
  assert.equal(once.code, 0)
  assert.match(once.output, /One fingerprint is latched in the scope "prod"/)
  assert.match(
    once.output,
    /call web_search [0-9a-f]{8}\s+1\d\s+1\d\s+\d+ (s|min).*ago\s+\d+ (s|min).*worker~/,
  )

  const { output } = await command(['swarm', '--json', '--scope', 'prod'], {
    REDIS_URL: `redis://127.0.0.1:${port}`,
  })
  const [state] = JSON.parse(output)
  assert.equal(state.workerIds.length, state.workers)
  // Workers are listed by what is at the end of their names.
  assert(state.workerIds.includes(state.latchedBy.split('~').at(-1)))
  await checkHandOvers(server, store)

  await checkLive(server)
  const missing = await command(['swarm', 'clear', 'nothing', ...server])
  assert.equal(missing.code, 1)
  const refused = await command(['swarm', '--redis', `redis://nobody:secret@127.0.0.1:${port}`])
  assert.equal(refused.code, 2)
  assert.match(refused.output, /WRONGPASS [^.]*\.$/m)
  const shown = state.fingerprint.replace(/^(\w+):(.*):.{8}(.{8})$/, '$1 $2 $3')
  const lifted = await command(['swarm', 'clear', shown, ...server])
  assert.deepEqual([lifted.code, lifted.output], [0, `Lifted ${state.fingerprint}.`])
  assert.deepEqual(await store.latched('prod', 10), [])
  const nothing = await command(['swarm', ...server])
  assert.match(nothing.output, /Nothing is latched in the scope "prod"/)
  const all = await command(['swarm', 'clear', ...server])
  assert.deepEqual([all.code, all.output], [0, 'Forgot everything in the scope "prod".'])
}

/** Many hand-overs of one task are no loop by themselves; a circle of them is one. */
async function checkHandOvers(server, store) {
  const scope = ['--scope', 'teams']
  const rule = { windowMs: 600_000, threshold: 2, minWorkers: 1, maxWorkers: 64, latchMs: 300_000 }
  const report = async (fingerprint, seq) =>
    store.report('teams', 'lead', [{ fingerprint, kind: 'edge', weight: 2, seq }], rule)
  await report('edge:tester:0123456789abcdef', 1)
  assert.equal((await store.latched('teams', 10)).length, 1)
  const nothing = await command(['swarm', ...server, ...scope])
  assert.match(nothing.output, /Nothing is latched/)
  await report('cycle:tester:0123456789abcdef', 2)
  assert.match((await command(['swarm', ...server, ...scope])).output, /cycle tester 89abcdef/)
  assert.equal((await command(['swarm', 'clear', '89abcdef', ...server, ...scope])).code, 0)
  assert.deepEqual(await store.latched('teams', 10), [])
}

/** What somebody else wrote into the server does not reach the terminal as a command to it. */
async function checkHostile(port, client) {
  const attack = '\u001b]0;x\u0007 \u009b31m \u202e'
  const entry = { fingerprint: attack, latchedBy: attack, sample: attack, total: attack }
  const ends = Date.now() + 600_000
  await client.hset('lh:{default}:latched', 'x', `${ends} ${JSON.stringify(entry)}`)
  for (const more of [[], ['--json']]) {
    const shown = await command(['swarm', '--redis', `redis://127.0.0.1:${port}`, ...more])
    assert.equal(shown.code, 0)
    assert.match(shown.output, /\\u009b31m/)
    assert.doesNotMatch(shown.output, /(?!\n)[\p{Cc}\u202e]/u)
  }
}

/** On a terminal, the table is drawn again and again until Ctrl+C. */
async function checkLive(server) {
  const quoted = [process.execPath, cli, 'swarm', ...server].map((part) => `'${part}'`).join(' ')
  // Without exec, a shell that stays around may be ended by the same Ctrl+C, with a code of its own.
  const shell = `stty cols 80 rows 24; exec ${quoted}`
  const child = spawn('script', ['-qfec', shell, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let seen = ''
  child.stdout.on('data', (chunk) => {
    seen += chunk
  })
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    // Not `exit`, after which there can be output.
    child.once('close', resolve)
  })
  const drawn = () => seen.split('One fingerprint is latched').length - 1
  for (let tries = 0; drawn() < 3; tries++) {
    assert(tries < 1200, `drawn ${drawn()} times: ${seen}`)
    await sleep(50)
  }
  // Too narrow for the whole table.
  assert.match(seen, /\r\n {2}by worker~/)
  // Ctrl+C, as the terminal passes it on.
  child.stdin.write('\u0003')
  assert.equal(await ended, 0)
  assert(seen.trimEnd().endsWith('\u001b[?1049l'))
}
