/** `detector.state` under every preset: what it counts, and when the time of the last warning moves. */

import { LoopDetector, type PresetName } from 'loophound'
import { afterEach, describe, expect, it, vi } from 'vitest'

const PRESETS: readonly PresetName[] = ['balanced', 'nudge', 'guard', 'cycles', 'window']

afterEach(() => {
  vi.useRealTimers()
})

describe('consecutiveCount', () => {
  it.each(PRESETS)('counts equal calls in a row in %s', (preset) => {
    const detector = new LoopDetector(preset)
    const seen = ['a', 'a', 'b', 'a', 'a', 'a'].map((path) => {
      detector.record('read_file', { path })
      return detector.state.consecutiveCount
    })
    expect(seen).toEqual([1, 2, 1, 1, 2, 3])
    detector.userMessage()
    expect(detector.state.consecutiveCount).toBe(0)
  })

  it('survives a snapshot', () => {
    const detector = new LoopDetector('window')
    detector.record('read_file', { path: 'a' })
    detector.record('read_file', { path: 'a' })
    const restored = new LoopDetector('window')
    restored.restoreFrom(JSON.parse(JSON.stringify(detector)))
    restored.record('read_file', { path: 'a' })
    expect(restored.state.consecutiveCount).toBe(3)
  })
})

describe('lastWarningTime', () => {
  it('does not move while a cooldown keeps silent', () => {
    vi.useFakeTimers()
    const detector = new LoopDetector({
      preset: 'balanced',
      detectors: { 'no-progress': { cooldown: 5 } },
    })
    const warned: number[] = []
    for (let time = 1; time <= 20; time++) {
      vi.setSystemTime(time * 1000)
      const before = detector.state.lastWarningTime
      const said = [
        detector.record('read_file', { path: 'a' }),
        detector.recordResult({ ok: true, output: 'the same text' }),
      ].some(({ action }) => action !== 'continue')
      if (said) warned.push(time)
      expect(detector.state.lastWarningTime).toBe(said ? time * 1000 : before)
    }
    // It spoke more than once, and was silent in between.
    expect(warned.length).toBeGreaterThan(1)
    expect(warned.length).toBeLessThan(8)
  })
})
