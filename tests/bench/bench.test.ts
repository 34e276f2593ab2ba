/** How the benchmark measures: medians, turns, the calls it makes, and when a goal is met. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isMet } from '../../bench/goals.mjs'
import { median, ratios, repeated, spread, takeTurns } from '../../bench/statistics.mjs'
import { callsOf, OUTPUTS, outputsOf, SIZES } from '../../bench/workload.mjs'
import { inRoot } from '../docs/pages.js'
import fc from '../support/property.js'

describe('statistics', () => {
  it('interpolate between neighbours', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(spread([5, 1, 4, 2, 3])).toEqual({ low: 2, median: 3, high: 4 })
    expect(() => median([])).toThrow(RangeError)
  })

  it('do not depend on order, and do not change the values', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 })
    fc.assert(
      fc.property(values, (list) => {
        const copy = [...list]
        const { low, median, high } = spread(list)
        expect(list).toEqual(copy)
        expect(spread(list.toReversed())).toEqual({ low, median, high })
        expect(low <= median && median <= high).toBe(true)
      }),
    )
  })

  it('compare within a round', () => {
    expect(ratios([2, 20, 200], [1, 10, 100])).toEqual({ low: 2, median: 2, high: 2 })
  })
})

describe('jobs', () => {
  it('run once in each round, each time with a different one first', () => {
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
    const times = takeTurns(jobs, { rounds: 3, warmUp: 1, clock: () => now })
    expect(order.join('')).toBe('abcbcacababc')
    // Nanoseconds per unit; the warm-up is not counted.
    expect(times).toEqual([
      [100, 100, 100],
      [2000, 2000, 2000],
      [30_000, 30_000, 30_000],
    ])
  })

  it('are repeated until the clock can measure them', () => {
    let now = 0
    const options = { atLeast: 1000, clock: () => now }
    const taking = (took: number) => () => {
      now += took
    }
    expect(repeated(taking(3), 2, options).work).toBe(2 * 334)
    expect(repeated(taking(5000), 2, options).work).toBe(2)
  })
})

describe('the workload', () => {
  it.each(SIZES)('has calls of about %d bytes, all different, the same every time', (size) => {
    const calls = callsOf(size)
    const bytes = calls.reduce((sum, { text }) => sum + text.length, 0) / calls.length
    expect(Math.abs(bytes - size) / size).toBeLessThan(0.15)
    expect(new Set(calls.map(({ name, text }) => name + text)).size).toBe(calls.length)
    expect(callsOf(size)).toEqual(calls)
  })

  it.each(OUTPUTS)('has outputs of about %d bytes, all different', (size) => {
    const outputs = outputsOf(size)
    const bytes = outputs.reduce((sum, { length }) => sum + length, 0) / outputs.length
    expect(Math.abs(bytes - size) / size).toBeLessThan(0.25)
    expect(new Set(outputs).size).toBe(outputs.length)
  })
})

it('"no slower than" has a tolerance of 5 %, other goals have none', () => {
  expect(isMet({ limit: 1, measured: 1.04 })).toBe(true)
  expect(isMet({ limit: 1, measured: 1.06 })).toBe(false)
  expect(isMet({ limit: 1, measured: 1, strict: true })).toBe(false)
  expect(isMet({ limit: 15, measured: 15.1, unit: 'ms' })).toBe(false)
})

it('the baseline has a ratio for each preset and size', () => {
  const baseline = JSON.parse(readFileSync(inRoot('bench/baseline.json'), 'utf8'))
  expect(Object.keys(baseline)).toEqual(['guard', 'window', 'nudge', 'cycles', 'balanced'])
  for (const ratios of Object.values<number[]>(baseline)) expect(ratios).toHaveLength(SIZES.length)
})
