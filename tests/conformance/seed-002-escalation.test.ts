/**
 * Follows seeds/002_4b562f90bc64e611.txt (preset `cycles`), "Warning Injection" and "Escalation",
 * in the order of its sentences.
 */

import { LoopDetector, type Verdict } from 'loophound'
import { describe, expect, it } from 'vitest'
import { type CallEvent, call, distinct, repeat, run } from '../support/events.js'
import { actions, detections, last, messageOf } from '../support/verdicts.js'

const A = call('read_file', { path: 'src/auth.py' })
const B = call('edit_file', { path: 'src/auth.py' })
const C = call('run_tests')
const D = call('grep', { pattern: 'login' })

const LABELS = new Map<CallEvent, string>([
  [A, 'read_file({"path":"src/auth.py"})'],
  [B, 'edit_file({"path":"src/auth.py"})'],
  [C, 'run_tests()'],
])

function cycles(): LoopDetector {
  return new LoopDetector('cycles')
}

function verdictsOn(...events: CallEvent[]): Verdict[] {
  return run(cycles(), events)
}

/** Action and level at the detections, in order. */
function rungs(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter((v) => v.action !== 'continue').map((v) => `${v.action} ${v.level}`)
}

/** The lines of a warning that say what to do instead. */
function suggestions(verdict: Verdict): string[] {
  return messageOf(verdict)
    .split('\n')
    .filter((line) => line.startsWith('- '))
}

/** The warning the seed prints, for this cycle. */
function warning(count: number, ...cycle: CallEvent[]): string {
  return [
    '⚠️ Loop detected: You appear to be repeating the same sequence of tool calls',
    `without making progress. The following pattern has repeated ${count} times:`,
    ...cycle.map((event, i) => `  ${i + 1}. ${LABELS.get(event)}`),
    '',
    'Please try a different approach. Consider:',
    '- Re-reading error messages more carefully',
    '- Trying an alternative solution strategy',
    '- Breaking the problem into smaller steps',
  ].join('\n')
}

describe('When a loop is detected, a warning message is injected: to the letter', () => {
  it('for a cycle of two', () => {
    expect(last(verdictsOn(B, C, B, C)).message).toBe(warning(2, B, C))
  })

  it('for a cycle of one', () => {
    expect(last(verdictsOn(A, A)).message).toBe(warning(2, A))
  })

  it('for a cycle of three', () => {
    expect(last(verdictsOn(A, B, C, A, B, C)).message).toBe(warning(2, A, B, C))
  })

  it('so that the model sees it on the next turn: it is the latest verdict until then', () => {
    const detector = cycles()
    run(detector, [A, A])
    expect(detector.verdict.message).toBe(warning(2, A))
    run(detector, [B])
    expect(detector.verdict.message).toBeNull()
  })
})

describe('First detection: inject warning message', () => {
  it('a nudge of the lowest level', () => {
    expect(last(verdictsOn(A, A))).toMatchObject({
      action: 'nudge',
      level: 'notice',
      status: 'OK',
      count: 2,
    })
  })
})

describe('Second detection (same pattern): inject stronger warning + specific alternatives', () => {
  it('a nudge of the next level', () => {
    expect(last(verdictsOn(A, A, A))).toMatchObject({
      action: 'nudge',
      level: 'warning',
      status: 'OK',
      count: 3,
    })
  })

  it('stronger: another text, which still shows the pattern and how often it repeated', () => {
    const message = messageOf(last(verdictsOn(B, C, B, C, B, C)))
    expect(message).not.toBe(warning(3, B, C))
    expect(message).toContain('edit_file({"path":"src/auth.py"})')
    expect(message).toContain('run_tests()')
    expect(message).toMatch(/\b3\b/)
  })

  it('suggests alternatives that the first warning did not, for each call of the cycle', () => {
    const first = suggestions(last(verdictsOn(B, C, B, C)))
    const second = suggestions(last(verdictsOn(B, C, B, C, B, C)))
    expect(second.filter((line) => !first.includes(line)).length).toBeGreaterThanOrEqual(2)
  })

  it('specific ones: what to do instead of reading is not what to do instead of testing', () => {
    const reading = suggestions(last(verdictsOn(A, A, A)))
    const testing = suggestions(last(verdictsOn(C, C, C)))
    expect(reading).not.toEqual([])
    expect(testing).not.toEqual([])
    expect(testing).not.toEqual(reading)
  })
})

