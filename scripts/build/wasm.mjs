// The crate as WebAssembly: wasm-pack compiles it and writes the glue, wasm-opt
// makes it smaller, and build/core gets what the façade imports.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { inRoot, root } from '../support/files.mjs'
import { run, show } from '../support/process.mjs'
import { encodeEngine } from './engine-text.mjs'

/** As wasm-pack leaves it, with the names of its functions, which the tests and `size` read. */
export const COMPILED = 'build/wasm/loophound_bg.wasm'
const OPTIMISED = 'build/core/core.wasm'

export async function buildWasm() {
  for (const folder of ['build/wasm', 'build/core']) {
    rmSync(inRoot(folder), { recursive: true, force: true })
    mkdirSync(inRoot(folder), { recursive: true })
  }
  await compile()
  await optimise()
  const glue = readFileSync(inRoot('build/wasm/loophound_bg.js'), 'utf8')
  const engine = encodeEngine(readFileSync(inRoot(OPTIMISED)))
  const files = {
    'glue.js': glueFactory(glue),
    'glue.d.ts': GLUE_TYPES,
    'engine.js': `export default ${JSON.stringify(engine)}\n`,
    'engine.d.ts': 'declare const engine: string\nexport default engine\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(inRoot('build/core', name), text)
}

async function compile() {
  write('Compiling the engine to WebAssembly.\n')
  // --no-opt: wasm-pack says nothing when it finds no wasm-opt.
  const how = ['--release', '--mode', 'no-install', '--target', 'bundler', '--no-opt']
  const where = ['--no-pack', '--no-gitignore', '--out-name', 'loophound']
  const folders = ['--out-dir', inRoot('build/wasm'), inRoot('src/wasm')]
  const args = ['--log-level', 'error', 'build', ...how, ...where, ...folders]
  // Every runtime of the suite has SIMD.
  const env = { RUSTFLAGS: `-C target-feature=+simd128 ${await withoutLocalPaths()}` }
  if ((await show('wasm-pack', args, { env })) !== 0) {
    throw new Failure('The engine does not compile.')
  }
}

/** Panic messages name source files: they must not name folders of the machine that built them. */
async function withoutLocalPaths() {
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  const sysroot = await run('rustc', ['--print', 'sysroot'])
  const names = [
    [path.join(cargo, 'registry', 'src'), 'crates'],
    [path.join(sysroot, 'lib', 'rustlib', 'src'), 'std'],
    [root, 'loophound'],
  ]
  return names.map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`).join(' ')
}

async function optimise() {
  const [before, after] = [inRoot(COMPILED), inRoot(OPTIMISED)]
  const options = await optimiserOptions()
  await run('wasm-opt', [before, '-o', after, ...options], { failure: 'wasm-opt failed.' })
  const [was, is] = [statSync(before).size, statSync(after).size]
  if (is >= was) throw new Failure(`wasm-opt took ${was} bytes and gave back ${is}: not smaller.`)
}

/** From src/wasm/Cargo.toml, where wasm-pack looks for them too. */
async function optimiserOptions() {
  const args = ['metadata', '--no-deps', '--format-version', '1', '--quiet']
  const failure = 'cargo cannot read Cargo.toml.'
  const { packages } = JSON.parse(await run('cargo', args, { failure }))
  const { metadata } = packages.find(({ name }) => name === 'loophound-wasm')
  return metadata['wasm-pack'].profile.release['wasm-opt']
}

/**
 * wasm-bindgen's glue keeps its instance in a variable of its module, so there can be only one.
 * As a function, it can be called once for each instance, and an instance that broke can be
 * replaced (js/engine/instance.ts).
 */
function glueFactory(glue) {
  const names = []
  const body = glue.replace(/^export (class|function|const) (\w+)/gm, (_, keyword, name) => {
    names.push(name)
    return `${keyword} ${name}`
  })
  if (/^(export|import)\b/m.test(body)) {
    throw new Failure('wasm-bindgen writes glue that scripts/build/wasm.mjs does not know.')
  }
  return `export function createGlue() {\n${body}\nreturn { ${names.join(', ')} }\n}\n`
}

const GLUE_TYPES = `import type * as bindings from '../wasm/loophound.js'
export type Glue = typeof bindings & { __wbg_set_wasm(exports: unknown): void }
export declare function createGlue(): Glue
`
