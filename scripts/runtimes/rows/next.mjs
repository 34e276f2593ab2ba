// Next, built and started for production: in the browser, and on the server in
// both of its runtimes. It has two bundlers, and both are in use.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../../support/cli.mjs'
import { app } from '../apps.mjs'
import { verdictsOf } from '../page.mjs'
import { printed, serving } from '../start.mjs'
import { script } from '../tools.mjs'

const env = { NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' }
const next = (...args) => script('next/dist/bin/next', ...args)

const rowsOf = (runtime, flag) => {
  let started
  // Built and started for the first row that asks.
  const address = () => {
    started ??= app('next', `next${flag}`).then(async (cwd) => {
      await printed(...next('build', flag), { cwd, env })
      return serving(...next('start', '--port', '0'), { cwd, env })
    })
    return started
  }
  const row = (how, run) => ({ runtime, how, run: async () => run(await address()) })
  return [
    { ...row('client page, in Chromium', verdictsOf), browser: true },
    row('node route', (at) => body(`${at}/node`)),
    row('edge route', async (at) => {
      requireCompiledAhead(await app('next', `next${flag}`))
      return body(`${at}/edge`)
    }),
  ]
}

/** Next's own server would compile bytes at the edge; Vercel's would not. */
function requireCompiledAhead(cwd) {
  const manifest = path.join(cwd, '.next/server/middleware-manifest.json')
  const { functions } = JSON.parse(readFileSync(manifest, 'utf8'))
  if (functions['/edge/route'].wasm.length === 1) return
  throw new Failure('The edge route has no compiled engine: it did not use "edge-light".')
}

async function body(address) {
  const response = await fetch(address)
  const text = await response.text()
  if (response.ok) return text
  throw new Failure(`${address} answers ${response.status}.`, '', text.slice(0, 2000))
}

export const nextRows = [...rowsOf('Next', '--turbopack'), ...rowsOf('Next/webpack', '--webpack')]
