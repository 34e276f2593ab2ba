// The places where the package must work. A row names the runtime and how the package is used there;
// `run` returns the scenario's text, which must equal the native engine's unless the row has its own
// `check`. Rows with `browser` need Chromium.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../../scripts/support/cli.mjs'
import { app } from './apps.mjs'
import { outcomeOf, serve, verdictsOf } from './browser.mjs'
import { bun, deno, node, printed, script, serving } from './programs.mjs'

/**
 * @typedef {{
 *   runtime: string, how: string, browser?: boolean,
 *   run: () => Promise<unknown>, check?: (outcome: any) => void,
 * }} Row
 */

/** Node: each supported version, in both module systems and in its test runner. */
function nodeRows(major) {
  const row = (how, run) => ({
    runtime: `Node ${major}`,
    how,
    run: async () => run(await app('node')),
  })
  return [
    row('ESM', (cwd) => printed(node(major), ['main.mjs'], { cwd })),
    row('CommonJS', (cwd) => printed(node(major), ['main.cjs'], { cwd })),
    row('node --test', async (cwd) => {
      const VERDICTS = path.join(cwd, `verdicts-${major}.json`)
      await printed(node(major), ['--test'], { cwd, env: { VERDICTS } })
      return readFileSync(VERDICTS, 'utf8')
    }),
  ]
}

/** Bun: both module systems, and a program compiled into one file. */
function bunRows() {
  const row = (how, run) => ({ runtime: 'Bun', how, run: async () => run(await app('bun')) })
  return [
    row('ESM', (cwd) => printed(bun(), ['main.mjs'], { cwd })),
    row('CommonJS', (cwd) => printed(bun(), ['main.cjs'], { cwd })),
    row('bun build --compile', async (cwd) => {
      await printed(bun(), ['build', '--compile', 'main.mjs', '--outfile', 'out/program'], { cwd })
      // From another folder: the program must need no other file.
      return printed(path.join(cwd, 'out/program'), [], { cwd: path.parse(cwd).root })
    }),
  ]
}

/** Deno, without any permission. */
const denoRow = {
  runtime: 'Deno',
  how: 'no permissions',
  async run() {
    const args = ['run', '--no-prompt', '--no-remote', '--node-modules-dir=manual', 'main.mjs']
    return printed(deno(), args, { cwd: await app('deno'), env: { DENO_NO_UPDATE_CHECK: '1' } })
  },
}

/** workerd, the runtime of Cloudflare Workers, started by miniflare; and Vercel's edge-runtime. */
function edgeRows() {
  const row = (runtime, how, file) => ({
    runtime,
    how,
    run: async () => printed(process.execPath, [file], { cwd: await app(runtime) }),
  })
  return [
    row('workerd', 'handler', 'handler.mjs'),
    row('workerd', 'Durable Object, evicted between', 'evicted.mjs'),
    row('edge-runtime', 'no wasm code generation', 'main.mjs'),
  ]
}

/** Chromium without a bundler: on a page, in a worker, and under content security policies. */
function chromiumRows() {
  const row = (how, page, read = verdictsOf) => ({
    runtime: 'Chromium',
    how,
    browser: true,
    run: async () => read((await serve(await app('browser'))) + page),
  })
  return [
    row('<script type=module>', 'index.html'),
    row('Web Worker', 'worker.html'),
    row("CSP with 'wasm-unsafe-eval'", 'allowed.html'),
    {
      ...row('CSP without it: says what to add', 'forbidden.html', outcomeOf),
      check({ verdicts, failure }) {
        if (verdicts !== undefined)
          throw new Failure('WebAssembly ran although the CSP forbids it.')
        if (/needs 'wasm-unsafe-eval' in its script-src/.test(failure)) return
        throw new Failure(`The error does not say what to add: ${failure}`)
      },
    },
  ]
}

