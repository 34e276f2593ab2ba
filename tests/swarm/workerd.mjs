// Real workerd with the Durable Object, and an object that can be evicted from outside.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { published } from '../../scripts/support/files.mjs'
import { entry, load } from './packages.mjs'
import { data } from './servers.mjs'

const WORKER = `
import { durableObjectSwarm, SwarmObject } from 'loophound/swarm/cloudflare'
import { SharedSwarm } from 'loophound/swarm'

/** Ends itself when it is asked to: what it knew in memory is gone. */
export class Swarm extends SwarmObject {
  #state
  #born = crypto.randomUUID()
  constructor(state, env) {
    super(state, env)
    this.#state = state
  }
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/evict') this.#state.abort('evicted')
    if (pathname === '/born') return new Response(this.#born)
    if (pathname === '/rows') {
      const [row] = this.#state.storage.sql.exec('SELECT count(*) AS n FROM fingerprints').toArray()
      return new Response(String(row.n))
    }
    return super.fetch(request)
  }
}

/** A Worker that uses the swarm as one would: a swarm for each request, sent when it is over. */
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    const name = searchParams.get('object')
    // The suite talks to the objects through here.
    if (name !== null) {
      const object = env.SWARM.get(env.SWARM.idFromName(name))
      return object.fetch(new Request('https://swarm' + pathname, request))
    }
    const swarm = new SharedSwarm({
      store: durableObjectSwarm(env.SWARM),
      scope: searchParams.get('scope'),
      report: 'calls',
      timeoutMs: 5000,
    })
    await swarm.refresh()
    const { kind } = swarm.record('fetch', { url: 'https://example.com' })
    ctx.waitUntil(swarm.pending)
    return new Response(String(kind))
  },
}
`

/** Bundles a Worker as wrangler does, and starts it with one class of Durable Objects. */
export async function startWorker(source, className) {
  const { Miniflare } = await load('miniflare')
  started += 1
  const folder = path.join(data, `worker-${started}`)
  mkdirSync(folder, { recursive: true })
  await build({
    stdin: { contents: source, resolveDir: folder },
    outfile: path.join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    alias: {
      'loophound/swarm/cloudflare': path.join(published, 'dist/swarm/cloudflare.js'),
      'loophound/swarm': path.join(published, 'dist/swarm.js'),
      loophound: path.join(published, 'dist/workerd.js'),
    },
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    logLevel: 'warning',
  })
  const worker = new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: path.join(folder, 'worker.js'),
    modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
    compatibilityDate: '2026-04-01',
    durableObjects: { SWARM: { className, useSQLite: true } },
    cf: false,
  })
  return {
    worker,
    async close() {
      await worker.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let started = 0

export async function startWorkerd() {
  const { worker, close } = await startWorker(WORKER, 'Swarm')
  const { durableObjectSwarm } = await entry('swarm/cloudflare')
  const base = await worker.ready
  const namespace = {
    idFromName: (name) => name,
    get: (name) => ({
      fetch(url, init) {
        // As in a Worker, where names become UTF-8: a lone surrogate becomes U+FFFD.
        const object = encodeURIComponent(name.toWellFormed())
        const address = new URL(`${new URL(url).pathname}?object=${object}`, base)
        return again(() => fetch(address, init))
      },
    }),
  }
  return {
    worker,
    namespace,
    store: durableObjectSwarm(namespace),
    /** Asks one object, by its name. */
    async ask(name, what) {
      const object = namespace.get(namespace.idFromName(name))
      const response = await object.fetch(`https://swarm${what}`)
      return response.text()
    },
    close,
  }
}

/** Sends requests to a Worker until one learns that ten before it have latched their call. */
export async function requireGlobal(worker, address) {
  const ask = async () => (await again(() => worker.dispatchFetch(address))).text()
  for (let request = 0; request < 10; request++) assert.equal(await ask(), 'null')
  // What a request leaves to waitUntil is sent after its answer.
  for (let tries = 0; (await ask()) !== 'global'; tries++) {
    assert(tries < 100, 'the call is not latched')
    await sleep(100)
  }
  assert.equal(await ask(), 'global')
}

/**
 * Sends a request, again if its connection was closed: on a busy machine, workerd gives up connections on
 * which a request is on its way. What a swarm sends may be sent twice.
 */
async function again(send) {
  for (let tries = 1; ; tries++) {
    try {
      const response = await send()
      return new Response(await response.text(), { status: response.status })
    } catch (error) {
      if (tries === 10) throw error
      await sleep(tries * 50)
    }
  }
}
