/** The façade's contract, method by method. */

import type { ToolCall, ToolResult } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector, untyped } from '../support/made.js'

describe('continue', () => {
  it('is one shared, frozen verdict', () => {
    const first = detector().record('a')
    const second = detector('window').recordText('hello')
    expect(second).toBe(first)
    expect(first).toEqual({
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
    expect(Object.isFrozen(first)).toBe(true)
    expect(Object.isFrozen(first.pattern)).toBe(true)
  })
})

describe('a verdict', () => {
  it('is complete, frozen, and stays available', () => {
    const hound = detector('nudge')
    hound.record('look', { path: 'x' })
    hound.record('read', { path: 'a.ts' })
    hound.record('read', { path: 'a.ts' })
    const verdict = hound.record('read', { path: 'a.ts' })
    expect(verdict).toMatchObject({
      action: 'nudge',
      level: 'notice',
      kind: 'exact-repeat',
      status: 'OK',
      tool: 'read',
      count: 3,
      period: 1,
      pattern: ['read({"path":"a.ts"})'],
      since: 1,
      wasted: 2,
    })
    expect(verdict.message).toContain("You've called read with the same arguments 3 times")
    expect(Object.isFrozen(verdict)).toBe(true)
    expect(Object.isFrozen(verdict.pattern)).toBe(true)
    expect(hound.verdict).toBe(verdict)
    expect(hound.isStuck()).toBe(true)
  })

  it('goes back to continue when the agent moves on', () => {
    const hound = detector('nudge')
    for (let i = 0; i < 3; i++) hound.record('read', { path: 'a.ts' })
    const verdict = hound.record('read', { path: 'b.ts' })
    expect(verdict.action).toBe('continue')
    expect(hound.verdict).toBe(verdict)
    expect(hound.isStuck()).toBe(false)
  })

  for (const clear of ['userMessage', 'reset', 'clearAfterFeedback'] as const) {
    it(`is continue after ${clear}()`, () => {
      const hound = detector('nudge')
      for (let i = 0; i < 3; i++) hound.record('read')
      hound[clear]()
      expect(hound.verdict.action).toBe('continue')
      expect(hound.isStuck()).toBe(false)
      expect(hound.record('read').action).toBe('continue')
    })
  }
})

describe('state', () => {
  it('has the six fields', () => {
    const hound = detector('nudge')
    expect(hound.state).toEqual({
      doomLoopDetected: false,
      lastTool: null,
      consecutiveCount: 0,
      threshold: 3,
      fuzzyThreshold: 4,
      lastWarningTime: 0,
    })
    const before = Date.now()
    for (let i = 0; i < 3; i++) hound.record('read')
    const { lastWarningTime, ...rest } = hound.state
    expect(rest).toEqual({
      doomLoopDetected: true,
      lastTool: 'read',
      consecutiveCount: 3,
      threshold: 3,
      fuzzyThreshold: 4,
    })
    expect(lastWarningTime).toBeGreaterThanOrEqual(before)
    expect(Object.isFrozen(hound.state)).toBe(true)
  })
})

describe('recentNames', () => {
  it('gives the last five, newest last, in a list of its own', () => {
    const hound = detector()
    expect(hound.recentNames()).toEqual([])
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) hound.record(name)
    expect(hound.recentNames()).toEqual(['b', 'c', 'd', 'e', 'f'])
    hound.recentNames().push('x')
    expect(hound.recentNames()).toHaveLength(5)
  })
})

describe('recordBatch', () => {
  const read: ToolCall = { name: 'read', args: { path: 'a' } }

  it('gives the hardest verdict among its calls', () => {
    const verdict = detector('nudge').recordBatch([read, read, read, { name: 'other' }])
    expect(verdict).toMatchObject({ action: 'nudge', kind: 'exact-repeat', count: 3 })
  })

  it('gives the verdict at its end in guard', () => {
    const calls = [read, read, read, read, read]
    expect(detector('guard').recordBatch([...calls, { name: 'other' }]).action).toBe('continue')
    expect(detector('guard').recordBatch(calls).action).toBe('nudge')
  })

  it('accepts an empty list', () => {
    const hound = detector('nudge')
    for (let i = 0; i < 3; i++) hound.record('read')
    expect(hound.recordBatch([]).action).toBe('continue')
  })

  it('records nothing when one of its calls is bad', () => {
    const hound = detector('nudge')
    const bad = untyped<ToolCall>({ name: 7 })
    expect(() => hound.recordBatch([read, read, bad])).toThrow(
      new TypeError('recordBatch(calls): calls[2].name must be a string; got 7'),
    )
    expect(hound.recentNames()).toEqual([])
    expect(hound.record('read', { path: 'a' }).action).toBe('continue')
  })

  it('takes calls whose properties are inherited', () => {
    class Call {
      get name() {
        return 'inherited'
      }
    }
    const hound = detector()
    hound.recordBatch([new Call()])
    expect(hound.recentNames()).toEqual(['inherited'])
  })
})

describe('the iteration cap', () => {
  it('stops after its turns, and can be extended', () => {
    const hound = detector({ preset: 'guard', iterationCap: 2 })
    expect(hound.beginTurn().action).toBe('continue')
    expect(hound.beginTurn().action).toBe('continue')
    expect(hound.beginTurn()).toMatchObject({
      action: 'stop',
      kind: 'iteration-cap',
      status: 'OK',
      count: 2,
    })
    expect(hound.extend('stop')).toBe(0)
    expect(hound.beginTurn().action).toBe('stop')
    expect(hound.extend('continue_50')).toBe(50)
    for (let turn = 0; turn < 50; turn++) expect(hound.beginTurn().action).toBe('continue')
    expect(hound.beginTurn().action).toBe('stop')
    expect(hound.extend('continue_200')).toBe(200)
    expect(hound.extend(7)).toBe(7)
    expect(hound.beginTurn().action).toBe('continue')
  })

  it('is absent when null', () => {
    const hound = detector({ preset: 'guard', iterationCap: null })
    for (let turn = 0; turn < 500; turn++) expect(hound.beginTurn().action).toBe('continue')
    expect(hound.extend(50)).toBe(0)
  })
})

describe('text', () => {
  it('two turns of words in a row are a summary loop', () => {
    const hound = detector('nudge')
    expect(hound.recordText('I will now begin.').action).toBe('continue')
    expect(hound.recordText('I am about to begin.')).toMatchObject({ kind: 'summary', count: 2 })
  })

  it('is taken as it streams, on either channel', () => {
    const hound = detector()
    expect(hound.pushText('Let me ').action).toBe('continue')
    expect(hound.pushText('see…', 'reasoning').action).toBe('continue')
    expect(hound.pushText('', 'text').action).toBe('continue')
  })
})

describe('ids', () => {
  it('that are empty count as none', () => {
    const hound = detector('nudge')
    const failing: ToolResult = { id: '', ok: false, output: 'command not found' }
    for (const command of ['aa', 'bb']) {
      hound.record('bash', { command }, '')
      hound.recordResult(failing)
    }
    hound.record('bash', { command: 'cc' }, '')
    expect(hound.recordResult(failing).kind).toBe('failure-cascade')
  })
})
