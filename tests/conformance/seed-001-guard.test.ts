/**
 * Follows seeds/001_12db55a645ee1ded.txt (preset `guard`), the comments of its module in their
 * order. Its unit tests are in seed-001-own-tests, the cap and the fingerprint in files of their
 * own.
 */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, distinct, repeat, run, shell, text } from '../support/events.js'
import { actions, at, detections, last } from '../support/verdicts.js'

const READ = call('Read', '{"path":"src/main.rs"}')
const OTHER = call('Read', '{"path":"src/lib.rs"}')

function guard(): LoopDetector {
  return new LoopDetector('guard')
}

describe('Design philosophy', () => {
  it('detect consecutive identical tool calls (same name + args), then inject feedback', () => {
    expect(last(run(guard(), repeat(5, READ)))).toMatchObject({
      action: 'nudge',
      level: 'warning',
      kind: 'exact-repeat',
      status: 'OK',
      tool: 'Read',
      count: 5,
      period: 1,
      since: 0,
      wasted: 4,
    })
  })

  it('hard-stop only on the 2nd detection (model ignored the feedback)', () => {
    const detector = guard()
    expect(last(run(detector, repeat(5, READ))).action).toBe('nudge')
    detector.clearAfterFeedback()
    expect(last(run(detector, repeat(5, READ)))).toMatchObject({
      action: 'stop',
      level: 'critical',
      kind: 'exact-repeat',
      status: 'LOOP_DETECTED',
      count: 5,
    })
  })
})

describe("What we DON'T do", () => {
  it('simple consecutive-identical-call detection: failures and text-only turns are not looked at', () => {
    const failures = ['make', 'gcc a.c', 'gcc b.c', 'npm test', 'npx jest', 'pytest'].flatMap(
      (command) => shell(command, false, 'error'),
    )
    expect(detections(run(guard(), [...failures, ...repeat(5, text('Summary.'))]))).toEqual([])
  })

  it('no windowed fingerprint tracking: ten of the last twenty are no loop', () => {
    const events = Array.from({ length: 10 }, () => [READ, OTHER]).flat()
    expect(detections(run(guard(), events))).toEqual([])
  })

  it('no windowed fingerprint tracking: four, another, four are no loop', () => {
    expect(detections(run(guard(), [...repeat(4, READ), OTHER, ...repeat(4, READ)]))).toEqual([])
  })

  it('no tool-name saturation: editing 12 files in a refactoring is normal', () => {
    const events = Array.from({ length: 12 }, (_, i) =>
      call('Edit', `{"path":"src/file${i}.rs","old":"a","new":"b"}`),
    )
    expect(detections(run(guard(), events))).toEqual([])
  })

  it('no tool-only response suppression: a hundred calls without a word are fine', () => {
    expect(detections(run(guard(), distinct(100)))).toEqual([])
  })

  it('no per-turn tool call cap: 40 parallel calls are fine, and all are recorded', () => {
    const detector = guard()
    expect(detector.recordBatch(distinct(40)).action).toBe('continue')
    const verdict = last(run(detector, repeat(5, READ)))
    expect(verdict.since).toBe(40)
  })

  it('no deduplication: 66 identical calls in one batch are counted 66', () => {
    const detector = guard()
    const verdict = detector.recordBatch(repeat(66, READ))
    expect(verdict).toMatchObject({ action: 'nudge', count: 66, wasted: 65 })
    expect(verdict.message).toBe("'Read' called 66 times consecutively with identical arguments")
    expect(detector.state.consecutiveCount).toBe(66)
  })
})

