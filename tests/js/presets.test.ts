/** presets: full values, as data. */

import { LoopDetector, type PresetName, presets } from 'loophound'
import { describe, expect, it } from 'vitest'

const NAMES: PresetName[] = ['balanced', 'nudge', 'guard', 'cycles', 'window']

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen)
}

describe('presets', () => {
  it('are these five', () => {
    expect(Object.keys(presets)).toEqual(NAMES)
    expect(Object.isFrozen(presets)).toBe(true)
    expect(Object.entries(presets).map(([name]) => name)).toEqual(NAMES)
  })

  it('have the values of their reference implementations', () => {
    expect(presets.nudge).toMatchObject({ threshold: 3, fuzzyThreshold: 4, window: 10 })
    expect(presets.guard).toMatchObject({
      threshold: 5,
      iterationCap: 200,
      identity: 'raw',
      rawLength: 200,
      batch: 'end',
    })
    expect(presets.cycles).toMatchObject({ maxPeriod: 3, window: 20 })
    expect(presets.window).toMatchObject({ threshold: 3, window: 20 })
  })

  for (const name of NAMES) {
    it(`${name} is frozen, the same each time, and plain data`, () => {
      const options = presets[name]
      expect(presets[name]).toBe(options)
      expect(isDeeplyFrozen(options)).toBe(true)
      expect(JSON.parse(JSON.stringify(options))).toEqual(options)
    })

    it(`${name} can be given back as options`, () => {
      const events = ['a', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'a', 'a', 'a', 'a', 'a', 'a']
      const byName = new LoopDetector(name)
      const byValue = new LoopDetector(presets[name])
      const changed = new LoopDetector({ ...presets[name], preset: 'window' })
      for (const event of events) {
        expect(byValue.record(event)).toEqual(byName.record(event))
        changed.record(event)
      }
      expect(changed.state).toMatchObject({ threshold: byName.state.threshold })
      for (const detector of [byName, byValue, changed]) detector.free()
    })
  }
})
