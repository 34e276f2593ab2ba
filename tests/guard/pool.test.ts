/** Guards by name. */

import { GuardPool, LoopDetector, type Verdict } from 'loophound'
import { describe, expect, it } from 'vitest'
import { LADDER, step } from './made.js'

describe('a pool', () => {
  it('has one guard for each name', () => {
    const seen: [string | null, Verdict['action']][] = []
    const pool = new GuardPool({
      detector: LADDER,
      onVerdict: (verdict, { guard }) => seen.push([guard.id, verdict.action]),
    })
    for (let i = 0; i < 3; i++) {
      for (const thread of ['a', 'b']) step(pool.for(thread), `${i}`)
      step(pool.for('c'), `${i}`, `tool ${i}`)
    }
    expect(pool.for('a')).toBe(pool.for('a'))
    expect(seen).toEqual([
      ['a', 'nudge'],
      ['b', 'nudge'],
    ])
    expect(pool.size).toBe(3)
    pool.release('a')
    expect([pool.has('a'), pool.size]).toEqual([false, 2])
    pool.clear()
    expect(pool.size).toBe(0)
  })

  it('forgets the least recently used, which keeps working where it is held', () => {
    const pool = new GuardPool({ detector: 'nudge', max: 2 })
    const first = pool.for('a')
    pool.for('b')
    pool.for('a')
    pool.for('c')
    expect(['a', 'b', 'c'].map((id) => pool.has(id))).toEqual([true, false, true])
    pool.for('d')
    expect(pool.has('a')).toBe(false)
    expect(first.call({ name: 'ls' }).run).toBe(true)
    pool.clear()
  })

  it('names mistakes in its options at once', () => {
    expect(() => new GuardPool({ max: 0 })).toThrow(RangeError)
    expect(() => new GuardPool({ max: '9' as never })).toThrow(TypeError)
    expect(() => new GuardPool({ mode: 'x' as never })).toThrow('options.mode')
    expect(() => new GuardPool('none' as never)).toThrow('none')
    const detector = new LoopDetector()
    expect(() => new GuardPool({ detector: detector as never })).toThrow('cannot share one')
    detector.free()
  })
})