describe('What we DO: same (tool, args) CONSECUTIVE_REPEAT_THRESHOLD times → inject feedback', () => {
  it('the threshold is 5: not at four, at five', () => {
    expect(presets.guard.threshold).toBe(5)
    expect(actions(run(guard(), repeat(5, READ)))).toEqual([
      'continue',
      'continue',
      'continue',
      'continue',
      'nudge',
    ])
  })

  it('and can be set', () => {
    const detector = new LoopDetector({ preset: 'guard', threshold: 3 })
    expect(detections(run(detector, repeat(3, READ)))).toEqual([2])
  })

  it('the tool is part of it', () => {
    const events = [...repeat(4, READ), call('View', '{"path":"src/main.rs"}')]
    expect(detections(run(guard(), events))).toEqual([])
  })

  it('the args are part of it', () => {
    expect(detections(run(guard(), [...repeat(4, READ), OTHER]))).toEqual([])
  })

  it('"consecutive" means with no other tool call in between', () => {
    const verdicts = run(guard(), [...repeat(4, READ), OTHER, ...repeat(5, READ)])
    expect(detections(verdicts)).toEqual([9])
    expect(last(verdicts)).toMatchObject({ count: 5, since: 5 })
  })

  it('a normal "read → edit → test" cycle never triggers this, not even without changes', () => {
    const cycle = [READ, call('Edit', '{"path":"a"}'), call('Bash', '{"command":"cargo test"}')]
    expect(detections(run(guard(), repeat(40, cycle).flat()))).toEqual([])
  })
})

describe('LoopAction', () => {
  it('Ok: no loop detected — continue normally', () => {
    expect(guard().record('Read', '{}')).toMatchObject({
      action: 'continue',
      level: 'none',
      kind: null,
      status: 'OK',
      message: null,
    })
  })

  it('InjectFeedback contains a descriptive message, to the letter', () => {
    expect(last(run(guard(), repeat(5, READ))).message).toBe(
      "'Read' called 5 times consecutively with identical arguments",
    )
  })

  it('HardStop contains it as well', () => {
    const detector = guard()
    detector.clearAfterFeedback()
    expect(last(run(detector, repeat(5, READ)))).toMatchObject({
      action: 'stop',
      message: "'Read' called 5 times consecutively with identical arguments",
    })
  })

  it('the message carries the running count, as long as the host does not clear', () => {
    const verdicts = run(guard(), repeat(8, READ)).slice(4)
    expect(actions(verdicts)).toEqual(['nudge', 'nudge', 'nudge', 'nudge'])
    expect(verdicts.map((verdict) => verdict.message)).toEqual(
      [5, 6, 7, 8].map((n) => `'Read' called ${n} times consecutively with identical arguments`),
    )
  })
})

describe('new: create a new loop detector with empty history', () => {
  it('nothing detected, nothing recent, nothing counted', () => {
    const detector = guard()
    expect(detector.verdict.action).toBe('continue')
    expect(detector.isStuck()).toBe(false)
    expect(detector.recentNames()).toEqual([])
    expect(detector.state).toMatchObject({ lastTool: null, consecutiveCount: 0, threshold: 5 })
  })
})

describe('record: record a batch of tool calls and check for loops', () => {
  it('all calls of a batch are counted', () => {
    expect(guard().recordBatch(repeat(4, READ)).action).toBe('continue')
    expect(guard().recordBatch(repeat(5, READ))).toMatchObject({ action: 'nudge', count: 5 })
  })

  it('across batches', () => {
    const detector = guard()
    expect(detector.recordBatch(repeat(3, READ)).action).toBe('continue')
    expect(detector.recordBatch(repeat(2, READ))).toMatchObject({ action: 'nudge', count: 5 })
  })

  it('and judged once, at its end: a streak that ended inside the batch is none', () => {
    expect(guard().recordBatch([...repeat(9, READ), OTHER]).action).toBe('continue')
  })

  it('at its end: a streak that began inside the batch is one', () => {
    const verdict = guard().recordBatch([OTHER, OTHER, ...repeat(5, READ)])
    expect(verdict).toMatchObject({ action: 'nudge', count: 5, since: 2 })
  })

  it('a single call is a batch of one', () => {
    const detector = guard()
    const verdicts = repeat(5, READ).map((event) => detector.recordBatch([event]))
    expect(detections(verdicts)).toEqual([4])
  })

  it('an empty batch records nothing', () => {
    const detector = guard()
    run(detector, repeat(4, READ))
    expect(detector.recordBatch([]).action).toBe('continue')
    expect(detections(run(detector, [READ]))).toEqual([0])
  })
})

