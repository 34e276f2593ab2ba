import { describe, expect, it } from 'vitest'
import * as score from './score.mjs'

const SPAN = { from: 10, to: 15, kind: 'cycle' }

const alarm = (call, action = 'nudge') => ({ call, action, kind: 'cycle' })
const alarms = (calls) => calls.map((call) => (typeof call === 'number' ? alarm(call) : call))

const loop = (calls, spans = [SPAN], length = 20) => ({
  ...{ expect: 'loop', spans, calls: length, alarms: alarms(calls) },
})
const work = (calls, length = 20) => ({
  ...{ expect: 'work', spans: [], calls: length, alarms: alarms(calls) },
})

describe('a session that is stuck', () => {
  it.each([
    ['alarmed at its first repeat', [10], 'hit', 0],
    ['alarmed inside', [13], 'hit', 3],
    ['alarmed at its last call', [15], 'hit', 5],
    ['alarmed one call after', [16], 'hit', 6],
    ['alarmed two calls after', [17], 'miss', undefined],
    ['never alarmed', [], 'miss', undefined],
    ['alarmed one call before', [9], 'false alarm', undefined],
  ])('%s', (_, calls, result, delay) => {
    expect(score.resultOf(loop(calls))).toMatchObject({
      result,
      ...(delay === undefined ? {} : { delay }),
    })
    expect(score.resultByWords(loop(calls)).result).toBe(result)
  })

  it('alarmed before and inside is false by the first alarm, and a hit by the words', () => {
    expect(score.resultOf(loop([9, 12])).result).toBe('false alarm')
    expect(score.resultByWords(loop([9, 12]))).toMatchObject({ result: 'hit', delay: 2 })
  })

  it('may have two loops', () => {
    const spans = [SPAN, { from: 18, to: 19, kind: 'no_progress' }]
    expect(score.resultOf(loop([17], spans)).result).toBe('miss')
    expect(score.resultOf(loop([17, 19], spans))).toMatchObject({ result: 'hit', delay: 1 })
  })
})

describe('other sessions', () => {
  it('are quiet or falsely alarmed when they are work', () => {
    expect(score.resultOf(work([])).result).toBe('quiet')
    expect(score.resultOf(work([3])).result).toBe('false alarm')
    expect(score.resultByWords(work([3])).result).toBe('false alarm')
  })

  it('are not scored when nobody knows what they are', () => {
    const unknown = { ...work([3]), expect: null }
    expect(score.resultOf(unknown).result).toBe('not scored')
    expect(score.score([loop([10]), unknown])).toEqual(score.score([loop([10])]))
  })
})

describe('many sessions', () => {
  const runs = [loop([10]), loop([12, 13, 14]), loop([]), loop([9, 12]), work([1, 2, 3]), work([])]

  it('count once each', () => {
    expect(score.score(runs)).toMatchObject({
      ...{ hits: 2, misses: 1, falseAlarms: 2, early: 1, quiet: 1 },
      ...{ precision: 0.5, recall: 2 / 3, f1: 4 / 7 },
      delay: { median: 1, p90: 1.8 },
    })
    expect(score.scoreByWords(runs)).toEqual({ precision: 3 / 4, recall: 3 / 4, f1: 3 / 4 })
  })

  it('have no rates where there is nothing to count', () => {
    expect(score.score([work([])])).toMatchObject({
      ...{ precision: null, recall: null, f1: null, saved: null },
      ...{
        delay: { median: null, p90: null },
        precisions: { alarm: null, block: null, stop: null },
      },
    })
    expect(score.score([loop([])])).toMatchObject({ precision: null, recall: 0, f1: null })
  })
})

describe('precision by action', () => {
  it('looks at the first alarm that is at least as hard', () => {
    const runs = [
      // Nudged too early, blocked inside.
      loop([alarm(9), alarm(12, 'block')]),
      loop([alarm(10), alarm(11, 'block'), alarm(12, 'stop')]),
      work([alarm(3), alarm(4, 'stop')]),
      work([alarm(5)]),
    ]
    expect(score.score(runs).precisions).toEqual({ alarm: 1 / 4, block: 2 / 3, stop: 1 / 2 })
  })

  it('counts how far sessions were pushed', () => {
    const runs = [
      work([alarm(1)]),
      work([alarm(1), alarm(2, 'block')]),
      work([alarm(1, 'stop')]),
      work([]),
    ]
    expect(score.reached(runs)).toEqual({ sessions: 4, alarmed: 3, blocked: 2, stopped: 1 })
  })
})

describe('false alarms per 1,000 calls', () => {
  it('are sessions, not alarms, and only of work', () => {
    const figures = score.falseAlarms([
      work([1, 2, 3], 40),
      work([4], 60),
      work([], 100),
      loop([1]),
    ])
    expect(figures).toMatchObject({ sessions: 3, alarmed: 2, calls: 200, rate: 10 })
    expect(figures.low).toBeLessThan(10)
    expect(figures.high).toBeGreaterThan(10)
    expect(score.falseAlarms([loop([])])).toMatchObject({ rate: null, low: null, high: null })
  })
})

describe('the Wilson interval', () => {
  // Published values, such as those of R's binom.confint(method = "wilson").
  it.each([
    [8, 10, 0.4902, 0.9433],
    [50, 100, 0.4038, 0.5962],
    [1, 1000, 0.0002, 0.0056],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
  ])('of %i in %i', (seen, total, low, high) => {
    const interval = score.wilson(seen, total)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  it('of nothing is not known', () => {
    expect(score.wilson(0, 0)).toEqual({ low: null, high: null })
  })
})

describe('saved calls', () => {
  it('are those inside a loop and after the first alarm', () => {
    expect(score.score([loop([10])]).saved).toBe(5 / 6)
    expect(score.score([loop([15, 16])]).saved).toBe(0)
    expect(score.score([loop([12]), loop([])]).saved).toBe(3 / 12)
    expect(score.score([loop([10], [SPAN], 12)]).saved).toBe(1 / 2)
  })
})

describe('recall by kind', () => {
  it('goes by stretch, whatever came before', () => {
    const spans = [SPAN, { from: 18, to: 19, kind: 'no_progress' }]
    expect(score.recallByKind([loop([1, 19], spans), loop([11])])).toEqual({
      cycle: { caught: 1, total: 2 },
      no_progress: { caught: 1, total: 1 },
    })
  })
})

describe('quantiles', () => {
  it('lie between the two nearest values', () => {
    expect(score.quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(score.quantile([5], 0.9)).toBe(5)
    expect(score.quantile([], 0.5)).toBe(null)
  })
})
