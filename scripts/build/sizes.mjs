// What the package weighs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { published } from '../support/paths.mjs'
import { capture, npm } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'
import { ADAPTERS } from './adapters.mjs'

/** In bytes; `entry` is index.js as a user's minifier leaves it, gzipped, `adapter` the largest. */
export async function measureSizes() {
  const { transform } = await import('esbuild')
  const wasm = readFileSync(path.join(published, 'dist/core.wasm'))
  const minified = async (file) => {
    const text = readFileSync(path.join(published, 'dist', file), 'utf8')
    return gzipped((await transform(text, { minify: true, format: 'esm' })).code)
  }
  const adapters = await Promise.all(ADAPTERS.map(({ name }) => minified(`${name}.js`)))
  return {
    wasm: wasm.length,
    wasmGzipped: gzipped(wasm),
    entry: await minified('index.js'),
    adapter: Math.max(...adapters),
    tarball: await tarballSize(),
  }
}

export async function reportSizes() {
  const { wasm, wasmGzipped, entry, adapter, tarball } = await measureSizes()
  write(`  core.wasm  ${kilobytes(wasm)}, ${kilobytes(wasmGzipped)} gzipped\n`)
  write(`  index.js   ${kilobytes(entry)} minified and gzipped\n`)
  write(`  adapters   up to ${kilobytes(adapter)} minified and gzipped\n`)
  write(`  tarball    ${kilobytes(tarball)}\n`)
}

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

async function tarballSize() {
  const [command, args] = npm('pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error')
  const { output } = await capture(command, args, { cwd: published })
  return Number(/"size": (\d+)/.exec(output)?.[1])
}

const gzipped = (content) => gzipSync(content, { level: 9 }).length
