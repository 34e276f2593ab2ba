/** A run counts as the corpus' README says. */

import { describe, expect, it } from 'vitest'
import { type Label, type Run, score } from './harness.js'

const SPAN = { from: 10, to: 15, kind: 'cycle' }

function run(alarms: number[], label: Partial<Label> = {}, calls = 20): Run {
  const stuck = label.stuck ?? true
  const spans = label.spans ?? (stuck ? [SPAN] : [])
  return {
    label: { id: 'x', borderline: false, reason: '', ...label, stuck, spans },
    calls,
    alarms: alarms.map((call) => ({ call })),
  }
}

const sound = (alarms: number[], calls = 20) => run(alarms, { stuck: false }, calls)

describe('one stuck run', () => {
  it.each([
    ['alarmed at its first repeat', [10], 'hit', 0],
    ['alarmed inside', [13], 'hit', 3],
    ['alarmed at its last call', [15], 'hit', 5],
    ['alarmed one call after', [16], 'hit', 6],
    ['alarmed two calls after', [17], 'miss', undefined],
    ['never alarmed', [], 'miss', undefined],
    ['alarmed one call before', [9], 'false alarm', undefined],
  ])('%s', (_, alarms, outcome, delay) => {
    expect(score.outcomeOf(run(alarms)).outcome).toBe(outcome)
    expect(score.outcomeOf(run(alarms)).delay).toBe(delay)
    expect(score.outcomeByWords(run(alarms)).outcome).toBe(outcome)
  })

  it('alarmed before and inside: false by the baselines, a hit by the words', () => {
    expect(score.outcomeOf(run([9, 12])).outcome).toBe('false alarm')
    expect(score.outcomeByWords(run([9, 12]))).toMatchObject({ outcome: 'hit', delay: 2 })
  })

  it('alarmed between two loops, or in the second only', () => {
    const spans = [SPAN, { from: 18, to: 19, kind: 'no_progress' }]
    expect(score.outcomeOf(run([17], { spans })).outcome).toBe('miss')
    expect(score.outcomeOf(run([17, 19], { spans }))).toMatchObject({ outcome: 'hit', delay: 1 })
  })
})

describe('one run that is not stuck', () => {
  it('is quiet, or has a false alarm', () => {
    expect(score.outcomeOf(sound([])).outcome).toBe('quiet')
    expect(score.outcomeOf(sound([3])).outcome).toBe('false alarm')
    expect(score.outcomeByWords(sound([3])).outcome).toBe('false alarm')
  })
})

describe('many runs', () => {
  it('are counted by trajectory', () => {
    const runs = [run([10]), run([12, 13, 14]), run([]), run([9, 12]), sound([1, 2, 3]), sound([])]
    expect(score.score(runs)).toMatchObject({
      ...{ hits: 2, misses: 1, falseAlarms: 2, early: 1, quiet: 1 },
      precision: 0.5,
      recall: 2 / 3,
      f1: 4 / 7,
      delay: { median: 1, p90: 1.8 },
    })
    expect(score.scoreByWords(runs)).toEqual({ precision: 3 / 4, recall: 3 / 4, f1: 3 / 4 })
  })

  it('count an early alarm against recall by the words', () => {
    expect(score.score([run([10]), run([9])]).recall).toBe(1)
    expect(score.scoreByWords([run([10]), run([9])]).recall).toBe(1 / 2)
  })

  it('leave out borderlines and what is not labelled', () => {
    const others = [run([], { borderline: true }), { calls: 9, alarms: [{ call: 1 }] }]
    expect(score.score([run([10]), ...others])).toEqual(score.score([run([10])]))
    expect(score.recallByKind(others)).toEqual({})
  })

  it('have no rates where there is nothing to count', () => {
    expect(score.score([sound([])])).toMatchObject({
      ...{ precision: null, recall: null, f1: null, saved: null },
      delay: { median: null, p90: null },
    })
    expect(score.score([run([])])).toMatchObject({ precision: null, recall: 0, f1: null })
  })
})

describe('saved calls', () => {
  it('are those inside a loop and after the first alarm', () => {
    expect(score.score([run([10])]).saved).toBe(5 / 6)
    expect(score.score([run([15, 16])]).saved).toBe(0)
    expect(score.score([run([12]), run([])]).saved).toBe(3 / 12)
  })

  it('are not counted beyond the end of the run', () => {
    expect(score.score([run([10], {}, 12)]).saved).toBe(1 / 2)
  })
})

describe('false alarms for each 1,000 calls', () => {
  it('are runs, not alarms, and only of runs that are not labelled stuck', () => {
    const unlabelled = { calls: 60, alarms: [{ call: 4 }] }
    expect(score.falseAlarmRate([sound([1, 2, 3], 40), unlabelled, run([1])])).toEqual({
      alarmed: 2,
      calls: 100,
      rate: 20,
    })
    expect(score.falseAlarmRate([run([])]).rate).toBe(null)
  })
})

describe('recall by kind', () => {
  it('goes by stretch, whatever came before', () => {
    const spans = [SPAN, { from: 18, to: 19, kind: 'no_progress' }]
    expect(score.recallByKind([run([1, 19], { spans }), run([11])])).toEqual({
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
