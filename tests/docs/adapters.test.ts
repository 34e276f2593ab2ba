/** What the pages of the adapters show is what the adapter suite checks and runs. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, inRoot, readPage, tableUnder } from './pages.js'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const list = inRoot('scripts/build/adapters.mjs')
const { ADAPTERS } = (await import(list)) as {
  ADAPTERS: readonly { readonly name: string; readonly peers: Readonly<Record<string, string>> }[]
}

interface Fixture {
  readonly loophound: {
    readonly adapter: string
    readonly framework: string
    readonly examples?: readonly string[]
  }
  readonly dependencies: Readonly<Record<string, string>>
}

const fixtures = readdirSync(inRoot('tests/adapters/fixtures')).map((name) => {
  const file = inRoot(`tests/adapters/fixtures/${name}/package.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Fixture
})
const pages = ADAPTERS.map(({ name }) => [name, readPage(`docs/adapters/${name}.md`)] as const)
const overview = readPage('docs/adapters/README.md')

/** What may break: the first number, and as long as that is 0, the second. */
const majorOf = (version: string) => (/^0\.\d+|^\d+/.exec(version) as RegExpExecArray)[0]

const examplesOf = ({ loophound }: Fixture) => loophound.examples ?? [loophound.adapter]

describe.each(pages)('docs/adapters/%s.md', (name, page) => {
  const quotes = page.blocks.filter(({ note }) => note.startsWith('no-run: examples/'))

  it('quotes its examples whole', () => {
    expect(quotes.length).toBeGreaterThan(0)
    for (const { note, code, at } of quotes) {
      const file = readFileSync(inRoot(note.replace('no-run: ', '')), 'utf8')
      expect(`${code}\n`, at).toBe(file)
    }
  })

  it('quotes what is type-checked and run, and all of it', () => {
    const run = fixtures.filter(({ loophound }) => loophound.adapter === name).flatMap(examplesOf)
    const quoted = quotes.map(({ note }) => /([\w-]+)\.ts$/.exec(note)?.[1] as string)
    expect([...new Set(run)].sort()).toEqual(quoted.sort())
  })
})

describe('docs/adapters/README.md', () => {
  const rows = tableUnder(overview, '# Adapters')

  it('has a row for each adapter', () => {
    const names = rows.map((row) => codeIn(row.adapter))
    expect(names).toEqual(ADAPTERS.map(({ name }) => `loophound/${name}`))
  })

  it('names the majors that are tested and allowed', () => {
    for (const [index, { name, peers }] of ADAPTERS.entries()) {
      const tested = fixtures
        .filter(({ loophound }) => loophound.adapter === name)
        .map(({ loophound, dependencies }) => majorOf(dependencies[loophound.framework] as string))
        .sort((a, b) => Number(a) - Number(b))
      const text = rows[index]?.['tested with'] as string
      const told = text.replace(/`[^`]+`/g, '').match(/\d+(\.\d+)?/g)
      expect(told, name).toEqual(tested)
      const [framework = ''] = codesIn(text)
      const allowed = peers[framework]?.match(/\d+\.\d+\.\d+/g)?.map(majorOf)
      expect(allowed, name).toEqual(tested)
    }
  })

  it('has a figure for each fixture', () => {
    const measured = tableUnder(overview, '## What it costs').map((row) => row.framework)
    const titles = fixtures.map(
      ({ loophound: { framework }, dependencies }) => `${framework} ${dependencies[framework]}`,
    )
    expect(measured.sort()).toEqual(titles.sort())
  })
})

describe('the packages of the adapter suite', () => {
  it('are pinned to exact versions, and each has its row', () => {
    const told = tableUnder(readPage('docs/dependencies.md'), "## The adapter suite's packages")
    const names = told.flatMap((row) => codesIn(row.package as string))
    for (const { dependencies } of fixtures) {
      for (const [name, version] of Object.entries(dependencies)) {
        expect(version).toMatch(/^\d+\.\d+\.\d+$/)
        expect(names).toContain(name)
      }
    }
  })

  it('are locked without a registry', () => {
    for (const name of readdirSync(inRoot('tests/adapters/fixtures'))) {
      const lock = readFileSync(inRoot(`tests/adapters/fixtures/${name}/package-lock.json`), 'utf8')
      expect(lock).not.toContain('"resolved"')
    }
  })
})
