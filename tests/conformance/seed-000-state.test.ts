/**
 * Follows seeds/000_e86adbddeb19d315.txt (preset `nudge`), "LoopDetectionState", field by field.
 */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, repeat, run, text } from '../support/events.js'
import { actions, detections, last } from '../support/verdicts.js'

const READ = call('read_file', { path: 'src/auth.py' })
const OTHER = call('grep', { pattern: 'login' })

const FRESH = {
  doomLoopDetected: false,
  lastTool: null,
  consecutiveCount: 0,
  threshold: 3,
  fuzzyThreshold: 4,
  lastWarningTime: 0,
}

function nudge(): LoopDetector {
  return new LoopDetector('nudge')
}

describe('The internal state tracked by the detector', () => {
  it('has these six fields, and starts like this', () => {
    expect(nudge().state).toEqual(FRESH)
  })

  it('doomLoopDetected: false below the threshold, true from it on, false after another call', () => {
    const detector = nudge()
    const seen = [READ, READ, READ, READ, OTHER].map((event) => {
      run(detector, [event])
      return detector.state.doomLoopDetected
    })
    expect(seen).toEqual([false, false, true, true, false])
  })

  it('doomLoopDetected: also for a fuzzy loop', () => {
    const detector = nudge()
    run(
      detector,
      [1, 2, 3, 4].map((i) => call('read_file', { path: 'a', i })),
    )
    expect(detector.state.doomLoopDetected).toBe(true)
  })

  it('lastTool: the name of the last tool called', () => {
    const detector = nudge()
    run(detector, [READ])
    expect(detector.state.lastTool).toBe('read_file')
    run(detector, [OTHER])
    expect(detector.state.lastTool).toBe('grep')
  })

  it('consecutiveCount: how often in a row the last call was made', () => {
    const detector = nudge()
    const seen = [READ, READ, READ, OTHER, OTHER, READ].map((event) => {
      run(detector, [event])
      return detector.state.consecutiveCount
    })
    expect(seen).toEqual([1, 2, 3, 1, 2, 1])
  })

  it('consecutiveCount: the fuzzy count is used in its place once that has triggered', () => {
    const detector = nudge()
    run(
      detector,
      [1, 2, 3, 4, 5].map((i) => call('read_file', { path: 'a', i })),
    )
    expect(detector.state.consecutiveCount).toBe(5)
  })

  it('threshold (default: 3) and fuzzyThreshold (default: 4)', () => {
    expect(nudge().state).toMatchObject({ threshold: 3, fuzzyThreshold: 4 })
    const tuned = new LoopDetector({ preset: 'nudge', threshold: 4, fuzzyThreshold: 7 })
    expect(tuned.state).toMatchObject({ threshold: 4, fuzzyThreshold: 7 })
  })

  it('lastWarningTime: when the last warning was given, 0 before there was one', () => {
    const detector = nudge()
    run(detector, [READ, READ])
    expect(detector.state.lastWarningTime).toBe(0)
    const before = Date.now()
    run(detector, [READ])
    const { lastWarningTime } = detector.state
    expect(lastWarningTime).toBeGreaterThanOrEqual(before)
    expect(lastWarningTime).toBeLessThanOrEqual(Date.now())
    run(detector, [OTHER])
    expect(detector.state.lastWarningTime).toBe(lastWarningTime)
  })
})

describe('The state can be reset via reset() while preserving tuning thresholds', () => {
  it('the state is as at the start', () => {
    const detector = nudge()
    run(detector, repeat(7, READ))
    detector.reset()
    expect(detector.state).toEqual(FRESH)
    expect(detector.verdict.action).toBe('continue')
    expect(detector.isStuck()).toBe(false)
    expect(detector.recentNames()).toEqual([])
  })

  it('counting starts anew, and so does the call index', () => {
    const detector = nudge()
    run(detector, repeat(2, READ))
    detector.reset()
    const verdicts = run(detector, repeat(3, READ))
    expect(actions(verdicts)).toEqual(['continue', 'continue', 'nudge'])
    expect(last(verdicts).since).toBe(0)
  })

  it('text-only turns are forgotten, too', () => {
    const detector = nudge()
    run(detector, [text('One.')])
    detector.reset()
    expect(detections(run(detector, [text('Two.')]))).toEqual([])
  })

  it('preserving tuning thresholds', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 5, fuzzyThreshold: 8 })
    run(detector, repeat(6, READ))
    detector.reset()
    expect(detector.state).toEqual({ ...FRESH, threshold: 5, fuzzyThreshold: 8 })
    expect(detections(run(detector, repeat(5, READ)))).toEqual([4])
  })
})
