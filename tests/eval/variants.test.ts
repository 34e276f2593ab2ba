/** What is varied is derived from the preset, whatever it holds. */

import { LoopDetector, type LoopDetectorOptions, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { variants } from './study-harness.js'

const { balanced } = presets

/** A preset as it could be: one rule at the top, others with numbers of their own. */
const MADE_UP = {
  ...{ preset: 'balanced', threshold: 3, window: 40, maxPeriod: 20 },
  patience: { poll: 10, likeness: 60 },
  detectors: {
    'exact-repeat': false,
    'no-progress': { climb: 'occurrence', cooldown: 1 },
    chant: { climb: 'count', threshold: 5, length: 50 },
  },
}

const isAllowed = (options: LoopDetectorOptions) => {
  try {
    new LoopDetector(options).free()
    return true
  } catch {
    return false
  }
}

describe('detectors', () => {
  it('are switched off, and left alone, one by one', () => {
    expect(variants.detectorsOf(MADE_UP)).toEqual(['no-progress', 'chant'])
    expect(variants.withoutEach(MADE_UP).map(({ options }) => options)).toEqual([
      { preset: 'balanced', detectors: { 'no-progress': false } },
      { preset: 'balanced', detectors: { chant: false } },
    ])
    expect(variants.onlyEach(MADE_UP)[0]?.options).toEqual({
      preset: 'balanced',
      detectors: { chant: false },
    })
  })

  it('of balanced are all among them', () => {
    const { detectors = {} } = balanced
    const on = Object.entries(detectors).filter(([, rule]) => rule !== false)
    expect(variants.withoutEach(balanced).map(({ name }) => name)).toEqual(on.map(([kind]) => kind))
  })
})

describe('numbers', () => {
  const named = (values: Readonly<Record<string, unknown>>) =>
    variants.knobsOf(values).map(({ name, value }) => `${name} ${value}`)

  it('are thresholds, fields of detectors, patience and sizes', () => {
    expect(named(MADE_UP)).toEqual([
      ...['no-progress threshold 3', 'chant threshold 5', 'chant length 50'],
      ...['patience.poll 10', 'patience.likeness 60', 'window 40', 'maxPeriod 20', 'cooldown 1'],
    ])
  })

  it('have neighbours in steps that suit them', () => {
    const all = variants.neighboursOf(MADE_UP, () => true)
    const steps = all.map(({ knob, variants: near }) => [knob.name, near.map(({ value }) => value)])
    expect(Object.fromEntries(steps)).toMatchObject({
      'no-progress threshold': [1, 2, 4, 5],
      'patience.poll': [6, 8, 12, 14],
      'patience.likeness': [40, 50, 70, 80],
      window: [20, 30, 60, 80],
      cooldown: [0, 2, 3],
    })
  })

  it('that the engine refuses are left out, and there is none it would refuse', () => {
    const all = variants.neighboursOf(balanced, isAllowed)
    const refused = variants.neighboursOf(balanced, () => true).flatMap((knob) => knob.variants)
    expect(refused.some(({ options }) => !isAllowed(options))).toBe(true)
    for (const { knob, variants: near } of all) {
      expect([knob.name, near.length]).not.toEqual([knob.name, 0])
      for (const { options } of near) expect(isAllowed(options)).toBe(true)
    }
  })

  it('of patience can be without end', () => {
    const never = variants.withoutPatience(MADE_UP)
    expect(never).toEqual([
      {
        ...{ id: 'patience.poll never', name: 'patience.poll' },
        options: { preset: 'balanced', patience: { poll: 1_000_000 } },
      },
    ])
    for (const { options } of variants.withoutPatience(balanced)) new LoopDetector(options).free()
  })
})

describe('several changes', () => {
  it('are made at once', () => {
    const changes = [
      { preset: 'balanced', detectors: { cycle: { threshold: 4 } } },
      { preset: 'balanced', detectors: { cycle: { cooldown: 0 }, variant: { threshold: 5 } } },
      { preset: 'balanced', patience: { poll: 8 } },
      { preset: 'balanced', patience: { stale: 4 }, window: 60 },
    ]
    expect(variants.combine('balanced', changes)).toEqual({
      ...{ preset: 'balanced', window: 60 },
      patience: { poll: 8, stale: 4 },
      detectors: { cycle: { threshold: 4, cooldown: 0 }, variant: { threshold: 5 } },
    })
  })
})
