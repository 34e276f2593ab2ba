// What the package weighs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { published } from '../support/paths.mjs'
import { capture, npm } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'

export async function reportSizes() {
  const { transform } = await import('esbuild')
  const wasm = readFileSync(path.join(published, 'dist/core.wasm'))
  const entry = readFileSync(path.join(published, 'dist/index.js'), 'utf8')
  const { code } = await transform(entry, { minify: true, format: 'esm' })
  write(`  core.wasm  ${kilobytes(wasm.length)}, ${kilobytes(gzipped(wasm))} gzipped\n`)
  write(`  index.js   ${kilobytes(gzipped(code))} minified and gzipped\n`)
  write(`  tarball    ${kilobytes(await tarballSize())}\n`)
}

async function tarballSize() {
  const [command, args] = npm('pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error')
  const { output } = await capture(command, args, { cwd: published })
  return Number(/"size": (\d+)/.exec(output)?.[1])
}

const gzipped = (content) => gzipSync(content, { level: 9 }).length
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
