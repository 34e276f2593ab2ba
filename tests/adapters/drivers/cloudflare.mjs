// Real workerd with the real classes: the checks themselves run there, in cloudflare/worker.mjs, as a
// guard's callbacks and a tool's function cannot leave the runtime.
import { mkdtempSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const folder = mkdtempSync(path.join(tmpdir(), 'loophound-cloudflare-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

// As wrangler bundles it.
await build({
  entryPoints: [fileURLToPath(new URL('./cloudflare/worker.mjs', import.meta.url))],
  outfile: path.join(folder, 'worker.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  // The suite is below this repository, whose paths lead to the sources.
  tsconfigRaw: {},
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  alias: Object.fromEntries(
    builtinModules.filter((name) => /^[a-z]\w+$/.test(name)).map((name) => [name, `node:${name}`]),
  ),
  loader: { '.wasm': 'copy' },
  assetNames: '[name]',
  logLevel: 'error',
})

const CLASSES = [
  'Bare',
  'Guarded',
  'BareHooked',
  'GuardedHooked',
  'Options',
  'Example',
  'ChatExample',
  'ChatInBrowser',
]

const worker = new Miniflare({
  modules: true,
  modulesRoot: folder,
  scriptPath: path.join(folder, 'worker.js'),
  modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat'],
  durableObjects: Object.fromEntries(
    CLASSES.map((className) => [className, { className, useSQLite: true }]),
  ),
  cf: false,
})

/** Asks the Worker. */
async function ask(what, body = {}) {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await worker.dispatchFetch(new URL(what, 'http://suite'), init)
  if (response.ok) return response.json()
  throw new Error(await response.text())
}

const checks = await ask('/checks')

export const driver = {
  // One run has many steps, and each is stored several times.
  patience: 600_000,
  suite: checks.map((id) => ({ id, run: async () => (await ask('/run', { id })).note })),

  /** For the benchmark, whose turns can be told in advance. */
  make: ({ guard, maxSteps }) => ({
    async run({ turns }) {
      const script = Array.from({ length: maxSteps }, (_, n) => turns(n))
      const started = performance.now()
      await ask('/play', { guard: guard ?? null, script })
      return { took: (performance.now() - started) * 1000 }
    },
  }),
  bench: { warmUp: 5, rounds: 20 },
}
