/**
 * Follows seeds/002_4b562f90bc64e611.txt (preset `cycles`) from "The Problem" to "Cycle
 * Detection", and its "False Positives", in the order of its sentences. Warnings and escalation
 * are in seed-002-escalation.
 */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, call, distinct, repeat, result, run } from '../support/events.js'
import { actions, at, detections, last } from '../support/verdicts.js'

const READ = call('read_file', { path: 'src/auth.py' })
const EDIT = call('edit_file', { path: 'src/auth.py', old: 'a', new: 'b' })
const TEST = call('run_tests')
const GREP = call('grep', { pattern: 'login' })

function cycles(): LoopDetector {
  return new LoopDetector('cycles')
}

/** The indices at which a fresh detector says something. */
function found(...events: AgentEvent[]): number[] {
  return detections(run(cycles(), events))
}

function edit(i: number) {
  return call('edit_file', { path: 'src/auth.py', new: `attempt ${i}` })
}

describe('The Problem: LLMs can get stuck in loops', () => {
  it('reading the same file repeatedly', () => {
    expect(found(READ, READ)).toEqual([1])
  })

  it('running the same failing test without changing anything', () => {
    expect(found(TEST, result(false, '1 failed'), TEST)).toEqual([2])
  })

  it('editing and reverting the same code block', () => {
    const revert = call('edit_file', { path: 'src/auth.py', old: 'b', new: 'a' })
    expect(found(EDIT, revert, EDIT, revert)).toEqual([3])
  })

  it('alternating between two approaches without committing to either', () => {
    const one = call('bash', { command: 'pip install foo' })
    const two = call('bash', { command: 'conda install foo' })
    expect(found(one, two, one, two)).toEqual([3])
  })
})

describe('Every tool call generates a signature: hash(tool_name + sorted(arguments))', () => {
  it('sorted: the order of keys does not matter, at any level', () => {
    const one = call('search', { query: 'x', where: { dir: 'src', depth: 2 } })
    const two = call('search', { where: { depth: 2, dir: 'src' }, query: 'x' })
    expect(found(one, two)).toEqual([1])
  })

  it('another tool name is another signature', () => {
    expect(found(call('read_file', { path: 'a' }), call('open_file', { path: 'a' }))).toEqual([])
  })

  it('other arguments are another signature, whatever their key', () => {
    expect(found(call('ls', { path: 'a', depth: 1 }), call('ls', { path: 'a', depth: 2 }))).toEqual(
      [],
    )
  })
})

describe('The loop detector maintains a sliding window of recent call signatures', () => {
  it('of 20, for cycles of up to three calls', () => {
    expect(presets.cycles.window).toBe(20)
    expect(presets.cycles.maxPeriod).toBe(3)
  })

  it('what is in it matters, however much went before', () => {
    expect(found(...distinct(100), EDIT, TEST, EDIT, TEST)).toEqual([103])
  })
})

describe('1-call cycle: the same tool call repeated consecutively', () => {
  it('the current signature matches the previous signature', () => {
    const verdicts = run(cycles(), [READ, READ])
    expect(actions(verdicts)).toEqual(['continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({
      kind: 'cycle',
      tool: 'read_file',
      count: 2,
      period: 1,
      since: 0,
      wasted: 1,
      pattern: ['read_file({"path":"src/auth.py"})'],
    })
  })

  it('the worked case: read_file("src/auth.py") three times', () => {
    expect(found(READ, READ, READ)).toEqual([1, 2])
  })

  it('consecutively: not with another call between', () => {
    expect(found(READ, GREP, READ)).toEqual([])
  })

  it('stays a cycle of one, also when two or three passes of it lie together', () => {
    const verdicts = run(cycles(), repeat(6, READ))
    expect(verdicts.slice(1).map((verdict) => verdict.period)).toEqual([1, 1, 1, 1, 1])
  })
})

describe('2-call cycle: alternating between two tool calls', () => {
  it('the worked case: edit, test, edit, test; not before the fourth', () => {
    const verdicts = run(cycles(), [EDIT, TEST, EDIT, TEST])
    expect(actions(verdicts)).toEqual(['continue', 'continue', 'continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({
      kind: 'cycle',
      count: 2,
      period: 2,
      since: 0,
      wasted: 2,
      pattern: ['edit_file({"path":"src/auth.py","old":"a","new":"b"})', 'run_tests()'],
    })
  })

  it('the current signature must match the one from 2 calls ago', () => {
    expect(found(EDIT, TEST, EDIT, GREP)).toEqual([])
  })

  it('and the previous one the one from 3 calls ago', () => {
    expect(found(GREP, TEST, EDIT, TEST)).toEqual([])
  })

  it('begins where it begins, not at the first call', () => {
    expect(last(run(cycles(), [GREP, READ, EDIT, TEST, EDIT, TEST]))).toMatchObject({
      since: 2,
      period: 2,
    })
  })
})

describe('3-call cycle: a repeating pattern of three tool calls', () => {
  it('the worked case: read → edit → test twice; not before the sixth', () => {
    const verdicts = run(cycles(), [READ, EDIT, TEST, READ, EDIT, TEST])
    expect(detections(verdicts)).toEqual([5])
    expect(last(verdicts)).toMatchObject({
      kind: 'cycle',
      count: 2,
      period: 3,
      since: 0,
      wasted: 3,
    })
    expect(last(verdicts).pattern).toHaveLength(3)
  })

  it.each([
    ['n', [READ, EDIT, TEST, READ, EDIT, GREP]],
    ['n-1', [READ, EDIT, TEST, READ, GREP, TEST]],
    ['n-2', [READ, EDIT, TEST, GREP, EDIT, TEST]],
  ])('all three must match: not when position %s differs', (_, events) => {
    expect(found(...events)).toEqual([])
  })

  it('of the same calls in another order there is no cycle', () => {
    expect(found(READ, EDIT, TEST, EDIT, READ, TEST)).toEqual([])
  })
})

describe('The detector checks for three patterns', () => {
  const FOUR = [READ, EDIT, TEST, GREP]

  it('a cycle of four calls is none of them', () => {
    expect(found(...repeat(4, FOUR).flat())).toEqual([])
  })

  it('unless it is asked for', () => {
    const detector = new LoopDetector({ preset: 'cycles', maxPeriod: 4 })
    const verdicts = run(detector, repeat(2, FOUR).flat())
    expect(detections(verdicts)).toEqual([7])
    expect(last(verdicts).period).toBe(4)
  })
})

describe('False positives', () => {
  it('running tests after each edit (the edits are different, the command is the same)', () => {
    const events = Array.from({ length: 20 }, (_, i) => [edit(i), TEST]).flat()
    expect(found(...events)).toEqual([])
  })

  it('reading, editing differently and testing, twenty times', () => {
    const events = Array.from({ length: 20 }, (_, i) => [READ, edit(i), TEST]).flat()
    expect(found(...events)).toEqual([])
  })

  it('reading multiple files in sequence', () => {
    expect(found(...distinct(40))).toEqual([])
  })

  it('consecutive repetition of the full cycle: a pass with another call inside does not count', () => {
    expect(found(EDIT, TEST, GREP, EDIT, READ, TEST)).toEqual([])
  })

  it('not just individual tool reuse: the same test run ten times among other calls', () => {
    const events = distinct(20).map((event, i) => (i % 2 === 0 ? event : TEST))
    expect(found(...events)).toEqual([])
  })

  it('the signature includes arguments: the same tool on other files is no cycle', () => {
    const verdicts = run(cycles(), [EDIT, TEST, edit(1), TEST])
    expect(at(verdicts, 3).action).toBe('continue')
  })
})
