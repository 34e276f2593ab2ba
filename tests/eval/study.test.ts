/** What a change does to the figures, and how far the figures can be trusted. */

import { describe, expect, it } from 'vitest'
import type { Judged, Label, PolicyFigures } from './harness.js'
import {
  bootstrap,
  breadth,
  change,
  compare,
  leaveOut,
  type Plan,
  type Replayed,
  study,
  tables,
  targets,
  validationOf,
} from './study-harness.js'

const label = (id: string, stuck: boolean): Label => ({
  ...{ id, stuck, borderline: false, reason: 'made up' },
  spans: stuck ? [{ from: 2, to: 9, kind: 'cycle' }] : [],
})

const alarm = (call?: number) => (call === undefined ? [] : [{ call }])

/** Two sources; what each variant says to each run is written down. */
const RUNS: Record<string, { stuck: boolean; base?: number; low?: number; high?: number }> = {
  'here/1': { stuck: true, base: 3, low: 3, high: 3 },
  'here/2': { stuck: true, low: 3 },
  'there/1': { stuck: false, low: 3 },
  'there/2': { stuck: true, base: 3, low: 3 },
}

const replayed: Replayed = {
  labels: new Map(Object.entries(RUNS).map(([id, { stuck }]) => [id, label(id, stuck)])),
  judged: Object.entries(RUNS).map(([id, { base, low, high }]): Judged => {
    const alarms = { base: alarm(base), low: alarm(low), high: alarm(high), same: alarm(base) }
    return { id, source: id.split('/')[0] ?? '', calls: 12, alarms }
  }),
  oracle: new Map(
    Object.keys(RUNS).map((id) => [
      id,
      { id, oracle_strict: id !== 'there/1', oracle_loose: true },
    ]),
  ),
}

const variant = (id: string) => ({ id, name: id, options: { window: id.length } })
const knob = (name: string) => ({ name, value: 5, with: () => ({}) })
const plan: Plan = {
  base: { id: 'base', name: 'base', options: { preset: 'balanced' } },
  ...{ without: [variant('high')], only: [], never: [] },
  neighbours: [
    {
      knob: knob('stale'),
      variants: [
        { ...variant('low'), value: 4 },
        { ...variant('high'), value: 6 },
      ],
    },
    { knob: knob('idle'), variants: [{ ...variant('same'), value: 6 }] },
  ],
}

describe('the studies', () => {
  const thresholds = study.thresholdsOf(plan, replayed)

  it('tell what goes without a detector', () => {
    const { rows } = tables.withoutTable(study.ablationOf(plan, replayed))
    expect(rows.map(({ name }) => name)).toEqual(['(all of it)', 'high'])
    expect(rows[0]?.cells.slice(0, 5)).toEqual(['1.00', '0.67', '0.80', '2', '0'])
    expect(rows[1]?.cells.slice(0, 5)).toEqual(['·', '−0.33', '−0.30', '−1', '·'])
  })

  it('have each number between its neighbours', () => {
    expect(tables.thresholdsTable(thresholds).rows.map(({ name }) => name)).toEqual([
      ...['stale 4', 'stale 5', 'stale 6', 'idle 5', 'idle 6'],
    ])
    expect(thresholds[0]?.rows.map(({ hits, falseAlarms }) => [hits, falseAlarms])).toEqual([
      ...[
        [3, 1],
        [2, 0],
        [1, 0],
      ],
    ])
  })

  it('say which numbers the corpus does not decide, and which neighbours are better', () => {
    expect(study.undecided(thresholds).map(({ name }) => name)).toEqual(['idle'])
    expect(study.betterOnes(thresholds)).toEqual([{ name: 'stale', value: 4 }])
  })
})

describe('a better one', () => {
  const figures = (f1: number, rate: number) => ({ f1, strong: { alarmed: 0, calls: 1, rate } })

  it('has a higher F1, and is no louder than is allowed', () => {
    expect(targets.isBetter(figures(0.9, 0), figures(0.8, 0))).toBe(true)
    expect(targets.isBetter(figures(0.8, 0), figures(0.8, 0))).toBe(false)
    expect(targets.isBetter(figures(0.9, 0.3), figures(0.8, 0.2))).toBe(false)
    expect(targets.isBetter(figures(0.7, 0.2), figures(0.8, 0.3))).toBe(true)
  })
})

describe('with a source left out', () => {
  it('other values are chosen where they are better on the rest', () => {
    const choices = leaveOut.choicesWithoutEach(plan, replayed)
    expect(choices.map(({ source, changes }) => [source, changes.map(({ to }) => to)])).toEqual([
      ...[
        ['here', []],
        ['there', [4]],
      ],
    ])
    expect(choices[1]?.options).toEqual({ preset: 'balanced', window: 3 })
  })

  it('they are tried on that source', async () => {
    const { left } = await validationOf(plan, replayed, async (policies) => {
      expect(policies).toEqual([
        { id: 'chosen without there', options: { preset: 'balanced', window: 3 } },
      ])
      return replayed.judged.map((run) => ({
        ...run,
        alarms: { 'chosen without there': run.alarms.low ?? [] },
      }))
    })
    expect(left[0]?.other).toBe(null)
    expect(left[1]?.own).toMatchObject({ hits: 1, falseAlarms: 0 })
    expect(left[1]?.other).toMatchObject({ hits: 1, falseAlarms: 1 })
  })
})

