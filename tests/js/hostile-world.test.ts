/** A hostile world around the detector: clocks, prototypes, ids, buffers, options of unknown origin. */

import {
  LoopDetector,
  type LoopDetectorOptions,
  LoopGuard,
  presets,
  SwarmDetector,
} from 'loophound'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { detector, untyped } from '../support/made.js'
import fc from '../support/property.js'
import { refusal, same } from './sameness.js'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The third of three equal calls, with their results, as the preset `nudge` sees it. */
function thirdCall(hound: LoopDetector, id?: string) {
  for (let i = 0; i < 2; i++) hound.record('read', { path: 'a' }, id)
  return hound.record('read', { path: 'a' }, id)
}

describe('a clock', () => {
  it.each([
    ['that goes backwards', () => 2_000_000_000_000 - calls++ * 1_000_000],
    ['before 1970', () => -5],
    ['that says NaN', () => Number.NaN],
    ['at the end of time', () => Number.MAX_VALUE],
    ['with fractions', () => 0.5 + calls++],
    ['that says nothing', () => untyped<number>(undefined)],
    ['that says a text', () => untyped<number>('noon')],
    ['that says a bigint', () => untyped<number>(5n)],
    ['that throws', () => fail(new Error('no time here'))],
    ['that throws a symbol', () => fail(Symbol('no time here'))],
  ])('%s changes no verdict', (_, now) => {
    const expected = thirdCall(detector('nudge'))
    vi.spyOn(Date, 'now').mockImplementation(now)
    const hound = detector('nudge')
    expect(thirdCall(hound)).toEqual(expected)
    expect(hound.state.lastWarningTime).toBeGreaterThanOrEqual(0)
    const copy = detector('nudge')
    copy.restoreFrom(JSON.parse(JSON.stringify(hound)))
    expect(copy.record('read', { path: 'a' })).toEqual(hound.record('read', { path: 'a' }))
  })

  it.each([
    () => fail(new Error('no time here')),
    () => Number.NaN,
    () => -1,
    () => 1e300,
    () => untyped<number>('noon'),
    () => untyped<number>(Symbol('noon')),
  ])('that fails later leaves the last good time (%#)', (now) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(7_000)
    const hound = detector('nudge')
    thirdCall(hound)
    expect(hound.state.lastWarningTime).toBe(7_000)
    clock.mockImplementation(now)
    expect(thirdCall(hound).count).toBe(6)
    expect(hound.state.lastWarningTime).toBe(7_000)
    clock.mockReturnValue(9_000)
    thirdCall(hound)
    expect(hound.state.lastWarningTime).toBe(9_000)
  })

  it('that goes backwards keeps a swarm working', () => {
    vi.spyOn(Date, 'now').mockImplementation(() => 2_000_000_000_000 - calls++ * 1_000_000)
    const swarm = new SwarmDetector()
    for (let i = 0; i < 9; i++) swarm.record(`worker-${i % 2}`, 'search', { q: 1 })
    expect(swarm.record('worker-1', 'search', { q: 1 }).kind).toBe('global')
    swarm.free()
  })

  it('that uses the detector is refused, and changes no verdict', () => {
    const expected = thirdCall(detector('nudge'))
    const hound = detector('nudge')
    const uses = [
      () => hound.record('other', { path: 'b'.repeat(100_000) }),
      () => hound.recordResult({ output: 'x' }),
      () => hound.isStuck(),
      () => hound.toJSON(),
      () => new LoopDetector(),
      () => new SwarmDetector().record('worker', 'read', {}),
      () => hound.free(),
    ]
    const errors: unknown[] = []
    vi.spyOn(Date, 'now').mockImplementation(() => {
      errors.push(...uses.map(thrownBy))
      return 5
    })
    expect(thirdCall(hound)).toEqual(expected)
    expect(errors.length).toBeGreaterThanOrEqual(uses.length)
    for (const error of errors) {
      expect(error).toEqual(new TypeError('loophound: called while it was at work'))
    }
    // Also where the clock lets the refusal through.
    const other = detector('nudge')
    vi.spyOn(Date, 'now').mockImplementation(() => (other.isStuck() ? 1 : 2))
    expect(thirdCall(other)).toEqual(expected)
  })

  it('that fails costs no other detector anything', () => {
    const bystander = detector('nudge')
    bystander.record('read', { path: 'a' })
    vi.spyOn(Date, 'now').mockImplementation(() => fail(new Error('no time here')))
    thirdCall(detector('nudge'))
    const guard = new LoopGuard({ detector: 'nudge', onError: fail })
    for (let i = 0; i < 10; i++) guard.call({ name: 'read', args: { path: 'a' } })
    guard.free()
    bystander.record('read', { path: 'a' })
    expect(bystander.record('read', { path: 'a' })).toMatchObject({ action: 'nudge', count: 3 })
  })

  let calls = 0
})