/** Vite as it comes, without plugins. */
function viteRows() {
  const vite = (...args) => script('vite/bin/vite.js', ...args)
  const row = (how, address) => ({
    runtime: 'Vite',
    how,
    browser: true,
    run: async () => verdictsOf(await address(await app('bundled'))),
  })
  return [
    row('dev, in Chromium', (cwd) => serving(...vite('--port', '0'), { cwd })),
    row('build, in Chromium', async (cwd) => {
      await printed(...vite('build', '--outDir', 'out/vite'), { cwd })
      return serve(requireNoWasm(path.join(cwd, 'out/vite')))
    }),
  ]
}

/** A bundler as it comes, without WebAssembly plugins or loaders. */
function bundlerRows(runtime, command) {
  // One run of the bundler makes both bundles.
  const bundled = once(async () => {
    const cwd = await app('bundled')
    await printed(...command(), { cwd })
    return cwd
  })
  return [
    {
      runtime,
      how: 'for the browser, in Chromium',
      browser: true,
      async run() {
        const folder = requireNoWasm(path.join(await bundled(), `out/${runtime}-page`))
        writeFileSync(path.join(folder, 'index.html'), PAGE)
        return verdictsOf(await serve(folder))
      },
    },
    {
      runtime,
      how: 'for Node',
      async run() {
        const program = path.join(await bundled(), `out/${runtime}-program/bundle.js`)
        // From another folder: the bundle must not need node_modules.
        return printed(process.execPath, [program], { cwd: path.parse(program).root })
      },
    },
  ]
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>A bundle</title>
<body><script type="module" src="./bundle.js"></script></body>
`

/** The engine is inside the bundle: a file beside it could get lost, or be there twice. */
function requireNoWasm(folder) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = found.filter((name) => name.endsWith('.wasm'))
  if (files.length > 0) throw new Failure(`The bundler wrote ${files.join(', ')}.`)
  return folder
}

/** Next, built and started for production: in the browser, and in both of its server runtimes. */
function nextRows(runtime, flag) {
  const env = { NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' }
  const next = (...args) => script('next/dist/bin/next', ...args)
  const address = once(async () => {
    const cwd = await app('next', `next${flag}`)
    await printed(...next('build', flag), { cwd, env })
    return serving(...next('start', '--port', '0'), { cwd, env })
  })
  const row = (how, run) => ({ runtime, how, run: async () => run(await address()) })
  return [
    { ...row('client page, in Chromium', verdictsOf), browser: true },
    row('node route', (at) => body(`${at}/node`)),
    row('edge route', async (at) => {
      requireCompiledEngine(await app('next', `next${flag}`))
      return body(`${at}/edge`)
    }),
  ]
}

/** Next's own server compiles bytes at the edge and Vercel's does not, so the manifest is checked. */
function requireCompiledEngine(cwd) {
  const manifest = path.join(cwd, '.next/server/middleware-manifest.json')
  const { functions } = JSON.parse(readFileSync(manifest, 'utf8'))
  if (functions['/edge/route'].wasm.length === 1) return
  throw new Failure('The edge route has no compiled engine: it did not use "edge-light".')
}

async function body(address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(60_000) })
  const text = await response.text()
  if (response.ok) return text
  throw new Failure(`${address} answers ${response.status}.`, '', text.slice(0, 2000))
}

function once(make) {
  let made
  return () => {
    made ??= make()
    return made
  }
}

/** @type {Row[]} */
export const rows = [
  ...[20, 22, 24].flatMap(nodeRows),
  ...bunRows(),
  denoRow,
  ...edgeRows(),
  ...chromiumRows(),
  ...viteRows(),
  ...bundlerRows('webpack', () => script('webpack-cli/bin/cli.js')),
  ...bundlerRows('rollup', () => script('rollup/dist/bin/rollup', '--config', '--silent')),
  ...bundlerRows('esbuild', () => [process.execPath, ['esbuild.mjs']]),
  ...nextRows('Next', '--turbopack'),
  ...nextRows('Next/webpack', '--webpack'),
]

/** The rows that need nothing but the Node that runs them. @type {Row[]} */
export const coreRows = nodeRows(Number(process.versions.node.split('.')[0]))
