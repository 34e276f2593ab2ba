/**
 * Follows seeds/000_e86adbddeb19d315.txt (preset `nudge`), its opening, the flowchart of
 * "Detection Mechanism" and "Two-Tier Detection", in the order of its sentences.
 */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  type AgentEvent,
  type CallEvent,
  call,
  distinct,
  repeat,
  result,
  run,
  shell,
  text,
} from '../support/events.js'
import { actions, at, detections, last } from '../support/verdicts.js'

const READ = call('read_file', { path: 'src/auth.py' })
const OTHER = call('read_file', { path: 'src/main.py' })

function nudge(): LoopDetector {
  return new LoopDetector('nudge')
}

/** The same file read again, each time with another optional parameter. */
function variant(encoding: number): CallEvent {
  return call('read_file', { path: 'src/auth.py', encoding })
}

describe('The LoopDetector', () => {
  it('identifies when an agent is stuck calling the same tool with the same arguments', () => {
    const verdict = last(run(nudge(), repeat(3, READ)))
    expect(verdict).toMatchObject({
      action: 'nudge',
      kind: 'exact-repeat',
      tool: 'read_file',
      count: 3,
      period: 1,
      since: 0,
      wasted: 2,
    })
    expect(verdict.pattern).toEqual(['read_file({"path":"src/auth.py"})'])
  })

  it('rather than hard-stopping, injects nudge prompts: nothing ever stops', () => {
    const detector = nudge()
    const events: AgentEvent[] = [
      ...repeat(100, READ),
      ...Array.from({ length: 20 }, () => shell('make', false)).flat(),
      ...Array.from({ length: 20 }, () => shell('npm test', false)).flat(),
      ...repeat(20, text('Summary: nearly there.')),
    ]
    const verdicts = run(detector, events)
    expect(actions(verdicts)).not.toContain('stop')
    expect(verdicts.every((verdict) => verdict.status === 'OK')).toBe(true)
    expect(new Set(verdicts.map((verdict) => verdict.kind))).toEqual(
      new Set([null, 'exact-repeat', 'failure-cascade', 'test-fix', 'summary']),
    )
  })

  it('every prompt guides the agent toward a different strategy', () => {
    for (const verdict of run(nudge(), repeat(6, READ)).slice(2)) {
      expect(verdict.message).toMatch(/Try a (DIFFERENT|completely different) approach/)
    }
  })
})

describe('The detector tracks a sliding window of the last 10 tool calls', () => {
  it('10 by default', () => {
    expect(presets.nudge.window).toBe(10)
  })

  it('which a streak may fill …', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 10, fuzzyThreshold: 10 })
    expect(detections(run(detector, repeat(10, READ)))).toEqual([9])
  })

  it('… and not exceed', () => {
    expect(() => new LoopDetector({ preset: 'nudge', threshold: 11 })).toThrow(RangeError)
  })
})

