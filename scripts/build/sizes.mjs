// What the package weighs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { published } from '../support/paths.mjs'
import { capture, npm } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'

/** In bytes; `entry` is index.js as a user's minifier leaves it, gzipped. */
export async function measureSizes() {
  const { transform } = await import('esbuild')
  const wasm = readFileSync(path.join(published, 'dist/core.wasm'))
  const entry = readFileSync(path.join(published, 'dist/index.js'), 'utf8')
  const { code } = await transform(entry, { minify: true, format: 'esm' })
  return {
    wasm: wasm.length,
    wasmGzipped: gzipped(wasm),
    entry: gzipped(code),
    tarball: await tarballSize(),
  }
}

export async function reportSizes() {
  const { wasm, wasmGzipped, entry, tarball } = await measureSizes()
  write(`  core.wasm  ${kilobytes(wasm)}, ${kilobytes(wasmGzipped)} gzipped\n`)
  write(`  index.js   ${kilobytes(entry)} minified and gzipped\n`)
  write(`  tarball    ${kilobytes(tarball)}\n`)
}

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

async function tarballSize() {
  const [command, args] = npm('pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error')
  const { output } = await capture(command, args, { cwd: published })
  return Number(/"size": (\d+)/.exec(output)?.[1])
}

const gzipped = (content) => gzipSync(content, { level: 9 }).length