describe('Third detection: force stop the session with LOOP_DETECTED status', () => {
  it('stop, critical, LOOP_DETECTED', () => {
    expect(last(verdictsOn(A, A, A, A))).toMatchObject({
      action: 'stop',
      level: 'critical',
      kind: 'cycle',
      status: 'LOOP_DETECTED',
      count: 4,
    })
  })

  it('with a text that says why', () => {
    expect(messageOf(last(verdictsOn(A, A, A, A)))).toContain('read_file')
  })

  it('LOOP_DETECTED at the stop only', () => {
    expect(verdictsOn(A, A, A, A).map((verdict) => verdict.status)).toEqual([
      'OK',
      'OK',
      'OK',
      'LOOP_DETECTED',
    ])
  })

  it('a session that goes on all the same is stopped again', () => {
    expect(actions(verdictsOn(...repeat(6, A)).slice(3))).toEqual(['stop', 'stop', 'stop'])
  })
})

describe('If the loop continues: each further full pass of the same pattern is the next', () => {
  it('a cycle of one: at calls 2, 3 and 4', () => {
    const verdicts = verdictsOn(A, A, A, A)
    expect(detections(verdicts)).toEqual([1, 2, 3])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'stop critical'])
  })

  it('a cycle of two: at calls 4, 6 and 8, not between', () => {
    const verdicts = verdictsOn(...repeat(4, [B, C]).flat())
    expect(detections(verdicts)).toEqual([3, 5, 7])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'stop critical'])
    expect(last(verdicts)).toMatchObject({ count: 4, period: 2, since: 0, wasted: 6 })
  })

  it('a cycle of three: at calls 6, 9 and 12, not between', () => {
    const verdicts = verdictsOn(...repeat(4, [A, B, C]).flat())
    expect(detections(verdicts)).toEqual([5, 8, 11])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'stop critical'])
    expect(last(verdicts)).toMatchObject({ count: 4, period: 3, since: 0, wasted: 9 })
  })

  it('whatever its rotation: B A B A after A B A B is the same pattern', () => {
    const verdicts = verdictsOn(B, C, B, C, D, C, B, C, B)
    expect(detections(verdicts)).toEqual([3, 8])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning'])
  })

  it('whatever its rotation: C A B after A B C, and then B C A, stops', () => {
    const [X, Y] = distinct(2)
    if (X === undefined || Y === undefined) throw new Error('two calls')
    const events = [A, B, C, A, B, C, X, C, A, B, C, A, B, Y, B, C, A, B, C, A]
    const verdicts = verdictsOn(...events)
    expect(detections(verdicts)).toEqual([5, 12, 19])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'stop critical'])
  })

  it('mirrored is not rotated: A C B after A B C is another pattern', () => {
    const verdicts = verdictsOn(A, B, C, A, B, C, D, A, C, B, A, C, B)
    expect(detections(verdicts)).toEqual([5, 12])
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge notice'])
  })

  it('also after other calls, while the window remembers it', () => {
    const verdicts = verdictsOn(A, A, ...distinct(8), A, A, ...distinct(8, 'more'), A, A)
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'stop critical'])
  })

  it('which is for as many calls as it holds: 20 after the last detection, not 21', () => {
    expect(rungs(verdictsOn(A, A, ...distinct(18), A, A))).toEqual([
      'nudge notice',
      'nudge warning',
    ])
    expect(rungs(verdictsOn(A, A, ...distinct(19), A, A))).toEqual(['nudge notice', 'nudge notice'])
  })
})

describe('Another pattern starts at the first rung', () => {
  it('B B after A A A', () => {
    const verdicts = verdictsOn(A, A, A, B, B)
    expect(rungs(verdicts)).toEqual(['nudge notice', 'nudge warning', 'nudge notice'])
    expect(last(verdicts).message).toBe(warning(2, B))
  })

  it('a cycle of two after a cycle of one of its calls', () => {
    const verdicts = verdictsOn(B, B, C, B, C)
    expect(detections(verdicts)).toEqual([1, 4])
    expect(last(verdicts)).toMatchObject({ level: 'notice', period: 2, since: 1 })
  })
})

describe('isStuck', () => {
  it('is true from the detection on, also inside a pass, until the cycle is left', () => {
    const detector = cycles()
    const seen = [B, C, B, C, B, C, D].map((event) => {
      run(detector, [event])
      return detector.isStuck()
    })
    expect(seen).toEqual([false, false, false, true, true, true, false])
  })
})