describe('clear_after_feedback', () => {
  it('clears the detection state so the model gets a fresh chance', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    expect(detector.verdict.action).toBe('continue')
    expect(detector.isStuck()).toBe(false)
    expect(detector.state.consecutiveCount).toBe(0)
    const verdicts = run(detector, repeat(5, READ))
    expect(detections(verdicts)).toEqual([4])
    expect(last(verdicts)).toMatchObject({ count: 5, since: 5 })
  })

  it('a model that uses its chance is not stopped', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    expect(detections(run(detector, distinct(50)))).toEqual([])
  })

  it('the next trigger will be a hard stop, whichever call it is', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    expect(last(run(detector, repeat(5, OTHER))).action).toBe('stop')
  })

  it('and so will all after it, also when cleared again', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    expect(actions(run(detector, repeat(7, READ)).slice(4))).toEqual(['stop', 'stop', 'stop'])
    detector.clearAfterFeedback()
    expect(last(run(detector, repeat(5, OTHER))).action).toBe('stop')
  })

  it('detections are counted per session: a person who speaks does not forgive them', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    detector.userMessage()
    expect(last(run(detector, repeat(5, READ))).action).toBe('stop')
  })

  it('a reset does', () => {
    const detector = guard()
    run(detector, repeat(5, READ))
    detector.clearAfterFeedback()
    detector.reset()
    expect(last(run(detector, repeat(5, READ))).action).toBe('nudge')
  })

  it('the recent names stay', () => {
    const detector = guard()
    run(detector, [READ, call('Edit', '{}')])
    detector.clearAfterFeedback()
    expect(detector.recentNames()).toEqual(['Read', 'Edit'])
  })
})

describe('recent_names: recent tool names (most recent last)', () => {
  it('DISPLAY_RECENT is 5', () => {
    const detector = guard()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const seen = names.map((name) => {
      detector.record(name, '{}')
      return detector.recentNames().join('')
    })
    expect(seen).toEqual(['a', 'ab', 'abc', 'abcd', 'abcde', 'bcdef'])
  })

  it('names repeat as the calls did, and a batch adds each of its calls', () => {
    const detector = guard()
    detector.recordBatch([call('a'), call('b'), call('b')])
    expect(detector.recentNames()).toEqual(['a', 'b', 'b'])
  })
})

describe('check', () => {
  it('is_stuck as soon as the threshold is reached, until another call comes', () => {
    const detector = guard()
    const seen = [...repeat(6, READ), OTHER].map((event) => {
      run(detector, [event])
      return detector.isStuck()
    })
    expect(seen).toEqual([false, false, false, false, true, true, false])
  })

  it('another call after a detection goes on normally', () => {
    const verdicts = run(guard(), [...repeat(6, READ), OTHER])
    expect(at(verdicts, 6).action).toBe('continue')
  })
})

describe('to the letter', () => {
  it('compares blank, absent and empty arguments as they are given; absent ones are {}', () => {
    const counts = (...args: readonly (string | undefined)[]) => {
      const host = new LoopDetector('guard')
      for (const one of args) host.record('Read', one)
      const { consecutiveCount } = host.state
      host.free()
      return consecutiveCount
    }
    expect(counts(undefined, '{}', undefined)).toBe(3)
    expect(counts('', '{}')).toBe(1)
    expect(counts('  ', '')).toBe(1)
    expect(counts('{ }', '{}')).toBe(1)
    expect(counts('', '')).toBe(2)
  })

  it('judges an empty batch, too: check() looks at the streak as it stands', () => {
    const host = new LoopDetector('guard')
    expect(host.recordBatch([]).action).toBe('continue')
    for (let i = 0; i < 5; i++) host.record('Read', { path: 'a' })
    expect(host.recordBatch([])).toMatchObject({ action: 'nudge', count: 5, tool: 'Read' })
    host.clearAfterFeedback()
    expect(host.recordBatch([]).action).toBe('continue')
    host.free()
  })

  it('extends by the names that serde gives the variants, and by snake case', () => {
    const host = new LoopDetector('guard')
    const granted = (
      ['stop', 'continue50', 'continue200', 'continue_50', 'continue_200'] as const
    ).map((by) => host.extend(by))
    expect(granted).toEqual([0, 50, 200, 50, 200])
    host.free()
  })
})
