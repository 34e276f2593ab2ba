/** The front page is short, is the one that is published, and its lines and figures are real. */

import { readdirSync, readFileSync } from 'node:fs'
import { presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, inRoot, type Row, readPage, tableUnder } from './pages.js'

// Plain JavaScript without types: named by variables, so that the compiler does not look for any.
const [builder, manifest, list] = [
  'scripts/build/readme.mjs',
  'scripts/support/project.mjs',
  'scripts/build/adapters.mjs',
].map((file) => inRoot(file)) as [string, string, string]
const { withAbsoluteLinks } = (await import(builder)) as {
  withAbsoluteLinks: (page: string) => string
}
const { project } = (await import(manifest)) as { project: { readonly repository: string } }
const { ADAPTERS } = (await import(list)) as { ADAPTERS: readonly { readonly name: string }[] }

const page = readPage('README.md')
const published = readPage('pkg/README.md')

/** Everything between white space, code and marks included, as `wc -w` counts. */
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length

describe('the front page', () => {
  it('has at most 900 words', () => {
    expect(countWords('# one `two`\n\n```ts\nthree()\n```\n| four |\n')).toBe(9)
    expect(countWords(page.text)).toBeLessThanOrEqual(900)
  })

  it('says how to build and test a clone', () => {
    const commands = page.blocks.filter(({ language }) => language === 'sh')
    const lines = commands.flatMap(({ code }) => code.split('\n').map((line) => line.split('#')[0]))
    expect(lines.map((line) => line?.trim())).toEqual(
      expect.arrayContaining(['npm install loophound', 'npm start', 'npm test']),
    )
  })

  it('begins with LoopGuard and the default preset', () => {
    const [first] = page.blocks.filter(({ language }) => language === 'ts')
    expect(first?.code).toContain("new LoopGuard('balanced')")
  })

  it('has a first program that can be saved and run, and prints what happened', () => {
    const [first] = page.blocks.filter(({ language }) => language === 'ts')
    expect(page.text).toContain('`node loop.mjs`')
    expect(first?.code).toContain('console.log(guard.outcome.summary)')
    expect(first?.code).toContain('const nudge = guard.takeNudge()')
  })

  it('has every preset in its table, the default first', () => {
    const names = tableUnder(page, '## Presets').map((row) => codeIn(row.preset))
    expect(names).toEqual(Object.keys(presets))
    expect(names[0]).toBe('balanced')
  })
})

describe('the published page', () => {
  it('is the same, with absolute links', () => {
    const addresses = new RegExp(`${project.repository}/(?:raw|blob)/main/`, 'g')
    const relative = published.text.replaceAll(addresses, '')
    expect(relative).toBe(page.text)
    const targets = [...published.text.matchAll(/\]\(([^)]*)\)|\b(?:src|srcset)="([^"]*)"/g)].map(
      ([, link, source]) => link ?? source,
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.filter((target) => !target?.startsWith('https://'))).toEqual([])
  })

  it('shows pictures as files, and leaves other addresses alone', () => {
    const text = '![a](b.svg) [c](d.md#e) [f](#g) <img src="h.png"> [i](https://j.k/l)'
    const address = project.repository
    expect(withAbsoluteLinks(text)).toBe(
      `![a](${address}/raw/main/b.svg) [c](${address}/blob/main/d.md#e) [f](#g) ` +
        `<img src="${address}/raw/main/h.png"> [i](https://j.k/l)`,
    )
  })
})

/** What a new user copies from the published page is what the adapter suite compiles and runs. */
describe('the lines to add', () => {
  const rows = tableUnder(published, '## Use it in your framework')
  const adapterOf = (row: Row) => /'loophound\/([\w-]+)'/.exec(row['lines to add'] ?? '')?.[1]

  it('are there for every adapter', () => {
    const names = ADAPTERS.map(({ name }) => name)
    expect(rows.map(adapterOf).toSorted()).toEqual(names.toSorted())
  })

  it.each(rows.map((row) => [adapterOf(row) as string, row] as const))(
    'for %s are those of an example that is run',
    (name, row) => {
      expect(row.framework).toContain(`/docs/adapters/${name}.md)`)
      const [first = '', use = first, ...more] = codesIn(row['lines to add'] ?? '')
      expect(more).toEqual([])
      // A plugin file is one line, which exports what it imports.
      const [, names, entry] = /^(?:import|export) \{ (.+) \} from '(.+)'$/.exec(first) ?? []
      expect(entry).toBe(`loophound/${name}`)
      const examples = examplesOf(name).filter((code) =>
        code.split('\n').some((line) => line.trim() === use),
      )
      expect(examples.length, use).toBeGreaterThan(0)
      for (const code of examples) {
        const line = new RegExp(`^(?:import|export) \\{ (.+) \\} from '${entry}'$`, 'm').exec(
          code,
        )?.[1]
        expect(line?.split(', '), code).toEqual(expect.arrayContaining(names?.split(', ') ?? []))
      }
    },
  )

  /** The examples of an adapter that the suite runs. */
  function examplesOf(adapter: string): string[] {
    const fixtures = readdirSync(inRoot('tests/adapters/fixtures')).map((fixture) => {
      const file = inRoot(`tests/adapters/fixtures/${fixture}/package.json`)
      return JSON.parse(readFileSync(file, 'utf8')).loophound
    })
    const own = fixtures.filter((fixture) => fixture.adapter === adapter)
    const names = new Set<string>(own.flatMap(({ examples = [adapter] }) => examples))
    return [...names].map((name) => readFileSync(inRoot(`examples/adapters/${name}.ts`), 'utf8'))
  }
})

describe('the figures', () => {
  const evaluation = readPage('docs/evaluation.md')

  it('of the chart are those of the evaluation', () => {
    const [, sessions] = /^(\d+) sessions of Claude Code/m.exec(evaluation.text) ?? []
    const rows = tableUnder(evaluation, "## Sessions of today's agents")
    const alarmed = (policy: string) =>
      rows.find((row) => row.policy === `\`${policy}\``)?.['work alarmed']
    expect(page.text).toContain(
      `In [${sessions} healthy sessions](docs/evaluation.md#sessions-of-todays-agents), ` +
        `\`nudge\` spoke up in ${alarmed('nudge')}, ` +
        `\`balanced\` in ${alarmed('balanced') === '0' ? 'none' : alarmed('balanced')}.`,
    )
  })

  it('of the check are those of a set before anyone looked at it', () => {
    const row = tableUnder(evaluation, '## What was tuned on what').findLast(
      ({ when }) => when === 'before anyone looked at it',
    ) as Row
    const [healthy, loops] = [row['healthy runs'], row.loops]
    expect(page.text).toContain(
      `On ${Number(healthy) + Number(loops)} scenarios that it was not tuned on, ` +
        `it found ${row['loops found']} of the loops, nudged ${row['healthy nudged']} of the ` +
        `healthy runs, and blocked ${row['healthy blocked']} of ${healthy}.`,
    )
  })
})