describe('an engine that breaks in use', () => {
  it('is one clear error, and the next detector works', () => {
    const hound = new LoopDetector('nudge')
    hound.record('read', { path: 'a' })
    const saved = JSON.stringify(hound)
    const bystander = new LoopDetector('nudge')
    hound.record('read', { path: 'a' })
    // What does not fit the engine's buffer cannot be read there.
    vi.spyOn(TextEncoder.prototype, 'encodeInto').mockImplementation((text) => ({
      read: text.length,
      written: 1_000_000_000,
    }))
    const broken = thrownBy(() => hound.record('read', { path: 'a'.repeat(100) }))
    vi.restoreAllMocks()
    expect(broken.message).toMatch(/^loophound: the engine stopped unexpectedly.*restoreFrom\(\)/)
    expect(broken.cause).toEqual(new Error('the engine could not read its buffer'))
    // Every detector of that engine says the same from now on, at any method, and can be freed.
    for (const lost of [hound, bystander]) {
      expect(thrownBy(() => lost.record('read'))).toBe(broken)
      expect(thrownBy(() => lost.pushText('x'))).toBe(broken)
      expect(thrownBy(() => lost.toJSON())).toBe(broken)
      expect(thrownBy(() => lost.reset())).toBe(broken)
      expect(() => lost.free()).not.toThrow()
    }
    const next = detector('nudge')
    next.restoreFrom(JSON.parse(saved))
    next.record('read', { path: 'a' })
    expect(next.record('read', { path: 'a' })).toMatchObject({ action: 'nudge', count: 3 })
  })
})

describe('a polluted prototype', () => {
  const polluted = (pollution: Record<string, unknown>, act: () => void) => {
    const names = Object.keys(pollution)
    for (const name of names) {
      Object.defineProperty(Object.prototype, name, {
        value: pollution[name],
        configurable: true,
        enumerable: true,
        writable: true,
      })
    }
    try {
      act()
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name)
    }
  }

  it('sets no option, no call and no verdict', () => {
    const expected = thirdCall(detector('nudge'))
    const options = { preset: 'nudge', tools: { other: { exempt: true } } } as const
    const pollution = { threshold: 2, tools: { read: { exempt: true } }, exempt: true, stop: 1 }
    let verdict: unknown
    polluted(pollution, () => {
      const hound = new LoopDetector(options)
      verdict = { ...thirdCall(hound) }
      hound.free()
    })
    expect(verdict).toEqual(expected)
  })

  it('is not changed by input', () => {
    const nasty =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"polluted":1}'
    const hound = detector('nudge')
    const swarm = new SwarmDetector()
    hound.record('__proto__', JSON.parse(nasty), '__proto__')
    hound.recordResult({ id: '__proto__', output: JSON.parse(nasty) })
    hound.record('constructor', nasty)
    swarm.record('__proto__', '__proto__', JSON.parse(nasty))
    expect(() => hound.restoreFrom(JSON.parse(nasty))).toThrow(RangeError)
    expect(() => new LoopDetector(JSON.parse(nasty))).toThrow(/^options\.(__proto__|constructor)/)
    expect(() => new LoopDetector(JSON.parse(`{"tools":{"x":${nasty}}}`))).toThrow(TypeError)
    const named = detector(JSON.parse('{"preset":"nudge","tools":{"__proto__":{"threshold":2}}}'))
    named.record('__proto__')
    expect(named.record('__proto__')).toMatchObject({ tool: '__proto__', count: 2 })
    expect('polluted' in {}).toBe(false)
    swarm.free()
  })

  it('with a toJSON is applied as by JSON.stringify, and calls are still counted', () => {
    let verdict: unknown
    polluted({ toJSON: () => 'x' }, () => {
      const hound = new LoopDetector('nudge')
      verdict = { ...thirdCall(hound) }
      hound.free()
    })
    expect(verdict).toMatchObject({ action: 'nudge', count: 3 })
  })
})

describe('ids', () => {
  it('that collide do not change how calls are counted', () => {
    expect(thirdCall(detector('nudge'), 'same')).toMatchObject({ action: 'nudge', count: 3 })
  })

  it('that collide are answered one after the other, each once', () => {
    const hound = detector('nudge')
    const fail = () => hound.recordResult({ id: 'same', ok: false, output: 'exit code 1' })
    for (const command of ['a', 'b', 'c']) hound.record('bash', { command }, 'same')
    const answers = [fail(), fail(), fail(), fail()].map(({ kind }) => kind)
    expect(answers.filter((kind) => kind === 'failure-cascade').length).toBe(1)
  })

  it.each([
    ['empty', ''],
    ['a space', ' '],
    ['a zero', '\0'],
    ['half a character', '\ud800'],
    ['__proto__', '__proto__'],
    ['a million characters', 'x'.repeat(1_000_000)],
  ])('may be %s', (_, id) => {
    const hound = detector()
    hound.record('read', {}, id)
    expect(hound.recordResult({ id, output: 'fine' }).action).toBe('continue')
  })
})

