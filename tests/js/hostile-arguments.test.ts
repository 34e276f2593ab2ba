/** When two calls are the same: arguments that JSON has no word for, and arguments that bite. */

import { runInNewContext } from 'node:vm'
import { computeToolFingerprint, LoopDetector, SwarmDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { refusal, same } from './sameness.js'

/** Large values take their time on a busy machine. */
const PATIENCE = 120_000

/** Values of all kinds; each is made twice, and no two of them are the same. */
const KINDS: Record<string, () => unknown> = {
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  null: () => null,
  zero: () => 0,
  'the text NaN': () => 'NaN',
  false: () => false,
  'a bigint': () => 12345678901234567890n,
  'the next bigint': () => 12345678901234567891n,
  'a symbol': () => Symbol('s'),
  'another symbol': () => Symbol('t'),
  'a function': () => (x: number) => x + 1,
  'another function': () => (x: number) => x + 2,
  'a regular expression': () => /a+/g,
  'another flag': () => /a+/i,
  'a date': () => new Date(0),
  'another date': () => new Date(1),
  'an invalid date': () => new Date(Number.NaN),
  'an error': () => new Error('no'),
  'another message': () => new Error('yes'),
  'another error': () => new RangeError('no'),
  'an error with a cause': () => new Error('no', { cause: 'why' }),
  'an aggregate': () => new AggregateError([new Error('no')], 'no'),
  'an empty map': () => new Map(),
  'a map': () => new Map([['a', 1]]),
  'another value in a map': () => new Map([['a', 2]]),
  'another key in a map': () => new Map([['b', 1]]),
  'an object as key': () => new Map([[{ a: 1 }, 1]]),
  'an empty set': () => new Set(),
  'a set': () => new Set([1]),
  'another set': () => new Set([2]),
  'a list': () => [1],
  'an empty object': () => ({}),
  'an empty list': () => [],
  bytes: () => new Uint8Array([1, 2]),
  'other bytes': () => new Uint8Array([1, 3]),
  'signed bytes': () => new Int8Array([1, 2]),
  'big bytes': () => new BigInt64Array([1n]),
  floats: () => new Float64Array([0.5]),
  'a view': () => new DataView(new ArrayBuffer(2)),
  'a longer view': () => new DataView(new ArrayBuffer(3)),
  'a buffer': () => new ArrayBuffer(2),
  'a longer buffer': () => new ArrayBuffer(3),
  'a shared buffer': () => new SharedArrayBuffer(2),
  'search parameters': () => new URLSearchParams('a=1'),
  'other search parameters': () => new URLSearchParams('a=2'),
  'text in a class of its own': () =>
    new (class {
      toString() {
        return 'private'
      }
    })(),
  'a cycle': () => {
    const object: Record<string, unknown> = {}
    object.self = object
    return object
  },
  'a longer cycle': () => {
    const object: Record<string, unknown> = {}
    object.self = { self: object }
    return object
  },
  'a list in itself': () => {
    const list: unknown[] = []
    list.push(list)
    return list
  },
}

describe('values of every kind', () => {
  const names = Object.keys(KINDS)
  const make = (name: string) => ({ value: KINDS[name]?.() })

  for (const name of names) {
    it(`${name} is itself, and nothing else`, () => {
      for (const other of names) expect(same(make(name), make(other)), other).toBe(name === other)
    })
  }

  it('may be the whole argument', () => {
    for (const name of names) {
      const { value } = make(name)
      expect(same(value, make(name).value), name).toBe(true)
    }
  })
})

describe('what JSON has a form for', () => {
  class Point {
    constructor(
      readonly x: number,
      readonly y: number,
    ) {}
  }

  it.each([
    ['-0', { n: -0 }, { n: 0 }],
    ['-0 in floats', new Float64Array([-0]), new Float64Array([0])],
    ['undefined in an object', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined in a list', [1, undefined], [1, null]],
    ['a hole', Object.assign(new Array(3), { 0: 1, 2: 3 }), [1, null, 3]],
    ['a bigint', { n: 10n }, '{"n":10}'],
    ['a date', { d: new Date(0) }, { d: '1970-01-01T00:00:00.000Z' }],
    ['a boxed number', { v: Object(5) }, { v: 5 }],
    ['a boxed string', { v: Object('s') }, { v: 's' }],
    ['a boxed boolean', { v: Object(false) }, { v: false }],
    ['a boxed bigint', { v: Object(7n) }, { v: 7 }],
    ['an address', { u: new URL('https://a.example/') }, { u: 'https://a.example/' }],
    ['toJSON', { toJSON: () => ({ a: 1 }) }, { a: 1 }],
    ['toJSON with a bigint', { v: { toJSON: () => 1n } }, { v: 1 }],
    ['toJSON on a function', { v: Object.assign(() => 1, { toJSON: () => 'f' }) }, { v: 'f' }],
    ['an instance of a class', new Point(1, 2), { x: 1, y: 2 }],
    ['no prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['an own __proto__ key', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['a proxy', new Proxy({ a: [1] }, {}), { a: [1] }],
    [
      'another realm',
      runInNewContext('({ a: [1, {}], d: new Date(0) })'),
      { a: [1, {}], d: new Date(0) },
    ],
    ['a map of another realm', runInNewContext('new Map([["a", 1]])'), new Map([['a', 1]])],
    ['a buffer of another realm', runInNewContext('new ArrayBuffer(2)'), new ArrayBuffer(2)],
    [
      'a shared part',
      { a: [1], b: [1] },
      (() => {
        const part = [1]
        return { a: part, b: part }
      })(),
    ],
    ['a forged type', { x: 1, [Symbol.toStringTag]: 'Map' }, { x: 1 }],
  ])('%s is written that way', (_, a, b) => {
    expect(same(a, b)).toBe(true)
  })

  it('a lone surrogate is accepted, in its text too', () => {
    const args = { a: '\ud800', '\udc00': 1 }
    expect(same(args, args)).toBe(true)
    expect(same(args, JSON.stringify(args))).toBe(true)
    expect(same('\ud800', '\ud800')).toBe(true)
    expect(same(args, { a: '\ud800' })).toBe(false)
  })

  it('an own __proto__ key counts', () => {
    expect(same(JSON.parse('{"__proto__":1}'), {})).toBe(false)
    expect(same(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'))).toBe(false)
  })

  it('toJSON gets its key, as JSON.stringify gives it', () => {
    const keys: string[] = []
    const spy = { toJSON: (key: string) => keys.push(key) }
    const detector = new LoopDetector()
    detector.record('tool', { one: spy, list: [spy] })
    detector.free()
    expect(keys).toEqual(['one', '0'])
  })
})

describe('depth', { timeout: PATIENCE }, () => {
  const LEVELS = 100_000

  it('of objects is no problem', () => {
    let deep: unknown = { bottom: 1 }
    let other: unknown = { bottom: 2 }
    for (let level = 0; level < LEVELS; level++) {
      deep = { a: deep }
      other = { a: other }
    }
    expect(same(deep, deep)).toBe(true)
    expect(same(deep, other)).toBe(false)
    expect(same(deep, `${'{"a":'.repeat(LEVELS)}{"bottom":1}${'}'.repeat(LEVELS)}`)).toBe(true)
  })

  it('of lists is no problem', () => {
    let deep: unknown = []
    for (let level = 0; level < LEVELS; level++) deep = [deep]
    expect(same(deep, '['.repeat(LEVELS + 1) + ']'.repeat(LEVELS + 1))).toBe(true)
    expect(same(deep, [deep])).toBe(false)
  })

  it('of text alone is no problem', () => {
    expect(same('['.repeat(LEVELS), '['.repeat(LEVELS))).toBe(true)
    expect(computeToolFingerprint('t', '{"a":'.repeat(LEVELS)).length).toBeLessThanOrEqual(200)
  })
})

describe('size', { timeout: PATIENCE }, () => {
  it('of ten megabytes is no problem', () => {
    const text = 'é'.repeat(5_000_000)
    expect(same({ text }, { text: `${text}` })).toBe(true)
    expect(same({ text }, { text: `${text.slice(1)}x` })).toBe(false)
    expect(same(text, text)).toBe(true)
  })

  it('of a name is no problem', () => {
    const detector = new LoopDetector('nudge')
    const name = 'n'.repeat(1_000_000)
    for (let i = 0; i < 2; i++) detector.record(name)
    expect(detector.record(name).count).toBe(3)
    detector.free()
  })

  it('beyond two million values is refused', () => {
    const message = 'record(args): args holds more than 2000000 values'
    expect(refusal(new Array(2_000_001).fill(0))).toEqual(new TypeError(message))
    expect(refusal(new Array(4_000_000_000))).toEqual(new TypeError(message))
    expect(refusal({ big: new Array(2_000_001), n: 1n })).toEqual(new TypeError(message))
  })

  it('that only shared parts add up to is refused', () => {
    let dag: unknown[] = [1]
    for (let level = 0; level < 40; level++) dag = [dag, dag]
    expect(refusal(dag).message).toContain('more than 2000000 values')
    let mapped: unknown = new Map()
    for (let level = 0; level < 40; level++) mapped = new Map([[mapped, mapped]])
    expect(refusal(mapped).message).toContain('more than 2000000 values')
    const part = 'x'.repeat(10_000_000)
    expect(refusal(new Array(1000).fill(part)).message).toContain('is longer than')
  })

  it('of text beyond 64 Mi characters is refused', () => {
    const message = 'is longer than 67108864 characters'
    const long = 'x'.repeat(67_108_865)
    expect(refusal(long).message).toContain(message)
    expect(refusal({ long }).message).toContain(message)
    expect(refusal(new Uint8Array(20_000_000)).message).toContain(message)
    const detector = new LoopDetector()
    expect(() => detector.recordText(long)).toThrow(`recordText(text): text ${message}`)
    detector.free()
  })

  it('without end is refused', () => {
    const handler: ProxyHandler<object> = {
      ownKeys: () => ['a'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, key) => (key === 'a' ? new Proxy({}, handler) : undefined),
    }
    expect(refusal(new Proxy({}, handler)).message).toContain('more than 250000 levels deep')
    class Again {
      toJSON() {
        return { next: new Again() }
      }
    }
    expect(refusal(new Again()).message).toContain('more than 250000 levels deep')
  })
})

describe('what cannot be read', () => {
  it.each([
    [Promise.resolve(1), 'args holds a Promise; await it first'],
    [{ a: [Promise.resolve(1)] }, 'args holds a Promise; await it first'],
    [new Response('a'), 'args holds a Response, which cannot be read'],
    [new Blob(['a']), 'args holds a Blob, which cannot be read'],
    [(function* () {})(), 'args holds a Generator, which cannot be read'],
  ])('%s is refused, since all of its kind would be equal', (value, message) => {
    const error = refusal(value)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain(message)
  })

  it('is another matter than what only says that it is such a thing', () => {
    expect(same({ [Symbol.toStringTag]: 'Promise', a: 1 }, { a: 1 })).toBe(true)
  })
})

describe('what throws when it is read', () => {
  const cause = new Error('boom')
  const boom = (): never => {
    throw cause
  }
  const hostile: Record<string, unknown> = {
    'a getter': Object.defineProperty({}, 'a', { get: boom, enumerable: true }),
    'a getter in a list': [1, Object.defineProperty({}, 'a', { get: boom, enumerable: true })],
    toJSON: { toJSON: boom },
    'a toJSON getter': Object.defineProperty({}, 'toJSON', { get: boom }),
    toString: Object.create({ toString: boom }),
    'a proxy': new Proxy({}, { get: boom }),
    "a proxy's keys": new Proxy({}, { ownKeys: boom }),
    "a proxy's prototype": new Proxy({}, { getPrototypeOf: boom }),
    "an error's message": Object.defineProperty(new Error(), 'message', { get: boom }),
  }

  for (const [name, args] of Object.entries(hostile)) {
    it(`${name} is refused by name, with the cause`, () => {
      const error = refusal(args)
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).toBe('record(args): args could not be read: boom')
      expect(error.cause).toBe(cause)
    })
  }

  it('a revoked proxy is refused', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(refusal(proxy).message).toMatch(/^record\(args\): args could not be read: /)
    expect(refusal({ a: [proxy] }).message).toMatch(/^record\(args\): args could not be read: /)
  })

  it('a detached buffer is refused', () => {
    const buffer = new ArrayBuffer(2)
    const view = new Uint8Array(buffer)
    structuredClone(buffer, { transfer: [buffer] })
    expect(refusal(view)).toBeInstanceOf(TypeError)
    expect(refusal(buffer)).toBeInstanceOf(TypeError)
  })

  it('what is thrown may be anything', () => {
    for (const thrown of ['text', null, Symbol('s'), { toString: boom }]) {
      const args = {
        get a() {
          throw thrown
        },
      }
      expect(refusal(args)).toBeInstanceOf(TypeError)
      expect(refusal(args).cause).toBe(thrown)
    }
  })

  it('a getter that answers differently the second time is read once more, by the writer', () => {
    let reads = 0
    const args = {
      get a() {
        reads += 1
        return reads === 2 ? 1n : 1
      },
    }
    expect(same(args, { a: 1 })).toBe(true)
  })

  it('a getter may record a call itself', () => {
    const detector = new LoopDetector({ preset: 'nudge', threshold: 2 })
    const args = {
      get a() {
        detector.record('inner')
        return 1
      },
    }
    detector.record('outer', args)
    expect(detector.record('outer', { a: 1 })).toMatchObject({ tool: 'outer', count: 2 })
    detector.free()
  })

  it('is named wherever it is given', () => {
    const args = hostile.toJSON
    const detector = new LoopDetector()
    const swarm = new SwarmDetector()
    expect(() => detector.recordBatch([{ name: 'a' }, { name: 'b', args }])).toThrow(
      'recordBatch(calls): calls[1].args could not be read: boom',
    )
    expect(() => detector.recordResult({ output: args })).toThrow(
      'recordResult(result): result.output could not be read: boom',
    )
    expect(() => computeToolFingerprint('a', args)).toThrow(
      'computeToolFingerprint(args): args could not be read: boom',
    )
    expect(() => swarm.record('w', 'a', args)).toThrow('record(args): args could not be read: boom')
    detector.free()
    swarm.free()
  })
})
