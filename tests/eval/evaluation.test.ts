/** From a corpus in a folder to figures, a page and a chart. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as engine from 'loophound'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { inRoot } from '../docs/pages.js'
import {
  corpus,
  drawChart,
  evaluate,
  judgeAll,
  overlaps,
  POLICIES,
  pageOf,
  placeLabels,
} from './harness.js'
import { measureAll, study } from './study-harness.js'

const folder = mkdtempSync(join(tmpdir(), 'loophound-eval-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

function save(source: string, runs: Record<string, string>) {
  const lines = Object.entries(runs).map(([id, letters]) => {
    const events = [...letters].flatMap((name) => [
      { t: 'call', name, args: {} },
      { t: 'result', name, ok: true, output: 'same' },
    ])
    return JSON.stringify({ id, source, license: '', label: null, events })
  })
  writeFileSync(join(folder, `${source}.jsonl.gz`), gzipSync(lines.join('\n')))
}

save('made_up', { 'made/loop': 'XAAAA', 'made/work': 'ABCD', 'made/unlabelled': 'AAAAAAAA' })
save('miniswe_gemini3pro', { 'mini/repeat': 'AAABBCCDDEE', 'mini/work': 'ABCDEFGHI' })
const rules = (id: string, isLoop: boolean) =>
  JSON.stringify({ id, oracle_strict: isLoop, oracle_loose: isLoop })
writeFileSync(
  join(folder, 'oracle_labels.jsonl.gz'),
  gzipSync(`${rules('made/loop', true)}\n${rules('made/unlabelled', false)}`),
)
writeFileSync(
  join(folder, 'labels.jsonl'),
  [
    { id: 'made/loop', stuck: true, spans: [{ from: 2, to: 4, kind: 'exact_repeat' }] },
    { id: 'made/work', stuck: false, spans: [] },
  ]
    .map((label) => JSON.stringify({ ...label, borderline: false, reason: 'made up' }))
    .join('\n'),
)

const read = corpus.readCorpus(folder)
const judged = await judgeAll(read, POLICIES)
const figures = evaluate(read, judged, POLICIES)

describe('the corpus', () => {
  it('is read as far as it is scored: what is labelled, and strong models', () => {
    const ids = judged.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['made/loop', 'made/work', 'mini/repeat', 'mini/work'])
  })

  it('gives any trajectory by its id', () => {
    expect(corpus.readCorpus(folder, { id: 'made/unlabelled' }).lines).toHaveLength(1)
    expect(() => corpus.readCorpus(folder, { id: 'nobody' })).toThrow('nobody')
  })

  it('that is missing is a failure in CI, or where it was asked for', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const nowhere = join(folder, 'nowhere')
    vi.stubEnv('CI', '')
    expect(corpus.findCorpus(undefined, nowhere)).toBe(null)
    expect(() => corpus.findCorpus(nowhere)).toThrow('There is no corpus')
    vi.stubEnv('CI', 'true')
    expect(() => corpus.findCorpus(undefined, nowhere)).toThrow('There is no corpus')
    expect(corpus.findCorpus(undefined, folder)).toBe(folder)
  })
})

describe('the figures', () => {
  const of = (policy: string) => figures.policies.find(({ id }) => id === policy)

  it('are those of each policy', () => {
    expect(of('same-3')).toMatchObject({ precision: 1, recall: 1, delay: { median: 1 } })
    expect(of('same-5')).toMatchObject({ precision: null, recall: 0 })
    expect(of('same-3')?.strong).toEqual({ alarmed: 1, calls: 20, rate: 50 })
    expect(of('same-3')?.notStuck).toEqual({ alarmed: 0, calls: 4, rate: 0 })
  })

  it('are told by source, and without it', () => {
    expect(of('same-3')?.sources.made_up).toMatchObject({ hits: 1, quiet: 1 })
    expect(of('same-3')?.without.made_up).toMatchObject({ hits: 0, quiet: 0 })
  })
})

describe('the page', async () => {
  const plan = study.planOf(engine)
  const all = await measureAll(folder, POLICIES, plan)
  const page = pageOf(all)

  it('has a row for each policy, and no date', () => {
    for (const { id } of POLICIES)
      expect(page).toMatch(new RegExp(`^\\| \`${id}\` \\| [\\d.–]+ \\|`, 'm'))
    expect(page).not.toMatch(/\b20\d\d\b/)
    expect(page).not.toMatch(/undefined|NaN|null|\[object/)
  })

  it('tells of balanced whether each target is reached', () => {
    expect(page).toMatch(/^\| precision \| at least 0.97 \| 1.00 \| yes \|/m)
    expect(page).toMatch(/^\| false alarms .* \| at most 0.2 \| 50.00 \| \*\*no\*\* \|/m)
    expect(page).toContain('It misses 1 of 4.')
  })

  it('has a row for each detector, each number and each source', () => {
    for (const { name } of plan.without) expect(page).toContain(`\n| ${name} |`)
    for (const { name, rows } of all.thresholds)
      for (const { value } of rows) expect(page).toContain(`\n| ${name} ${value} |`)
    expect(page).toContain('\n| made_up | 2 |')
  })

  it('has the agreement with the rules, of all runs', () => {
    expect(all.breadth?.policies['same-5']).toEqual({
      ...{ runs: 2, strict: 1, agreed: 0, silent: 1, beyond: 1 },
    })
  })

  it('has the cost as a ratio', () => {
    expect(all.cost.ratio.median).toBeGreaterThan(0)
    expect(page).toMatch(/take [\d.]+ times \(quartiles [\d.]+ and [\d.]+\)/)
  })

  it('that is checked in tells of the policies there are', () => {
    const page = readFileSync(inRoot('docs/evaluation.md'), 'utf8')
    for (const { id, about } of POLICIES) expect(page).toContain(`| \`${id}\` | ${about} |`)
  })
})

describe('the chart', () => {
  it('names every policy that has figures', () => {
    const chart = drawChart([
      { id: 'one', group: 'presets', precision: 0.9, recall: 0.3 },
      { id: 'two', group: 'peers', precision: 0.9, recall: 0.3 },
      { id: 'three', group: 'peers', precision: 0.2, recall: 1 },
      { id: 'silent', group: 'peers', precision: null, recall: 0 },
    ])
    expect(chart).toContain('>one, two</text>')
    expect(chart).toContain('>three</text>')
    expect(chart).not.toContain('silent')
    expect(chart).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('has labels that lie neither on one another nor outside', () => {
    const frame = { left: 0, top: 0, right: 600, bottom: 400 }
    const points = Array.from({ length: 14 }, (_, index) => ({
      ...{ x: 300 + 9 * (index % 4), y: 9 * Math.floor(index / 4) },
      ...{ width: 60, height: 15 },
    }))
    const boxes = placeLabels(points, frame).map(({ box }) => box)
    for (const [index, box] of boxes.entries()) {
      expect(box.top).toBeGreaterThanOrEqual(0)
      expect(boxes.slice(index + 1).filter((other) => overlaps(box, other))).toEqual([])
      expect(
        points.filter(({ x, y }) => overlaps(box, { left: x, right: x, top: y, bottom: y })),
      ).toEqual([])
    }
  })
})