describe('intervals', () => {
  const outcomes = [
    ...Array.from({ length: 40 }, () => 'hit'),
    ...Array.from({ length: 10 }, () => 'miss'),
    ...Array.from({ length: 20 }, () => 'quiet'),
  ]

  it('hold the figure, are the same each time, and other ones with another seed', () => {
    const { recall, precision } = bootstrap.intervals(outcomes)
    expect(bootstrap.intervals(outcomes).recall).toEqual(recall)
    expect(bootstrap.intervals(outcomes, { seed: 7, draws: 50 }).recall).not.toEqual(recall)
    // Four of five: about 1.96 times the root of 0.8 · 0.2 / 50 on either side.
    expect(recall.low).toBeCloseTo(0.8 - 0.11, 1)
    expect(recall.high).toBeCloseTo(0.8 + 0.11, 1)
    expect(precision).toEqual({ low: 1, high: 1 })
  })

  it('are not known where nothing was found', () => {
    expect(bootstrap.intervals(['quiet']).precision).toEqual({ low: null, high: null })
  })

  it('of rare things are known from tables of Poisson', () => {
    expect(bootstrap.mostExpected(0)).toBeCloseTo(2.996, 3)
    expect(bootstrap.mostExpected(1)).toBeCloseTo(4.744, 3)
    expect(bootstrap.mostExpected(10)).toBeCloseTo(16.962, 3)
  })
})

describe('breadth', () => {
  const rules = (id: string, strict: boolean, loose: boolean) =>
    [id, { id, oracle_strict: strict, oracle_loose: loose }] as const
  const oracle = new Map([
    ...[rules('a', true, true), rules('b', true, true)],
    ...[rules('c', false, true), rules('d', false, false), rules('e', false, false)],
  ])
  const run = (id: string, isAlarmed: boolean, source = 'here') => ({
    ...{ id, source, calls: 9 },
    alarms: alarm(isAlarmed ? 4 : undefined),
  })

  it('is agreement, run by run', () => {
    const runs = [run('a', true), run('b', false), run('c', true), run('d', true), run('e', false)]
    expect(breadth.breadthOf([...runs, run('unknown', true)], oracle)).toEqual({
      ...{ runs: 5, strict: 2, agreed: 1, silent: 1, beyond: 1 },
    })
  })

  it('is told by source', () => {
    const rows = breadth.breadthBySource([run('a', true, 'z'), run('d', true, 'y')], oracle)
    expect(Object.entries(rows).map(([source, { beyond }]) => [source, beyond])).toEqual([
      ...[
        ['y', 1],
        ['z', 0],
      ],
    ])
  })
})

describe('the cost', () => {
  it('is compared turn by turn, after a warm-up', () => {
    let now = 0
    const order: string[] = []
    const job = (name: string, time: number) => () => {
      order.push(name)
      now += time
    }
    const clock = () => now
    const result = compare(job('a', 30), job('b', 10), { rounds: 4, clock })
    expect(result).toEqual({ job: 30, other: 10, ratio: { median: 3, low: 3, high: 3 } })
    expect(order.slice(-8).join('')).toBe('baabbaab')
  })
})

describe('targets', () => {
  const figures = {
    ...{ precision: 0.97, recall: 0.8499, delay: { median: 3, p90: 9 } },
    ...{ strong: { alarmed: 0, calls: 1, rate: 0.21 }, byWords: { precision: null, recall: 0.9 } },
  } as unknown as PolicyFigures

  it('are reached or not by the exact figure, in both readings', () => {
    const checked = targets.checkTargets(figures)
    expect(checked.map(({ met }) => met)).toEqual([true, false, true, false])
    expect(checked.map(({ metByWords }) => metByWords)).toEqual([false, true, null, null])
    expect(checked.map(({ value }) => value)).toEqual(['0.97', '0.85', '3', '0.21'])
  })
})

describe('a change', () => {
  const shown = change((value) => (value === null ? '–' : value.toFixed(2)))

  it('is shown with its sign, and as a dot where no digit changes', () => {
    expect(shown(0.5, 0.25)).toBe('+0.25')
    expect(shown(0.25, 0.5)).toBe('−0.25')
    expect(shown(0.5, 0.504)).toBe('·')
    expect(shown(null, null)).toBe('·')
    expect(shown(0.5, null)).toBe('0.50')
    expect(shown(null, 0.5)).toBe('–')
  })
})
