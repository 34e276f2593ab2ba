// The crate as WebAssembly: wasm-pack compiles it and writes the glue, wasm-opt
// makes it smaller, and build/core gets what the façade imports.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
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

/**
 * How the published module is compiled: one tenth smaller than by the profile in Cargo.toml alone.
 * For stable Rust these settings are unstable ones, which RUSTC_BOOTSTRAP allows.
 */
const FOR_SIZE = {
  cargo: [
    // The standard library is compiled too, for size. rustup brings its source (scripts/setup/).
    ...['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'],
    '-Zpanic-immediate-abort',
  ],
  rustc: [
    // The output of `{:?}` and the location of a panic are never shown.
    ...['-Zfmt-debug=none', '-Zlocation-detail=none'],
    // The smallest functions are inlined, which costs less than calling them.
    '-Cllvm-args=-inline-threshold=10',
  ],
  // A panic ends the instance immediately: its message would not reach JavaScript.
  env: { RUSTC_BOOTSTRAP: '1', CARGO_PROFILE_RELEASE_PANIC: 'immediate-abort' },
}

async function compile() {
  write('Compiling the engine to WebAssembly.\n')
  await pack(inRoot('build/wasm'), FOR_SIZE)
}

/**
 * Compiles the engine by the profile in Cargo.toml alone: there, panics are functions, which a
 * test can look for. Returns the module's path.
 */
export async function compileWithPanics() {
  const folder = inRoot('build/with-panics')
  await pack(folder, { env: { CARGO_TARGET_DIR: path.join(folder, 'target') } })
  return path.join(folder, 'loophound_bg.wasm')
}

/**
 * @param {string} folder Where the module and its glue go.
 * @param {{ cargo?: string[], rustc?: string[], env: Record<string, string> }} settings
 */
async function pack(folder, { cargo = [], rustc = [], env }) {
  // --no-opt: wasm-pack says nothing when it finds no wasm-opt.
  const how = ['--release', '--mode', 'no-install', '--target', 'bundler', '--no-opt']
  const where = ['--no-pack', '--no-gitignore', '--out-name', 'loophound', '--out-dir', folder]
  const build = ['build', ...how, ...where, inRoot('src/wasm')]
  const args = ['--log-level', 'error', ...build, '--', ...cargo]
  // Every runtime of the suite has SIMD.
  const RUSTFLAGS = ['-Ctarget-feature=+simd128', ...rustc].join(' ')
  if ((await show('wasm-pack', args, { env: { RUSTFLAGS, ...env } })) !== 0) {
    throw new Failure(
      'The engine does not compile.',
      'If this Rust does not know one of the settings, `rustup override set 1.95` brings one that does.',
    )
  }
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
