/** How the benchmark counts: medians, spread, turns, and what it says about its goals. */

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'

interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

interface Job {
  readonly work: number
  run(): void
}

interface Clocked {
  readonly rounds: number
  readonly warmUp: number
  clock(): number
}

interface MadeCall {
  readonly name: string
  readonly args: object
  readonly text: string
}

interface Tools {
  median(values: number[]): number
  spread(values: number[]): Spread
  ratios(mine: number[], theirs: number[]): Spread
  takeTurns(jobs: Job[], how: Clocked): number[][]
  repeatsFor(once: () => void, how: { atLeast: number; clock(): number }): number
  callsOf(size: number): MadeCall[]
  outputsOf(size: number): string[]
  readonly SIZES: number[]
  readonly OUTPUTS: number[]
  isMet(goal: { limit: number; measured: number }): boolean
  instructionsTable(now: Record<string, number>, before: Record<string, number>): string
  withSection(page: string, name: string, text: string): string | undefined
}

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const files = [
  ...['statistics', 'calls', 'goals', 'instructions'].map((name) => `scripts/perf/${name}.mjs`),
  'scripts/support/files.mjs',
].map(inRoot)
const loaded = await Promise.all(files.map((file) => import(file)))
const tools = Object.assign({}, ...loaded) as Tools

describe('the statistics', () => {
  it('take the middle, and half of the way between two', () => {
    expect(tools.median([3, 1, 2])).toBe(2)
    expect(tools.median([4, 1, 3, 2])).toBe(2.5)
    expect(tools.spread([5, 1, 4, 2, 3])).toEqual({ low: 2, median: 3, high: 4 })
    expect(() => tools.median([])).toThrow(RangeError)
  })

  it('do not depend on order, and leave the values alone', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 })
    fc.assert(
      fc.property(values, (list) => {
        const copy = [...list]
        const { low, median, high } = tools.spread(list)
        expect(list).toEqual(copy)
        expect(tools.spread(list.toReversed())).toEqual({ low, median, high })
        expect(low <= median && median <= high).toBe(true)
        expect(list.filter((value) => value <= median).length * 2 >= list.length).toBe(true)
      }),
    )
  })

  it('compare within a round, so that a slow round slows both', () => {
    expect(tools.ratios([2, 20, 200], [1, 10, 100])).toEqual({ low: 2, median: 2, high: 2 })
  })
})

describe('taking turns', () => {
  it('runs every job once in each round, each time another one first', () => {
    const order: string[] = []
    let now = 0
    const job = (name: string, took: number) => ({
      work: 10,
      run: () => {
        order.push(name)
        now += took
      },
    })
    const jobs = [job('a', 1), job('b', 20), job('c', 300)]
    const times = tools.takeTurns(jobs, { rounds: 3, warmUp: 1, clock: () => now })
    expect(order.join('')).toBe('abcbcacababc')
    // Microseconds for ten units are hundreds of nanoseconds for each; the warm-up is not counted.
    expect(times).toEqual([
      [100, 100, 100],
      [2000, 2000, 2000],
      [30_000, 30_000, 30_000],
    ])
  })

  it('repeats a short job until the clock can tell', () => {
    let now = 0
    const how = { atLeast: 1000, clock: () => now }
    const taking = (took: number) => () => {
      now += took
    }
    expect(tools.repeatsFor(taking(3), how)).toBe(334)
    expect(tools.repeatsFor(taking(5000), how)).toBe(1)
  })
})

describe('the calls', () => {
  it.each(tools.SIZES)(
    'of %d bytes have about that size, are all different, and stay the same',
    (size) => {
      const calls = tools.callsOf(size)
      const bytes = calls.reduce((sum, { text }) => sum + text.length, 0) / calls.length
      expect(Math.abs(bytes - size) / size).toBeLessThan(0.15)
      expect(new Set(calls.map(({ name, text }) => name + text)).size).toBe(calls.length)
      expect(calls.every(({ args, text }) => JSON.stringify(args) === text)).toBe(true)
      expect(tools.callsOf(size)).toEqual(calls)
    },
  )

  it.each(tools.OUTPUTS)('outputs of %d bytes, too', (size) => {
    const outputs = tools.outputsOf(size)
    const bytes = outputs.reduce((sum, { length }) => sum + length, 0) / outputs.length
    expect(Math.abs(bytes - size) / size).toBeLessThan(0.25)
    expect(new Set(outputs).size).toBe(outputs.length)
  })
})

describe('what is told', () => {
  it('a goal is met within a twentieth', () => {
    expect(tools.isMet({ limit: 1, measured: 1.04 })).toBe(true)
    expect(tools.isMet({ limit: 1, measured: 1.06 })).toBe(false)
  })

  it('instructions are set against the committed ones', () => {
    const lines = tools.instructionsTable({ a: 110, b: 50, c: 7 }, { a: 100, b: 100 }).split('\n')
    expect(lines.slice(1).map((line) => line.split(/\s{2,}/))).toEqual([
      ['a', '100', '110', '+10.0 %'].map((cell) => expect.stringContaining(cell)),
      ['b', '100', '50', '−50.0 %'].map((cell) => expect.stringContaining(cell)),
      ['c', '–', '7', 'new'].map((cell) => expect.stringContaining(cell)),
    ])
  })

  it('a section is replaced, and only that', () => {
    const page = 'a\n<!-- x: written by a command -->\n\nold\n\n<!-- end of x -->\nb'
    const next = tools.withSection(page, 'x', 'new')
    expect(next).toBe(page.replace('old', 'new'))
    expect(tools.withSection(page, 'y', 'new')).toBeUndefined()
  })

  it('the page shows the committed instruction counts', () => {
    const page = readFileSync(inRoot('docs/performance.md'), 'utf8')
    const counts = JSON.parse(readFileSync(inRoot('tests/perf/instructions.json'), 'utf8'))
    const rows = Object.entries<number>(counts).map(
      ([name, count]) => `| \`${name}\` | ${count.toLocaleString('en')} |`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })
})
