/**
 * Follows seeds/000_e86adbddeb19d315.txt (preset `nudge`), "Escalating Nudge Prompts", in the
 * order of its sentences.
 */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, repeat, run } from '../support/events.js'
import { actions, at, last } from '../support/verdicts.js'

const GREP = call('grep', { pattern: 'TODO' })

/** The verdict on the n-th of n identical calls. */
function nth(n: number) {
  return last(run(new LoopDetector('nudge'), repeat(n, GREP)))
}

function initialWarning(tool: string, count: number): string {
  return [
    `[System] You've called ${tool} with the same arguments ${count} times.`,
    'This indicates a stuck state. Either:',
    '1. Try a DIFFERENT approach or tool',
    "2. If blocked, explain what's preventing progress",
    '3. If the task is complete, say so explicitly',
  ].join('\n')
}

function warning(tool: string, count: number): string {
  return [
    `[System] WARNING: You've called ${tool} ${count} times with identical arguments.`,
    'This is a stuck state.',
    '1. Try a DIFFERENT approach or tool',
    '2. If blocked, explain the blocker',
  ].join('\n')
}

function critical(tool: string, count: number): string {
  return [
    `[System] CRITICAL: You've called ${tool} with the same arguments ${count} times.`,
    'You are in a doom loop. You MUST:',
    `1. STOP calling ${tool} immediately`,
    "2. Explain what you're stuck on",
    '3. Try a completely different approach',
    'Further identical calls will be rejected.',
  ].join('\n')
}

describe('The severity of the injected prompt scales with the repetition count', () => {
  it.each([
    [1, 'continue', 'none'],
    [2, 'continue', 'none'],
    [3, 'nudge', 'notice'],
    [4, 'nudge', 'warning'],
    [5, 'nudge', 'warning'],
    [6, 'nudge', 'critical'],
    [7, 'block', 'critical'],
    [8, 'block', 'critical'],
    [30, 'block', 'critical'],
  ])('%i identical calls: %s, %s', (count, action, level) => {
    expect(nth(count)).toMatchObject({ action, level })
  })
})

describe('3 repetitions (initial warning)', () => {
  it('says, to the letter', () => {
    expect(nth(3).message).toBe(initialWarning('grep', 3))
  })

  it('names the tool that was called', () => {
    const verdicts = run(new LoopDetector('nudge'), repeat(3, call('read_file', { path: 'a' })))
    expect(last(verdicts).message).toBe(initialWarning('read_file', 3))
  })

  it('is also the first thing said when the threshold is lower', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 2 })
    expect(last(run(detector, repeat(2, GREP)))).toMatchObject({
      level: 'notice',
      message: initialWarning('grep', 2),
    })
  })
})

describe('4-5 repetitions (warning)', () => {
  it.each([4, 5])('says, to the letter, at %i', (count) => {
    expect(nth(count).message).toBe(warning('grep', count))
  })

  it('is where a higher threshold comes in', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 5 })
    expect(last(run(detector, repeat(5, GREP)))).toMatchObject({
      level: 'warning',
      message: warning('grep', 5),
    })
  })
})

describe('6+ repetitions (critical)', () => {
  it.each([6, 7, 12])('says, to the letter, at %i', (count) => {
    expect(nth(count).message).toBe(critical('grep', count))
  })
})

describe('Further identical calls will be rejected', () => {
  it('from the 7th identical call on, the call itself is refused', () => {
    const verdicts = run(new LoopDetector('nudge'), repeat(9, GREP))
    expect(actions(verdicts)).toEqual([
      'continue',
      'continue',
      'nudge',
      'nudge',
      'nudge',
      'nudge',
      'block',
      'block',
      'block',
    ])
    expect(last(verdicts)).toMatchObject({ kind: 'exact-repeat', status: 'OK', count: 9 })
  })

  it('identical ones only: another call goes through, and the first may come back', () => {
    const verdicts = run(new LoopDetector('nudge'), [
      ...repeat(8, GREP),
      call('grep', { pattern: 'FIXME' }),
      GREP,
    ])
    expect(at(verdicts, 7).action).toBe('block')
    expect(actions(verdicts.slice(8))).toEqual(['continue', 'continue'])
  })

  it('a fuzzy-equal call is not an identical one: after six of them it goes through', () => {
    const variants = Array.from({ length: 6 }, (_, i) => call('grep', { pattern: 'TODO', i }))
    const verdicts = run(new LoopDetector('nudge'), [...variants, GREP])
    expect(last(verdicts)).toMatchObject({ action: 'nudge', kind: 'fuzzy-repeat', count: 7 })
  })
})

describe('The texts are templates: {tool}, {count} and the rest', () => {
  it('can be overridden per level; the other levels keep theirs', () => {
    const detector = new LoopDetector({
      preset: 'nudge',
      messages: { 'exact-repeat': { warning: '{tool} again, {count} times: enough.' } },
    })
    expect(run(detector, repeat(6, GREP)).map((verdict) => verdict.message)).toEqual([
      null,
      null,
      initialWarning('grep', 3),
      'grep again, 4 times: enough.',
      'grep again, 5 times: enough.',
      critical('grep', 6),
    ])
  })

  it('can be overridden per kind, for all its levels', () => {
    const detector = new LoopDetector({
      preset: 'nudge',
      messages: { 'exact-repeat': '{tool} × {count}' },
    })
    const messages = run(detector, repeat(7, GREP)).map((verdict) => verdict.message)
    expect(messages.slice(2)).toEqual([3, 4, 5, 6, 7].map((count) => `grep × ${count}`))
  })

  it('what the agent writes is not a template: a tool named {count} stays what it is', () => {
    const verdicts = run(new LoopDetector('nudge'), repeat(4, call('{count}')))
    expect(last(verdicts).message).toBe(warning('{count}', 4))
  })
})
