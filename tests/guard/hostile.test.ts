/** Hostile input through a guard: the agent goes on, the guard says why, and works afterwards. */

import { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import { LADDER, step, watched } from './made.js'

const boom = (): never => {
  throw new Error('boom')
}

/** The ladder still stands: the third call nudges, the fourth is refused, the fifth stops. */
function expectItWorks({ guard }: ReturnType<typeof watched>): void {
  guard.reset()
  const runs = ['a', 'b', 'c', 'd', 'e'].map((id) => step(guard, id).decision.run)
  expect(runs).toEqual([true, true, true, false, false])
  expect(guard.shouldStop).toBe(true)
}

describe('hostile arguments', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = { a: deep }
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle

  it.each<[string, unknown]>([
    ['a cycle', cycle],
    ['a bigint', { n: 1n }],
    ['100,000 levels', deep],
    ['100,000 levels of text', '['.repeat(100_000)],
    ['ten megabytes', 'x'.repeat(10_000_000)],
    ['holes', new Array(100)],
    ['a shared buffer', new Uint8Array(new SharedArrayBuffer(8))],
    ['a __proto__ key', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s are a call like any other', (_, args) => {
    const made = watched()
    for (const id of ['1', '2']) expect(step(made.guard, id, 'ls', args).decision.run).toBe(true)
    const { decision } = step(made.guard, '3', 'ls', args)
    expect(decision.verdict).toMatchObject({ action: 'nudge', count: 3 })
    expect(made.errors).toEqual([])
    expectItWorks(made)
  })

  it.each<[string, unknown]>([
    ['a getter that throws', Object.defineProperty({}, 'a', { get: boom, enumerable: true })],
    ['toJSON that throws', { toJSON: boom }],
    ['a proxy that throws', new Proxy({}, { get: boom, ownKeys: boom, getPrototypeOf: boom })],
    ['too many values', new Array(3_000_000)],
  ])('%s are reported as a TypeError, and the call runs', (_, args) => {
    const made = watched()
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      expect(made.guard.call({ id, name: 'ls', args })).toMatchObject({ run: true, reply: null })
      made.guard.result({ id, output: args })
      made.guard.endStep()
    }
    expect(made.errors.length).toBeGreaterThanOrEqual(6)
    for (const error of made.errors) expect(error).toBeInstanceOf(TypeError)
    expectItWorks(made)
  })
})

describe('hostile events', () => {
  it('a call that throws when it is read runs', () => {
    const made = watched()
    const call = new Proxy({}, { get: boom })
    expect(made.guard.call(call as never).run).toBe(true)
    expect(made.guard.calls([call as never, { id: 'x', name: 'ls' }]).length).toBe(2)
    made.guard.result(call as never)
    made.guard.endStep(call as never)
    expectItWorks(made)
  })

  it('results before calls, twice, and of unknown calls, count once at most', () => {
    const made = watched()
    made.guard.result({ id: 'a', output: 'early' })
    made.guard.result({ id: 'a', output: 'early' })
    for (let i = 0; i < 1000; i++) made.guard.result({ id: `nobody-${i}`, output: 'x' })
    expect(made.guard.call({ id: 'a', name: 'ls' }).run).toBe(true)
    for (let i = 0; i < 10; i++) expect(made.guard.result({ id: 'a' }).action).toBe('continue')
    expect(made.errors).toEqual([])
    expectItWorks(made)
  })

  it('one id for every call is a new call each time', () => {
    const made = watched()
    for (let i = 0; i < 100; i++) {
      expect(step(made.guard, 'same', 'ls', { i }).decision.run).toBe(true)
    }
    expectItWorks(made)
  })

  it('a million ids take no more memory', () => {
    const made = watched()
    for (let i = 0; i < 1_000_000; i++) {
      made.guard.call({ id: `id-${i}`, name: `tool-${i}` })
      made.guard.endStep()
    }
    expect(JSON.stringify(made.guard).length).toBeLessThan(100_000)
    expectItWorks(made)
  })
})

describe('hostile options', () => {
  it('are a TypeError that says why they could not be read', () => {
    for (const options of [{ get: boom }, { getOwnPropertyDescriptor: boom, ownKeys: boom }]) {
      expect(() => new LoopGuard(new Proxy({}, options))).toThrow(
        new TypeError('LoopGuard(options): options could not be read: boom'),
      )
    }
  })

  it('are read once, and on the prototype as well', () => {
    let reads = 0
    const base = {
      get mode() {
        reads++
        return 'observe' as const
      },
    }
    const guard = new LoopGuard(Object.create(base))
    expect([guard.mode, reads]).toEqual(['observe', 1])
    guard.free()
  })
})

describe('a guard whose detector is gone', () => {
  it('lets every call run, unwatched, and says so', () => {
    const { guard, errors } = watched({ detector: LADDER })
    guard.free()
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      expect(step(guard, id).decision.run).toBe(true)
    }
    expect(guard.pushText('a'.repeat(100_000))).toBe(false)
    expect(guard.text('x').action).toBe('continue')
    expect(guard.takeNudge()).toBeNull()
    expect(guard.shouldStop).toBe(false)
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) expect(error).toBeInstanceOf(TypeError)
    expect(() => guard.free()).not.toThrow()
  })
})
