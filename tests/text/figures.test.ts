/** How the corpus' texts are read, streamed and counted. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as engine from 'loophound'
import { afterAll, describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'

interface Alarm {
  readonly id: string
  readonly isKnown: boolean
  readonly isChant: boolean
}

interface Figures {
  readonly sources: Record<string, Record<string, number>>
  readonly streams: readonly Alarm[]
  readonly turns: readonly Alarm[]
}

interface Tools {
  readTexts(folder: string): Iterable<object>
  evaluate(package_: typeof engine, runs: Iterable<object>): Figures
  evaluationTable(figures: Figures): string
  measure(contestants: object[], text: string): { name: string; cells: { alarms: number }[] }[]
  benchmarkTable(rows: object[], absent: string[], length: number): string
}

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const files = ['corpus', 'evaluate', 'report', 'bench'].map((name) =>
  inRoot(`scripts/text/${name}.mjs`),
)
const loaded = await Promise.all(files.map((file) => import(file)))
const tools = Object.assign({}, ...loaded) as Tools

const folder = mkdtempSync(join(tmpdir(), 'loophound-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (words: string) => ({ t: 'text', text: words })
const chant = 'All files are read. Making all changes now. '.repeat(30)
const done = 'I have made all of the changes that were asked for, and the task is complete.'
const runs = [
  { id: 'chant', label: { note: 'chanting; somebody says so' }, events: [text(chant)] },
  { id: 'surprise', label: null, events: [text('Hello.'), text(chant)] },
  { id: 'talk', label: null, events: [text(done), text(done), text(done)] },
  { id: 'work', label: null, events: [{ t: 'call', name: 'ls', args: {} }] },
]
writeFileSync(
  join(folder, 'made_up.jsonl.gz'),
  gzipSync(runs.map((run) => JSON.stringify({ ...run, source: 'made_up' })).join('\n')),
)
writeFileSync(
  join(folder, 'labels.jsonl'),
  JSON.stringify({ id: 'talk', spans: [{ from: 0, to: 0, kind: 'monologue' }] }),
)

describe('the evaluation', () => {
  const figures = tools.evaluate(engine, tools.readTexts(folder))

  it('counts texts, and which runs are known to go in circles', () => {
    const characters = 2 * chant.length + 'Hello.'.length + 3 * done.length
    const innocent = chant.length + 'Hello.'.length
    expect(figures.sources).toEqual({ made_up: { runs: 3, texts: 6, characters, innocent } })
  })

  it('tells a false alarm from a chant that was reported', () => {
    expect(figures.streams.map(({ id, isKnown }) => [id, isKnown])).toEqual([
      ['chant', true],
      ['surprise', false],
    ])
    expect(figures.turns.map(({ id, isKnown }) => [id, isKnown])).toEqual([['talk', true]])
  })

  it('says so in the table', () => {
    const table = tools.evaluationTable(figures)
    expect(table).toContain('| `made_up` | 3 | 6 | ')
    expect(table).toContain('**False alarms: 1** on the 1,326 characters')
    expect(table).toContain('754.15 for each million')
    expect(table).toContain('1 runs found')
  })
})

describe('the benchmark', () => {
  it('measures each contestant in each chunk size, and compares with the first', () => {
    const made = (name: string, every: number) => {
      let pushed = 0
      const push = () => ++pushed % every === 0
      return { name, make: () => ({ push, end() {} }) }
    }
    const rows = tools.measure([made('ours', 1e9), made('theirs', 2)], 'x'.repeat(2000))
    expect(rows.map(({ cells }) => cells.map(({ alarms }) => alarms > 0))).toEqual([
      [false, false, false],
      [true, true, true],
    ])
    const table = tools.benchmarkTable(rows, ['A third one is not to be had.'], 2000)
    expect(table).toMatch(/\| ours \| .*\(1×\)/)
    expect(table).toMatch(/\| theirs \| .*×, with an alarm\)/)
    expect(table).toContain('of 2,000 of prose')
    expect(table).toContain('A third one is not to be had.')
  })
})
