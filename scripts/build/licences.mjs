// The licences of what others wrote and the package contains: the crates and the standard library
// that are compiled into the engine, and the npm packages that are bundled.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { run } from '../support/process.mjs'

/**
 * @typedef {object} Part Something with a licence of its own.
 * @property {string} name
 * @property {string} version
 * @property {string} licence As an SPDX expression.
 * @property {string[]} texts
 */

/**
 * Writes the page that is shipped. A text that several parts share is printed once.
 *
 * @param {Part[]} parts
 */
export function licencePage(parts) {
  const byTexts = new Map()
  for (const part of parts.toSorted((a, b) => compare(titleOf(a), titleOf(b)))) {
    const key = part.texts.join('\n\n')
    byTexts.set(key, [...new Set([...(byTexts.get(key) ?? []), titleOf(part)])])
  }
  const line = '-'.repeat(80)
  const sections = [...byTexts].map(
    ([text, titles]) => `${line}\n${titles.join('\n')}\n\n${text}\n`,
  )
  return ['This package contains work of others, under these licences.\n', ...sections].join('\n')
}

const titleOf = ({ name, version, licence }) => `${name} ${version} (${licence})`

/** By code units: the order must not depend on the language of the machine. */
const compare = (a, b) => (a < b ? -1 : Number(a > b))

/** The crates in the engine, and the standard library, which is compiled with it. */
export async function cratesInEngine() {
  const sysroot = (await run('rustc', ['--print', 'sysroot'])).trim()
  const library = path.join(sysroot, 'lib/rustlib/src/rust/library')
  const [ours, theirs] = await Promise.all([
    cratesOf(inRoot('src/wasm/Cargo.toml')),
    cratesOf(path.join(library, 'std/Cargo.toml')),
  ])
  return [...ours, ...theirs, await standardLibrary(sysroot, library)]
}

/**
 * The crates from a registry that a package is compiled with for WebAssembly: no macros, no build
 * scripts, no tests.
 *
 * @param {string} manifest
 */
async function cratesOf(manifest) {
  const options = { failure: `cargo cannot read ${manifest}.`, env: { RUSTC_BOOTSTRAP: '1' } }
  const where = ['--manifest-path', manifest, '--locked', '--quiet']
  const what = ['--edges', 'normal,no-proc-macro', '--target', 'wasm32-unknown-unknown']
  const how = ['--prefix', 'none', '--no-dedupe', '--format', '{p}']
  const tree = await run('cargo', ['tree', ...where, ...what, ...how], options)
  const used = new Set(tree.split('\n').map((line) => line.trim()))
  const format = ['--format-version', '1', '--filter-platform', 'wasm32-unknown-unknown']
  const metadata = await run('cargo', ['metadata', ...format, ...where], options)
  return JSON.parse(metadata)
    .packages.filter(({ name, version, source }) => source && used.has(`${name} v${version}`))
    .map(({ name, version, license, manifest_path: file }) =>
      partIn(path.dirname(file), { name, version, licence: license }),
    )
}

/**
 * Its crates have no licence files of their own; rustup brings the texts, and
 * compiler-builtins its own.
 */
async function standardLibrary(sysroot, library) {
  const texts = [
    ...['MIT.txt', 'Unicode-3.0.txt'].map((file) =>
      path.join(sysroot, 'share/doc/rust/licenses', file),
    ),
    path.join(library, 'compiler-builtins/LICENSE.txt'),
  ]
  const [, version] = (await run('rustc', ['--version'])).split(' ')
  const licence = '(MIT OR Apache-2.0) AND Unicode-3.0 AND Apache-2.0 WITH LLVM-exception'
  const holders = 'Copyright (c) The Rust Project Developers (see https://thanks.rust-lang.org)'
  return {
    name: 'The Rust standard library',
    version,
    licence,
    texts: [holders, ...texts.map(readText)],
  }
}

/**
 * The npm packages that bundles contain.
 *
 * @param {(import('esbuild').Metafile | undefined)[]} metafiles
 */
export function packagesIn(metafiles) {
  const files = metafiles.flatMap((metafile) => Object.keys(metafile?.inputs ?? {}))
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  return [...new Set(folders.filter((folder) => folder !== undefined))].map((folder) => {
    const { name, version, license } = JSON.parse(readText(inRoot(folder, 'package.json')))
    return partIn(inRoot(folder), { name, version, licence: license })
  })
}

/**
 * Reads the texts in a package's folder. Where MIT can be chosen, the other texts of the choice are
 * left out.
 *
 * @param {string} folder
 * @param {{ name: string, version: string, licence: string }} facts
 * @returns {Part}
 */
function partIn(folder, { name, version, licence }) {
  const files = readdirSync(folder).filter((file) => /^(un)?licen[cs]e|^copying/i.test(file))
  const isChoice = /\bOR MIT\b|\bMIT OR\b|\bMIT\/|\/MIT\b/.test(licence)
  const hasMit = files.some((file) => /mit/i.test(file))
  const chosen = files.filter(
    (file) => !(isChoice && hasMit && /apache|unlicense|copying/i.test(file)),
  )
  if (chosen.length === 0) {
    throw new Failure(
      `${name} ${version} has no licence file.`,
      'What contains it may not be published without; ask its authors, or do without it.',
    )
  }
  return {
    name,
    version,
    licence,
    texts: chosen.sort(compare).map((file) => readText(path.join(folder, file))),
  }
}

const readText = (file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()
