/** When two calls are the same: arguments that are JSON. */

import { computeToolFingerprint, LoopDetector, SwarmDetector } from 'loophound'
import { describe, expect, it, vi } from 'vitest'
import fc from '../support/property.js'
import { same } from './sameness.js'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

const RUNS = { numRuns: 300 }

/** JSON objects, with keys and strings as nasty as the given ones. */
function objects(text: fc.Arbitrary<string>): fc.Arbitrary<Record<string, unknown>> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    ),
  }))
  return fc.dictionary(text, value, { maxKeys: 6 })
}

/** Any text, lone surrogates and all. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\\', '"', '\u0000', '\ud800', '\udc00', '😀', 'é', '/', '\u2028'),
  }),
)
const anyObject = objects(anyText)

/** The same object with its keys in another order, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, part]) => [key, reversed(part)]))
}

describe('an object and its text', () => {
  it('are the same call', () => {
    fc.assert(
      fc.property(anyObject, (args) => {
        expect(same(args, JSON.stringify(args))).toBe(true)
        expect(same(JSON.stringify(args, null, 2), args)).toBe(true)
      }),
      RUNS,
    )
  })

  it('have the same fingerprint', () => {
    fc.assert(
      fc.property(anyObject, (args) => {
        const fingerprint = computeToolFingerprint('tool', args)
        expect(computeToolFingerprint('tool', JSON.stringify(args))).toBe(fingerprint)
        expect(computeToolFingerprint('tool', reversed(args))).toBe(fingerprint)
        expect([...fingerprint].length).toBeLessThanOrEqual(200)
      }),
      RUNS,
    )
  })
})

describe('the order of keys', () => {
  it('does not matter, at any level', () => {
    fc.assert(
      fc.property(anyObject, (args) => {
        expect(same(args, reversed(args))).toBe(true)
      }),
      RUNS,
    )
  })

  it('of a list does', () => {
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  })
})

describe('different data', () => {
  it('are different calls', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (a, b) => {
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect(same(a, b)).toBe(isSame)
      }),
      RUNS,
    )
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: [] }, { a: {} }],
    [{ a: '' }, { a: null }],
    [{ a: true }, { a: 'true' }],
    [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
    [{ a: [[1], 2] }, { a: [[1, 2]] }],
    [
      { a: 'b', c: 'd' },
      { a: 'd', c: 'b' },
    ],
    ['{"n":9007199254740993}', '{"n":9007199254740992}'],
    [{ n: 9007199254740993n }, { n: 9007199254740992n }],
  ])('%o is not %o', (a, b) => {
    expect(same(a, b)).toBe(false)
  })
})

describe('numbers', () => {
  it.each([
    ['{"n":1}', '{"n":1.0}'],
    ['{"n":1}', '{"n":1e0}'],
    ['{"n":100}', '{"n":1E+2}'],
    ['{"n":0}', '{"n":-0}'],
    ['{"n":0.1}', '{"n":1e-1}'],
    ['{"n":1.50}', '{"n":1.5}'],
  ])('%s is %s', (a, b) => {
    expect(same(a, b)).toBe(true)
  })

  it('are compared by value, however they are written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(same(`{"n":${n.toExponential()}}`, { n })).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('text', () => {
  it('is compared with its escapes resolved', () => {
    expect(same('{"\\u0061":"\\u00e9\\/"}', { a: 'é/' })).toBe(true)
    expect(same('{"a":"\\ud83d\\ude00"}', { a: '😀' })).toBe(true)
  })

  it('that is not JSON is compared as it is', () => {
    expect(same('ls -la', 'ls -la')).toBe(true)
    expect(same('ls -la', 'ls  -la')).toBe(false)
    expect(same('{"a":1', '{"a":1')).toBe(true)
    expect(same('{"a":1', '{"a":1}')).toBe(false)
  })

  it('has the last of two equal keys, as JSON.parse does', () => {
    expect(same('{"a":1,"a":2}', { a: 2 })).toBe(true)
  })
})

describe('half a surrogate pair', () => {
  const [one, other] = ['\ud800', '\ud801']

  it.each<[string, (half: string) => unknown]>([
    ['a value', (half) => ({ a: `x${half}y` })],
    ['a key', (half) => ({ [half]: 1 })],
    ['JSON text', (half) => `{"a":"${half}"}`],
    ['plain text', (half) => `cat ${half}é`],
    ['long text', (half) => 'é'.repeat(500_000) + half],
    ['a value beside others', (half) => ({ a: '😀é', b: [half, one] })],
  ])('in %s makes another call', (_, args) => {
    expect(same(args(one), args(one))).toBe(true)
    expect(same(args(one), args(other))).toBe(false)
    expect(same(args(one), args('\udc00'))).toBe(false)
    expect(same(args(one), args('\ufffd'))).toBe(false)
  })

  it('is the same in an object and in its text', () => {
    expect(same({ a: one }, `{"a":"${one}"}`)).toBe(true)
    expect(same({ a: one }, '{"a":"\\uD800"}')).toBe(true)
    expect(same({ a: one }, '{"a":"\\ud801"}')).toBe(false)
  })

  it('in a name, an id or an output is told apart, too', () => {
    const detector = new LoopDetector({ preset: 'nudge', tools: { [other]: { threshold: 2 } } })
    const repeat = (name: string) => [detector.record(name), detector.record(name)].at(-1)
    expect(repeat(one)?.action).toBe('continue')
    expect(repeat(other)).toMatchObject({ kind: 'exact-repeat', count: 2, tool: '\ufffdd801' })
    detector.free()

    const failing = new LoopDetector('nudge')
    for (const id of [one, other, '\ud802']) failing.record('bash', { command: id }, id)
    const fail = (id: string) => failing.recordResult({ id, ok: false, output: 'exit code 1' })
    expect([fail(other), fail(other), fail(one)].map(({ kind }) => kind)).toEqual([
      null,
      null,
      null,
    ])
    expect(fail('\ud802').kind).toBe('failure-cascade')
    failing.free()

    const looking = new LoopDetector()
    const look = (output: string) => {
      const { kind } = looking.record('look_up', { key: 1 })
      looking.recordResult({ name: 'look_up', output })
      return kind
    }
    expect([look(one), look(other), look(one), look(other)]).toEqual([null, null, null, null])
    expect(Array.from({ length: 6 }, () => look(other))).toContain('no-progress')
    looking.free()

    const swarm = new SwarmDetector({ threshold: 2, minWorkers: 1 })
    swarm.recordFingerprint('a', 'tool', one)
    expect(swarm.recordFingerprint('a', 'tool', other).action).toBe('continue')
    expect(swarm.info(one)).toMatchObject({ totalCalls: 1 })
    swarm.free()
  })
})

describe('no arguments', () => {
  it.each([undefined, '', '  \n', {}, '{}', ' { } '])('%j is the same as none', (args) => {
    expect(same(args, undefined)).toBe(true)
    expect(same(args, {})).toBe(true)
  })

  it('is not the same as some', () => {
    expect(same(undefined, { a: 1 })).toBe(false)
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  // -0 is 0 in JSON.
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, part]) => [key, sorted(part)])
}
