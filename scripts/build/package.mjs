// pkg/, ready to publish: the template, the licences, the bundles, the types.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { write } from '../support/cli.mjs'
import { inRoot, published } from '../support/files.mjs'
import { ADAPTERS, adapterFields } from './adapters.mjs'
import { buildTypes } from './types.mjs'

export const LICENCES = ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']

/** The conditions choose one of js/engine/module.*.ts, by `imports` in package.json. */
const ENTRIES = [
  { file: 'index.js', format: 'esm', conditions: [] },
  { file: 'index.cjs', format: 'cjs', conditions: [] },
  { file: 'workerd.js', format: 'esm', conditions: ['workerd'] },
  { file: 'edge-light.js', format: 'esm', conditions: ['edge-light'] },
]

const dist = path.join(published, 'dist')

export async function buildPackage() {
  write('Bundling the package.\n')
  rmSync(published, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  cpSync(inRoot('pkg-template'), published, { recursive: true })
  for (const licence of LICENCES) cpSync(inRoot(licence), path.join(published, licence))
  cpSync(inRoot('build/core/core.wasm'), path.join(dist, 'core.wasm'))
  writeManifest()
  await buildEntries()
  await buildAdapters()
  await buildCommand()
  await buildTypes(dist)
}

/** The version is the crate's: there is only one to raise. The adapters come from their list. */
function writeManifest() {
  const file = path.join(published, 'package.json')
  const { name, exports: own, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  const version = /^version = "([^"]+)"/m.exec(readFileSync(inRoot('Cargo.toml'), 'utf8'))?.[1]
  const { exports: adapters, ...fields } = adapterFields()
  const manifest = { name, version, ...rest, exports: { ...own, ...adapters }, ...fields }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/**
 * One file per entry: with `sideEffects: false`, a bundler could drop parts of an entry that is
 * spread over several files. Small, but with its names: a stack trace stays readable.
 */
function bundle(entry, file, options) {
  return build({
    absWorkingDir: inRoot(),
    entryPoints: [entry],
    outfile: path.join(dist, file),
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  })
}

async function buildEntries() {
  const external = ['./core.wasm', './core.wasm?module']
  for (const { file, ...options } of ENTRIES) {
    await bundle('js/index.ts', file, { ...options, external })
  }
}

/** Everything that is imported by name stays outside, without the `paths` of tsconfig.json. */
const OWN_CODE_ONLY = { packages: 'external', tsconfigRaw: {} }

/**
 * An adapter imports its framework and the package itself by name, so that there is one engine,
 * whichever entry the runtime's conditions choose.
 */
async function buildAdapters() {
  for (const { name } of ADAPTERS) {
    const entry = `js/adapters/${name}.ts`
    await bundle(entry, `${name}.js`, { ...OWN_CODE_ONLY, format: 'esm' })
    await bundle(entry, `${name}.cjs`, { ...OWN_CODE_ONLY, format: 'cjs' })
  }
}

/** The command imports the package by its name, as users do. */
async function buildCommand() {
  await bundle('js/cli/main.ts', 'cli.js', { ...OWN_CODE_ONLY, format: 'esm', platform: 'node' })
  chmodSync(path.join(dist, 'cli.js'), 0o755)
}
