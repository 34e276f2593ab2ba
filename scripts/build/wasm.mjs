// The crate as WebAssembly: wasm-pack compiles it and writes the glue, wasm-opt
// makes it smaller, and what the façade imports is laid ready in build/core.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { inRoot, root } from '../support/paths.mjs'
import { capture, packaged, show } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'
import { glueFactory, glueTypes } from './glue.mjs'
import { shortenImports } from './imports.mjs'
import { pack } from './pack.mjs'

const compiled = (name) => inRoot('build/wasm', name)
const ready = (name) => inRoot('build/core', name)

export async function buildWasm() {
  for (const folder of ['build/wasm', 'build/core']) {
    rmSync(inRoot(folder), { recursive: true, force: true })
    mkdirSync(inRoot(folder), { recursive: true })
  }
  await compile()
  const { module, names } = shortenImports(readFileSync(compiled('loophound_bg.wasm')))
  writeFileSync(compiled('renamed.wasm'), module)
  await optimise()
  const glue = readFileSync(compiled('loophound_bg.js'), 'utf8')
  writeFileSync(ready('glue.js'), glueFactory(glue, names))
  writeFileSync(ready('glue.d.ts'), glueTypes)
  await writeText()
}

/** The module as text, and what unpacks it. */
async function writeText() {
  const module = readFileSync(ready('core.wasm'))
  await binaryen('wasm-as', inRoot('js/engine/unpack.wat'), '-o', compiled('unpack.wasm'))
  await binaryen('wasm-opt', compiled('unpack.wasm'), '-o', ready('unpack.wasm'), '-Oz')
  const unpacker = readFileSync(ready('unpack.wasm'))
  const text = pack(module)
  const { unpack } = await loadTypeScript('js/engine/unpack.ts')
  const { instance } = await WebAssembly.instantiate(unpacker)
  if (!module.equals(unpack(text, instance))) {
    throw new Failure('js/engine/unpack.ts does not give back what scripts/build/pack.mjs packed.')
  }
  const code = `export const unpacker = "${unpacker.toString('base64')}"\nexport default "${text}"\n`
  writeFileSync(ready('text.js'), code)
  const types = 'export declare const unpacker: string\ndeclare const text: string\n'
  writeFileSync(ready('text.d.ts'), `${types}export default text\n`)
}

/** A file of the façade that imports nothing. */
async function loadTypeScript(file) {
  const { transform } = await import('esbuild')
  const { code } = await transform(readFileSync(inRoot(file), 'utf8'), { loader: 'ts' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

async function compile() {
  write('Compiling the engine to WebAssembly.\n')
  // --no-opt: left to wasm-pack, a missing wasm-opt goes unnoticed.
  const how = ['--release', '--mode', 'no-install', '--target', 'bundler', '--no-opt']
  const where = ['--no-pack', '--no-gitignore', '--out-dir', 'build/wasm', '.']
  const what = ['--no-default-features', '--features', 'wasm']
  const args = ['--log-level', 'error', 'build', ...how, ...where, '--', ...what]
  const env = { RUSTFLAGS: await withoutLocalPaths() }
  if ((await show('wasm-pack', args, { env })) !== 0) {
    throw new Failure('The engine does not compile.')
  }
}

/** Panic messages name source files: they must not name folders of the machine that built them. */
async function withoutLocalPaths() {
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  const sysroot = await capture('rustc', ['--print', 'sysroot'])
  const names = [
    [path.join(cargo, 'registry', 'src'), 'crates'],
    [path.join(sysroot.output.trim(), 'lib', 'rustlib', 'src'), 'std'],
    [root, 'loophound'],
  ]
  return names.map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`).join(' ')
}

async function optimise() {
  const [before, after] = [compiled('renamed.wasm'), ready('core.wasm')]
  await binaryen('wasm-opt', before, '-o', after, ...(await optimiserOptions()))
  const [was, is] = [statSync(before).size, statSync(after).size]
  if (is >= was) throw new Failure(`wasm-opt took ${was} bytes and gave back ${is}: not smaller.`)
}

async function binaryen(tool, ...options) {
  const [command, args] = packaged(`binaryen/bin/${tool}`, ...options)
  const { code, output } = await capture(command, [...args, '--enable-bulk-memory'])
  if (code !== 0) throw new Failure(`${tool} failed.`, '', output)
}

/** From Cargo.toml, where wasm-pack looks for them too. */
async function optimiserOptions() {
  const args = ['metadata', '--no-deps', '--format-version', '1', '--quiet']
  const { code, output } = await capture('cargo', args)
  if (code !== 0) throw new Failure('cargo cannot read Cargo.toml.', '', output)
  const { packages } = JSON.parse(output)
  const { metadata } = packages.find(({ name }) => name === 'loophound')
  return metadata['wasm-pack'].profile.release['wasm-opt']
}
