/** What the pages of the adapters show is what the adapter suite checks and runs. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, inRoot, type Row, readPage, tableUnder } from './pages.js'

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
  /** All packages that are installed for it, by their folders. */
  readonly locked: Readonly<Record<string, { readonly version?: string }>>
}

const fixtures = readdirSync(inRoot('tests/adapters/fixtures')).map((name) => {
  const read = (file: string) =>
    JSON.parse(readFileSync(inRoot(`tests/adapters/fixtures/${name}/${file}`), 'utf8'))
  return { ...read('package.json'), locked: read('package-lock.json').packages } as Fixture
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

  const [install = ''] = page.text.match(/^npm install loophound.*$/m) ?? []
  /** The name and the version; a name may begin with an @. */
  const installed = install
    .split(' ')
    .slice(2)
    .map((one) => /^(.[^@]*)@?(.*)$/.exec(one)?.slice(1) as [string, string])

  it('installs the versions that are tested', () => {
    const own = fixtures.filter(({ loophound }) => loophound.adapter === name)
    for (const [dependency, version] of installed.slice(1)) {
      const tested = own.map(({ locked }) => locked[`node_modules/${dependency}`]?.version)
      expect(tested, dependency).toContain(version)
    }
  })

  it('installs what its first example imports', () => {
    const imported = [...(quotes[0]?.code ?? '').matchAll(/\bfrom '((?:@[^/']+\/)?[^/']+)/g)]
    const packages = new Set(imported.map(([, name]) => name as string))
    const names = installed.map(([dependency]) => dependency)
    const missing = [...packages].filter((one) => !names.includes(one))
    expect(missing.filter((one) => !one.includes(':'))).toEqual([])
  })

  it('answers the same four questions', () => {
    const questions = [
      'What the model sees',
      'What the user sees',
      'How to notice a stop',
      'How to resume',
    ]
    const headings = [...page.text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings.filter((heading) => questions.includes(heading as string))).toEqual(questions)
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

  it('has the lines of the front page', () => {
    const front = tableUnder(readPage('README.md'), '## Use it in your framework')
    const shown = (row: Row) => [row['lines to add'], row.then]
    expect(rows.map(shown).toSorted()).toEqual(front.map(shown).toSorted())
  })

  it('has a tick or a reason for what is supported', () => {
    for (const row of rows) {
      for (const part of ['nudge', 'block', 'stop', 'text', 'resume']) {
        expect(row[part], `${row.adapter}, ${part}`).toMatch(/^(✓|no: \w)/)
      }
    }
  })

  // Drivers import their frameworks, which are not installed here: their text is read.
  it.each([
    ['text', 'chant'],
    ['resume', 'resume'],
  ])('has a tick for %s where the suite checks it', (part, check) => {
    for (const [index, { name }] of ADAPTERS.entries()) {
      const driver = readFileSync(inRoot(`tests/adapters/drivers/${name}.mjs`), 'utf8')
      const lacks = /\blacks: \{[^}]*\}/.exec(driver)?.[0] ?? ''
      const isChecked = !new RegExp(`\\b${check}: '`).test(lacks)
      expect(rows[index]?.[part]?.startsWith('✓'), `${name}, ${part}`).toBe(isChecked)
    }
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
      const allowed = codesIn(text).flatMap((framework) =>
        peers[framework]?.match(/\d+\.\d+\.\d+/g)?.map(majorOf),
      )
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
