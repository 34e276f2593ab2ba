/**
 * Follows seeds/001_12db55a645ee1ded.txt (preset `guard`), "Hard iteration cap" and "Hard-cap
 * prompt".
 */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, repeat, run } from '../support/events.js'
import { actions, detections, last, messageOf } from '../support/verdicts.js'

const TURN = { t: 'turn' } as const
const READ = call('Read', '{"path":"src/main.rs"}')

/** How many of the next `tries` turns are allowed before the first that is not. */
function allowed(detector: LoopDetector, tries = 1000): number {
  const refused = detections(run(detector, repeat(tries, TURN)))[0]
  return refused ?? tries
}

describe('Hard iteration cap: absolute ceiling on the main inference loop', () => {
  it('MAX_ITERATIONS_DEFAULT is 200', () => {
    expect(presets.guard.iterationCap).toBe(200)
  })

  it('turn 200 goes through, turn 201 does not', () => {
    const verdicts = run(new LoopDetector('guard'), repeat(201, TURN))
    expect(detections(verdicts)).toEqual([200])
    expect(last(verdicts)).toMatchObject({
      action: 'stop',
      kind: 'iteration-cap',
      count: 200,
      period: 0,
      wasted: 0,
    })
  })

  it('is not a loop: the status stays OK', () => {
    expect(last(run(new LoopDetector('guard'), repeat(201, TURN))).status).toBe('OK')
  })

  it('absolute: it does not matter what the turns did', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 3 })
    const turn = (i: number) => [TURN, call('Edit', `{"i":${i}}`)]
    expect(actions(run(detector, [1, 2, 3, 4].flatMap(turn)))).toEqual([
      'continue',
      'continue',
      'continue',
      'continue',
      'continue',
      'continue',
      'stop',
      'continue',
    ])
  })

  it('a person who speaks, and feedback, do not set it back', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 3 })
    run(detector, [TURN, TURN])
    detector.userMessage()
    detector.clearAfterFeedback()
    expect(allowed(detector)).toBe(1)
  })
})

describe('User can extend interactively', () => {
  it('Stop: stop the inference loop, 0 granted', () => {
    const detector = new LoopDetector('guard')
    expect(allowed(detector)).toBe(200)
    expect(detector.extend('stop')).toBe(0)
    expect(allowed(detector)).toBe(0)
  })

  it('Continue50: continue for 50 more iterations', () => {
    const detector = new LoopDetector('guard')
    expect(allowed(detector, 201)).toBe(200)
    expect(detector.extend('continue_50')).toBe(50)
    expect(allowed(detector)).toBe(50)
  })

  it('Continue200: continue for 200 more iterations', () => {
    const detector = new LoopDetector('guard')
    expect(allowed(detector, 201)).toBe(200)
    expect(detector.extend('continue_200')).toBe(200)
    expect(allowed(detector)).toBe(200)
  })

  it('turns that were refused do not use up what is granted', () => {
    const detector = new LoopDetector('guard')
    run(detector, repeat(230, TURN))
    detector.extend('continue_50')
    expect(allowed(detector)).toBe(50)
  })

  it('again and again, also before the cap is hit, and by any number', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 10 })
    expect(detector.extend(5)).toBe(5)
    expect(allowed(detector, 16)).toBe(15)
    expect(detector.extend('continue_50')).toBe(50)
    expect(detector.extend('continue_50')).toBe(50)
    const verdicts = run(detector, repeat(101, TURN))
    expect(detections(verdicts)).toEqual([100])
    expect(last(verdicts).count).toBe(115)
  })

  it('a reset falls back to the configured cap', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 10 })
    detector.extend('continue_50')
    run(detector, repeat(20, TURN))
    detector.reset()
    expect(allowed(detector)).toBe(10)
  })
})

describe('Sub-agent loops are uncapped', () => {
  it('without a cap, turns go on', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: null })
    expect(allowed(detector, 2000)).toBe(2000)
    expect(detector.extend('continue_200')).toBe(0)
  })

  it('and rely on consecutive-identical detection', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: null })
    const events = Array.from({ length: 5 }, () => [TURN, READ]).flat()
    expect(detections(run(detector, events))).toEqual([9])
  })
})

describe('How many recent tool names to show in the hard-cap prompt', () => {
  it('five: the last five are in it, the sixth is not', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 8 })
    const events = Array.from({ length: 8 }, (_, i) => [TURN, call(`Tool${i}`, '{}')]).flat()
    run(detector, events)
    const message = messageOf(detector.beginTurn())
    for (const name of detector.recentNames()) expect(message).toContain(name)
    expect(message).not.toContain('Tool2')
  })

  it('says how many iterations were allowed', () => {
    const detector = new LoopDetector({ preset: 'guard', iterationCap: 17 })
    expect(messageOf(last(run(detector, repeat(18, TURN))))).toContain('17')
  })
})