describe('a million', () => {
  it('distinct tools take no more memory', () => {
    const hound = detector()
    for (let tool = 0; tool < 1_000_000; tool++) hound.record(`tool-${tool}`, '{}')
    expect(JSON.stringify(hound).length).toBeLessThan(100_000)
    expect(hound.verdict.action).toBe('continue')
  })

  it('calls in one batch are judged', () => {
    const hound = detector('window')
    const verdict = hound.recordBatch(Array(1_000_000).fill({ name: 'read', args: '{}' }))
    expect(verdict.action).toBe('stop')
    expect(JSON.stringify(hound).length).toBeLessThan(100_000)
  })
})

describe('buffers', () => {
  type Resizable = new (length: number, options: { maxByteLength: number }) => ArrayBuffer
  const make = (length: number) =>
    new (ArrayBuffer as unknown as Resizable)(length, { maxByteLength: 64 })
  const resize = (buffer: ArrayBuffer, to: number) =>
    untyped<{ resize(to: number): void }>(buffer).resize(to)

  it('that can be resized are what they hold now', () => {
    const buffer = make(2)
    expect(same({ buffer }, { buffer: new ArrayBuffer(2) })).toBe(true)
    resize(buffer, 3)
    expect(same({ buffer }, { buffer: new ArrayBuffer(2) })).toBe(false)
    expect(same({ buffer }, { buffer: new ArrayBuffer(3) })).toBe(true)
  })

  it('that shrank under a view are refused, and the view that follows is not', () => {
    const buffer = make(8)
    const [fixed, following, data] = [
      new Uint8Array(buffer, 4, 4),
      new Uint8Array(buffer),
      new DataView(buffer, 4, 4),
    ]
    resize(buffer, 2)
    expect(same({ a: following }, { a: new Uint8Array(2) })).toBe(true)
    expect(refusal({ a: data })).toBeInstanceOf(TypeError)
    expect(refusal({ a: fixed })).toBeInstanceOf(TypeError)
  })

  it('that are shared are compared by content', () => {
    const shared = new SharedArrayBuffer(4)
    expect(same({ a: new Uint8Array(shared) }, { a: new Uint8Array(4) })).toBe(true)
    expect(same({ a: shared }, { a: shared })).toBe(true)
    new Uint8Array(shared)[0] = 1
    expect(same({ a: new Uint8Array(shared) }, { a: new Uint8Array(4) })).toBe(false)
  })
})

describe('toJSON', () => {
  it('that returns its own object is called once', () => {
    const self: Record<string, unknown> = { a: 1 }
    self.toJSON = () => self
    expect(same(self, self)).toBe(true)
  })

  it('that calls itself without end is refused by name', () => {
    const endless = { toJSON: (): unknown => endless.toJSON() }
    expect(refusal(endless).message).toMatch(/^record\(args\): args could not be read: /)
  })

  it('may record a call, or stringify the detector', () => {
    const hound = detector('nudge')
    const args = { toJSON: () => [JSON.stringify(hound).length > 0, hound.record('inner').action] }
    for (let i = 0; i < 2; i++) hound.record('outer', args)
    expect(hound.recentNames()).toEqual(['inner', 'outer', 'inner', 'outer'])
  })
})

describe('an error whose message is not a text', () => {
  it.each([
    Symbol('s'),
    null,
    { toString: () => Reflect.ownKeys(untyped(1)) },
    new Proxy({}, { get: () => Reflect.ownKeys(untyped(1)) }),
  ])('%# is still reported as a TypeError', (message) => {
    const thrown = Object.defineProperty(new Error(), 'message', { value: message })
    const args = {
      get a() {
        throw thrown
      },
    }
    expect(refusal(args)).toBeInstanceOf(TypeError)
    expect(refusal(args).message).toMatch(/^record\(args\): args could not be read: /)
    expect(refusal(args).cause).toBe(thrown)
  })
})

describe('options from JSON of unknown origin', () => {
  const names = [...new Set(Object.values(presets).flatMap(keysWithin))]
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, 1, 2, 3, -1, 1e9, 0.5, 'nudge', 'count', 'stop', ''),
      fc.dictionary(fc.constantFrom(...names, '__proto__', 'x'), tie('json'), { maxKeys: 4 }),
      fc.array(tie('json'), { maxLength: 3 }),
    ),
  }))

  it('make a working detector, or an error that names the option', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 3 }), (options) => {
        const given = JSON.parse(JSON.stringify(options)) as LoopDetectorOptions
        const before = JSON.stringify(given)
        const made = attempt(() => new LoopDetector(given))
        expect(JSON.stringify(given)).toBe(before)
        if (made instanceof LoopDetector) {
          accepted += 1
          for (let i = 0; i < 10; i++) made.record('bash', { command: 'ls' })
          made.free()
          return
        }
        expect(made instanceof TypeError || made instanceof RangeError).toBe(true)
        expect(made.message).toMatch(/^options/)
      }),
      { numRuns: 2000, seed: 7 },
    )
    expect(accepted).toBeGreaterThan(20)
  })
})

/** Every key at every level. */
function keysWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(value) ? keysWithin(inner) : [key, ...keysWithin(inner)],
  )
}

function attempt(act: () => LoopDetector): LoopDetector | Error {
  try {
    return act()
  } catch (error) {
    return error as Error
  }
}

function thrownBy(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

function fail(error: unknown): never {
  throw error
}
