/** The sizes and fields that docs/snapshots.md tells of are real. */

import { LoopDetector, type LoopDetectorOptions, type PresetName, SwarmDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, readPage, tableUnder } from './pages.js'

const page = readPage('docs/snapshots.md')

/** What is measured may be off by a few digits of a clock or a count. */
const TOLERANCE = 40

function size(state: LoopDetector | SwarmDetector): number {
  return JSON.stringify(state).length
}

function sizeAfter(preset: PresetName, content: string | undefined, isAnswered: boolean): number {
  const detector = new LoopDetector(preset)
  for (let i = 0; i < 1000; i++) {
    detector.record('edit_file', { path: `src/file${i}.ts`, content })
    if (isAnswered) detector.recordResult({ ok: true, output: `ok ${i}` })
  }
  return size(detector)
}

describe('sizes', () => {
  const rows = tableUnder(page, '## How large it is')
  const long = 'x'.repeat(5000)

  it.each(rows.map((row) => [codeIn(row.preset) as PresetName, row] as const))(
    'of %s are as measured',
    (preset, row) => {
      const [, ...shown] = Object.values(row).map(Number)
      const measured = [
        size(new LoopDetector(preset)),
        sizeAfter(preset, undefined, true),
        sizeAfter(preset, long, true),
        sizeAfter(preset, long, false),
      ]
      expect(measured).toEqual(
        shown.map((size) => expect.toSatisfy((is: number) => Math.abs(is - size) <= TOLERANCE)),
      )
    },
  )

  it('of a full swarm are as measured', () => {
    const swarm = new SwarmDetector()
    for (let i = 0; i < 5000; i++) {
      swarm.record(`worker-${i % 8}`, 'read_file', { path: `src/file${i}.ts` })
    }
    const [, shown] = /takes about (\d+) kB/.exec(page.text) ?? []
    expect(Math.abs(size(swarm) / 1000 - Number(shown))).toBeLessThan(10)
  })
})

describe('contents', () => {
  it('has the fields that are named', () => {
    const [line] = page.text.split('\n## What is in it\n\n')[1]?.split('. ') ?? []
    expect(codesIn(line ?? '')).toEqual(Object.keys(new LoopDetector().toJSON()))
  })

  it('may be restored, or not, as the table says', () => {
    const base: LoopDetectorOptions = { preset: 'guard' }
    const accepts = (other: LoopDetectorOptions) => {
      const snapshot = new LoopDetector(base).toJSON()
      try {
        new LoopDetector({ ...base, ...other }).restoreFrom(snapshot)
        return true
      } catch {
        return false
      }
    }
    const rungs = [{ at: 1, action: 'stop', level: 'critical' }] as const
    for (const other of [
      { threshold: 7 },
      { detectors: { 'exact-repeat': { climb: 'count', rungs } } },
      { messages: { 'exact-repeat': 'again' } },
      { iterationCap: 9 },
      { batch: 'each' },
      { tools: { x: { ignore: ['y'] } }, tables: { primaryKeys: [] } },
    ] satisfies LoopDetectorOptions[]) {
      expect([other, accepts(other)]).toEqual([other, true])
    }
    for (const other of [
      { window: 21 },
      { maxPeriod: 4 },
      { identity: 'canonical' },
      { rawLength: 100 },
      { detectors: { summary: true } },
    ] satisfies LoopDetectorOptions[]) {
      expect([other, accepts(other)]).toEqual([other, false])
    }
  })
})
