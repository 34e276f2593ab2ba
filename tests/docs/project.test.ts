/** The tables that describe the project name what is there, and all of it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, inRoot, readPage, tableUnder } from './pages.js'

const contributing = readPage('CONTRIBUTING.md')
const dependencies = readPage('docs/dependencies.md')
const reliability = readPage('docs/reliability.md')
const versioning = readPage('docs/versioning.md')

describe('the modules', () => {
  const modules = tableUnder(contributing, '## The modules').flatMap((row) =>
    codesIn(row.module ?? ''),
  )

  it('exist', () => {
    expect(modules.filter((module) => !existsSync(inRoot(module)))).toEqual([])
  })

  it('are all of src', () => {
    const sources = readdirSync(inRoot('src'), { withFileTypes: true })
    const paths = sources.map((entry) => `src/${entry.name}${entry.isDirectory() ? '/' : ''}`)
    expect(paths.filter((path) => !modules.includes(path))).toEqual([])
  })
})

describe('files and names', () => {
  it.each([contributing, versioning, reliability])('that $name mentions exist', ({ text }) => {
    const paths = codesIn(text).filter((code) =>
      /^(src|js|tests|docs|examples)\/[\w./-]+$/.test(code),
    )
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(inRoot(path)))).toEqual([])
  })

  it.each([
    ['src/config/presets.rs', 'const RULES'],
    ['src/config/messages.rs', 'fn every_rule_has_a_text_at_every_level'],
    ['src/verdict.rs', 'LoopKind {'],
    ['src/patterns/mod.rs', 'trait Pattern'],
    ['src/hash.rs', 'fn known_values_never_change'],
    ['src/snapshot/mod.rs', 'const VERSION'],
    ['tests/rust/snapshots.rs', 'fn other_versions_kinds_and_shapes_are_refused_by_name'],
    ['js/transcripts/formats.ts', 'const READERS'],
  ])('%s has %s', (file, name) => {
    expect(readFileSync(inRoot(file), 'utf8').includes(name)).toBe(true)
  })

  it('that tests are said to be in exist', () => {
    const rows = tableUnder(contributing, '## How tests are laid out')
    const folders = rows.flatMap((row) => codesIn(row.folder ?? ''))
    expect(folders.length).toBeGreaterThan(0)
    expect(folders.filter((folder) => !existsSync(inRoot(folder)))).toEqual([])
  })
})

describe('the workflows', () => {
  const folder = '.github/workflows'
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))

  it.each(readdirSync(inRoot(folder)))('%s runs commands that exist', (file) => {
    const text = readFileSync(inRoot(`${folder}/${file}`), 'utf8')
    const called = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name)
    expect(called.filter((name) => !(String(name) in scripts))).toEqual([])
  })
})

describe('dependencies', () => {
  it('are all the crates', () => {
    const manifests = ['Cargo.toml', 'src/wasm/Cargo.toml'].map((file) =>
      readFileSync(inRoot(file), 'utf8'),
    )
    const sections = manifests.flatMap((manifest) => [
      ...manifest.matchAll(/^\[(?:dev-)?dependencies\]\n((?:.+\n)*)/gm),
    ])
    const names = sections.flatMap(([, lines]) =>
      [...(lines as string).matchAll(/^([\w-]+) =/gm)].map(([, name]) => name as string),
    )
    const crates = names.filter((name) => name !== 'loophound')
    const told = tableUnder(dependencies, '## Crates').map((row) => codeIn(row.crate))
    // Several packages need some of them.
    expect(told.toSorted()).toEqual([...new Set(crates)].toSorted())
  })

  it('are all the packages of bench/peers', () => {
    const names = Object.keys(
      JSON.parse(readFileSync(inRoot('bench/peers/package.json'), 'utf8')).dependencies,
    )
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !dependencies.text.includes(`| \`${name}\` |`))).toEqual([])
  })

  it('are all the packages of the site', () => {
    const names = Object.keys(
      JSON.parse(readFileSync(inRoot('site/package.json'), 'utf8')).dependencies,
    )
    expect(names.filter((name) => !dependencies.text.includes(`| \`${name}\` |`))).toEqual([])
    expect(readFileSync(inRoot('site/package-lock.json'), 'utf8')).not.toContain('"resolved"')
  })

  it('are all the npm packages', () => {
    const { devDependencies, dependencies: others = {} } = JSON.parse(
      readFileSync(inRoot('package.json'), 'utf8'),
    )
    const told = tableUnder(dependencies, '## npm packages, all for development')
    const names = told.map((row) => codeIn(row.package))
    expect(names.toSorted()).toEqual(Object.keys(devDependencies).toSorted())
    expect(others).toEqual({})
  })
})