describe('and flags a doom loop when the same fingerprint appears consecutively', () => {
  it('at the threshold, not below it', () => {
    expect(actions(run(nudge(), repeat(3, READ)))).toEqual(['continue', 'continue', 'nudge'])
  })

  it('and above it, again each time', () => {
    expect(detections(run(nudge(), repeat(15, READ)))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ])
    expect(last(run(nudge(), repeat(15, READ))).count).toBe(15)
  })

  it('consecutively: two and two with another call between are no loop', () => {
    expect(detections(run(nudge(), [READ, READ, OTHER, READ, READ]))).toEqual([])
  })

  it('consecutively: five among the last ten, every other call, are no loop', () => {
    const events = Array.from({ length: 5 }, () => [READ, OTHER]).flat()
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('the count starts anew after another call', () => {
    const verdicts = run(nudge(), [...repeat(5, READ), OTHER, ...repeat(3, READ)])
    expect(actions(verdicts.slice(5))).toEqual(['continue', 'continue', 'continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({ count: 3, level: 'notice', since: 6 })
  })

  it('parallel calls are calls: a batch gives the hardest verdict among them', () => {
    expect(nudge().recordBatch([READ, READ, READ, OTHER])).toMatchObject({
      action: 'nudge',
      kind: 'exact-repeat',
      count: 3,
    })
    expect(nudge().recordBatch([...repeat(7, READ), OTHER, OTHER, OTHER])).toMatchObject({
      action: 'block',
      count: 7,
    })
    expect(nudge().recordBatch([READ, READ, OTHER]).action).toBe('continue')
  })

  it('results between the calls do not break the streak', () => {
    const events = Array.from({ length: 3 }, () => [READ, result(true, 'def login(): …')]).flat()
    expect(detections(run(nudge(), events))).toEqual([4])
  })
})

describe('Exact match >= threshold? Fuzzy match >= fuzzy threshold? Else continue', () => {
  it('exact: doom loop, a prompt is injected', () => {
    expect(last(run(nudge(), repeat(3, READ)))).toMatchObject({
      action: 'nudge',
      kind: 'exact-repeat',
      message: expect.stringContaining('[System]'),
    })
  })

  it('fuzzy: doom loop, a prompt is injected', () => {
    expect(last(run(nudge(), [1, 2, 3, 4].map(variant)))).toMatchObject({
      action: 'nudge',
      kind: 'fuzzy-repeat',
      message: expect.stringContaining('[System]'),
    })
  })

  it('neither: continue, and nothing is said', () => {
    for (const verdict of run(nudge(), distinct(12))) {
      expect(verdict).toEqual({
        action: 'continue',
        level: 'none',
        kind: null,
        status: 'OK',
        tool: null,
        count: 0,
        period: 0,
        pattern: [],
        calls: [],
        since: -1,
        wasted: 0,
        message: null,
        summary: null,
        details: null,
      })
    }
  })
})

describe('Exact | default threshold 3 | same tool name + identical serialized arguments', () => {
  it('3 by default', () => {
    expect(presets.nudge.threshold).toBe(3)
  })

  it('another tool name with the same arguments is another call', () => {
    const events = ['read_file', 'view_file', 'open_file', 'load_file'].map((name) =>
      call(name, { path: 'src/auth.py' }),
    )
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('all arguments count, also those that are not primary', () => {
    expect(detections(run(nudge(), [1, 2, 3].map(variant)))).toEqual([])
    expect(detections(run(nudge(), [1, 1, 1].map(variant)))).toEqual([2])
  })

  it('the order of keys, white space and the way a number is written are not arguments', () => {
    const events = [
      call('search', { query: 'x', depth: 1 }),
      call('search', { depth: 1, query: 'x' }),
      call('search', '{ "query": "\\u0078", "depth": 1.0 }'),
    ]
    expect(last(run(nudge(), events))).toMatchObject({ kind: 'exact-repeat', count: 3 })
  })

  it('no arguments, {} and empty text are the same', () => {
    const events = [call('run_tests'), call('run_tests', {}), call('run_tests', '')]
    expect(last(run(nudge(), events))).toMatchObject({ kind: 'exact-repeat', count: 3 })
  })
})

describe('Fuzzy | default threshold 4 | same structural fingerprint', () => {
  it('4 by default', () => {
    expect(presets.nudge.fuzzyThreshold).toBe(4)
  })

  it('primary keys only, ignoring optional params: 3 are none, 4 are a loop', () => {
    const verdicts = run(nudge(), [1, 2, 3, 4].map(variant))
    expect(actions(verdicts)).toEqual(['continue', 'continue', 'continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({
      kind: 'fuzzy-repeat',
      tool: 'read_file',
      count: 4,
      period: 1,
      since: 0,
      wasted: 3,
    })
  })

  it('consecutively, too', () => {
    const events = [variant(1), variant(2), variant(3), OTHER, variant(4), variant(5), variant(6)]
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('fuzzy = exact + 1 when only exact is set', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 5 })
    expect(detector.state).toMatchObject({ threshold: 5, fuzzyThreshold: 6 })
    expect(detections(run(detector, [1, 2, 3, 4, 5, 6].map(variant)))).toEqual([5])
    const exact = new LoopDetector({ preset: 'nudge', threshold: 5 })
    expect(detections(run(exact, repeat(5, READ)))).toEqual([4])
  })

  it('and keeps its own value when that is set', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 2, fuzzyThreshold: 6 })
    expect(detector.state).toMatchObject({ threshold: 2, fuzzyThreshold: 6 })
    expect(detections(run(detector, [1, 2, 3, 4, 5, 6].map(variant)))).toEqual([5])
    const onlyFuzzy = new LoopDetector({ preset: 'nudge', fuzzyThreshold: 7 })
    expect(onlyFuzzy.state).toMatchObject({ threshold: 3, fuzzyThreshold: 7 })
  })
})

describe('Fuzzy detection only runs if the exact check did not already trigger', () => {
  it('three exact after one variant: exact, with the exact count', () => {
    const verdicts = run(nudge(), [1, 2, 2, 2].map(variant))
    expect(actions(verdicts)).toEqual(['continue', 'continue', 'continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({ kind: 'exact-repeat', count: 3, level: 'notice' })
  })

  it('four exact: exact, though the fuzzy threshold is reached as well', () => {
    expect(last(run(nudge(), repeat(4, READ)))).toMatchObject({ kind: 'exact-repeat', count: 4 })
  })
})

describe('When the fuzzy count exceeds the threshold, it is used in place of the exact count', () => {
  it('the count is that of the fingerprint, though the exact streak is 1', () => {
    const counts = run(nudge(), [1, 2, 3, 4, 5, 6].map(variant)).map((verdict) => verdict.count)
    expect(counts).toEqual([0, 0, 0, 4, 5, 6])
  })

  it('… or 2', () => {
    expect(last(run(nudge(), [1, 2, 3, 4, 4].map(variant)))).toMatchObject({
      kind: 'fuzzy-repeat',
      count: 5,
    })
  })

  it('and the severity follows it: 4–5 warning, 6+ critical', () => {
    const verdicts = run(nudge(), [1, 2, 3, 4, 5, 6, 7].map(variant))
    expect(verdicts.slice(3).map((verdict) => verdict.level)).toEqual([
      'warning',
      'warning',
      'critical',
      'critical',
    ])
  })

  it('with the prompt of that count', () => {
    const verdicts = run(nudge(), [1, 2, 3, 4, 5].map(variant))
    expect(at(verdicts, 4).message).toMatch(/^\[System\] WARNING: You've called read_file 5 times/)
  })

  it('but only identical calls are refused: a variant is never blocked', () => {
    const verdicts = run(
      nudge(),
      Array.from({ length: 12 }, (_, i) => variant(i)),
    )
    expect(actions(verdicts)).not.toContain('block')
    expect(last(verdicts)).toMatchObject({ action: 'nudge', kind: 'fuzzy-repeat', count: 12 })
  })
})
