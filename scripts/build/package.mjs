// pkg/, ready to publish: the template, the licences, the bundles, the types.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { inRoot, published } from '../support/paths.mjs'
import { write } from '../support/terminal.mjs'
import { adapterFields } from './adapters.mjs'
import { buildBundles } from './bundles.mjs'
import { buildTypes } from './types.mjs'

export const LICENCES = ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']

export async function buildPackage() {
  write('Bundling the package.\n')
  const dist = path.join(published, 'dist')
  rmSync(published, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  cpSync(inRoot('pkg-template'), published, { recursive: true })
  for (const licence of LICENCES) cpSync(inRoot(licence), path.join(published, licence))
  writeManifest()
  cpSync(inRoot('build/core/core.wasm'), path.join(dist, 'core.wasm'))
  await buildBundles(dist)
  await buildTypes(dist)
}

/** The version is the crate's: there is only one to raise. The adapters come from their list. */
function writeManifest() {
  const file = path.join(published, 'package.json')
  const { name, exports: own, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  const version = /^version = "([^"]+)"/m.exec(readFileSync(inRoot('Cargo.toml'), 'utf8'))?.[1]
  if (!version) throw new Failure('Cargo.toml has no version.')
  const { exports: adapters, ...fields } = adapterFields()
  const manifest = { name, version, ...rest, exports: { ...own, ...adapters }, ...fields }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
