// The playground: one HTML file with everything in it, so that it works from a server, from a disk
// (where a page may load no module and no worker from another file) and without a network. Only its
// own scripts may run, which the policy names by their hashes, and nothing may be requested.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { Failure } from '../support/cli.mjs'
import { inRoot, published } from '../support/files.mjs'

export const PLAYGROUND = 'build/playground'

const ENTRY = /^loophound(?:\/(.+))?$/

/** Builds the page from the package as it is in pkg/. */
export async function buildPlayground() {
  const engine = await bundle('engine.ts', [fromPackage])
  const worker = await bundle('worker.ts', [fromEngine])
  const page = await bundle('main.tsx', [fromEngine])
  const style = await bundle('style.css', [])
  mkdirSync(inRoot(PLAYGROUND), { recursive: true })
  writeFileSync(inRoot(PLAYGROUND, 'index.html'), html({ engine, worker, page, style }))
}

function html({ engine, worker, page, style }) {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy({ engine, page, style })}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="description" content="See where an agent goes in circles. Nothing leaves the page.">',
    '<title>loophound playground</title>',
    // Without it, browsers ask for /favicon.ico.
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="root"><noscript>The playground needs JavaScript.</noscript></div>',
    `<script id="engine">${engine}</script>`,
    `<script id="worker" type="text/plain">${worker}</script>`,
    `<script>${page}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** Allows only what is needed: above all, no connection to anywhere. */
function policy({ engine, page, style }) {
  return [
    "default-src 'none'",
    `script-src '${hashOf(engine)}' '${hashOf(page)}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(style)}'`,
    'worker-src blob:',
    "connect-src 'none'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Returns what a visitor's browser loads besides the engine, in bytes, gzipped. */
export function pageSize() {
  const html = readFileSync(inRoot(PLAYGROUND, 'index.html'), 'utf8')
  const page = html.replace(/<script id="engine">.*?<\/script>/s, '')
  return gzipSync(page, { level: 9 }).length
}

async function bundle(entry, plugins) {
  const { outputFiles } = await build({
    absWorkingDir: inRoot(),
    entryPoints: [`playground/${entry}`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    plugins,
  })
  // Within a script, these would end it or hide its end. They only occur in strings.
  const text = outputFiles[0].text.trim().replaceAll('<!--', '<\\!--')
  if (/<\/(?:script|style)/i.test(text)) {
    throw new Failure(`${entry} holds a closing tag, which would end it in the page.`)
  }
  return text
}

/** The package, as users install it. */
const fromPackage = {
  name: 'package',
  setup: ({ onResolve }) =>
    onResolve({ filter: ENTRY }, ({ path: name }) => ({ path: fileOf(name) })),
}

/** The same, from the script that already contains it. */
const fromEngine = {
  name: 'engine',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: ENTRY }, ({ path: name }) =>
      name.endsWith('.json') ? { path: fileOf(name) } : { path: name, namespace: 'engine' },
    )
    onLoad({ filter: /./, namespace: 'engine' }, ({ path: name }) => ({
      contents: `module.exports = globalThis.loophoundPackage[${JSON.stringify(name)}]`,
    }))
  },
}

function fileOf(name) {
  const entry = ENTRY.exec(name)?.[1] ?? 'index'
  return entry.endsWith('.json')
    ? path.join(published, entry)
    : path.join(published, 'dist', `${entry}.js`)
}
