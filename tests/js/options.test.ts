/** Options: read once, never changed, refused by name. */

import { LoopDetector, type LoopDetectorOptions, SwarmDetector } from 'loophound'
import { describe, expect, it } from 'vitest'

function make(options: unknown): LoopDetector {
  return new LoopDetector(options as LoopDetectorOptions)
}

function refusal(options: unknown): Error {
  try {
    make(options).free()
  } catch (error) {
    return error as Error
  }
  throw new Error('the options were accepted')
}

describe('a bad option', () => {
  it.each([
    [{ treshold: 3 }, TypeError, 'options.treshold'],
    [{ threshold: '3' }, TypeError, 'options.threshold'],
    [{ threshold: 0 }, RangeError, 'options.threshold'],
    [{ threshold: 2.5 }, RangeError, 'options.threshold'],
    [{ window: -1 }, RangeError, 'options.window'],
    [{ preset: 'strict' }, RangeError, 'options.preset'],
    ['strict', RangeError, 'options.preset'],
    [{ iterationCap: 'many' }, TypeError, 'options.iterationCap'],
    [{ tools: { a: { class: 'shovel' } } }, RangeError, 'options.tools.a.class'],
    [{ tools: { a: { clas: 'shell' } } }, TypeError, 'options.tools.a.clas'],
    [
      { detectors: { cycle: { rungs: [{ at: 1, action: 'shout', level: 'notice' }] } } },
      RangeError,
      'options.detectors.cycle.rungs',
    ],
    [{ messages: { 'exact-repeat': 7 } }, TypeError, 'options.messages.exact-repeat'],
  ])('%j is named in the error', (options, type, name) => {
    const error = refusal(options)
    expect(error.constructor).toBe(type)
    expect(error.message).toContain(name)
  })

  it('says what was given and what is allowed', () => {
    expect(refusal({ threshold: 0 }).message).toMatch(
      /^options\.threshold must be a whole number from \d+ to \d+; got 0$/,
    )
    expect(refusal({ treshold: 3 }).message).toContain('allowed: ')
  })

  it('that is not data is refused, wherever it is', () => {
    const cycle: Record<string, unknown> = {}
    cycle.tools = cycle
    const deep: unknown = JSON.parse(`${'{"tools":'.repeat(1000)}1${'}'.repeat(1000)}`)
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const hostile: [string, unknown, string][] = [
      ['function', { threshold: () => 3 }, 'options.threshold must be plain data; got a function'],
      ['bigint', { window: 10n }, 'options.window must be plain data; got a bigint'],
      ['symbol', { window: Symbol('w') }, 'options.window must be plain data; got a symbol'],
      ['Map', { tools: new Map() }, 'options.tools must be plain data; got a Map'],
      [
        'Date',
        { messages: { cycle: new Date(0) } },
        'options.messages.cycle must be plain data; got a Date',
      ],
      [
        'identity',
        { tools: { a: { identity: 'path' } } },
        'options.tools.a.identity must be a function; got "path"',
      ],
      ['cycle', cycle, 'levels deep, or holds itself'],
      ['depth', deep, 'levels deep, or holds itself'],
      ['size', { tables: { primaryKeys: new Array(1e6).fill('a') } }, 'more than 100000 values'],
      ['revoked proxy', revoked.proxy, 'cannot be looked at'],
      ['inner revoked proxy', { tools: revoked.proxy }, 'options.tools must be plain data'],
    ]
    for (const [name, options, message] of hostile) {
      const error = refusal(options)
      expect(error, name).toBeInstanceOf(TypeError)
      expect(error.message, name).toContain(message)
    }
  })

  it('whose getter throws is named, with the cause', () => {
    const cause = new Error('boom')
    const error = refusal({
      tools: {
        get a() {
          throw cause
        },
      },
    })
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toBe('options.tools.a could not be read: boom')
    expect(error.cause).toBe(cause)
  })

  it('whose getter throws null is named, too', () => {
    const nothing = {
      get tools(): never {
        throw null
      },
    }
    expect(refusal(nothing as never)).toEqual(
      new TypeError('options.tools could not be read: null'),
    )
  })

  it('does not affect the next detector', () => {
    refusal({ threshold: 0 })
    const hound = make('nudge')
    for (let i = 0; i < 2; i++) hound.record('a')
    expect(hound.record('a').count).toBe(3)
    hound.free()
  })
})

describe('options', () => {
  it('are read once, when the detector is made', () => {
    let reads = 0
    const tools = { a: { identity: () => 'first' as string } }
    const options = {
      preset: 'nudge',
      get threshold() {
        reads += 1
        return 3
      },
      tools,
    }
    const hound = make(options)
    tools.a.identity = () => {
      throw new Error('changed later')
    }
    for (let i = 0; i < 2; i++) hound.record('a', { i })
    expect(hound.record('a', { i: 2 }).count).toBe(3)
    expect(reads).toBe(1)
    hound.free()
  })

  it('are never changed', () => {
    const identity = () => 'x'
    const options = {
      preset: 'nudge',
      tools: { a: { identity, ignore: ['b'] } },
      window: undefined,
    }
    const copy = { preset: 'nudge', tools: { a: { identity, ignore: ['b'] } }, window: undefined }
    make(options).free()
    expect(options).toEqual(copy)
    make(Object.freeze({ tools: Object.freeze({}) })).free()
  })

  it('that are undefined are absent', () => {
    const hound = make({ preset: undefined, threshold: undefined, tools: { a: undefined } })
    expect(hound.isStuck()).toBe(false)
    hound.free()
  })

  it('may name a tool __proto__', () => {
    const tools: unknown = JSON.parse('{"__proto__": {"exempt": true}}')
    const hound = make({ preset: 'nudge', tools })
    for (let i = 0; i < 5; i++) expect(hound.record('__proto__').action).toBe('continue')
    expect(Object.prototype).not.toHaveProperty('exempt')
    hound.free()
  })

  it('do not inherit', () => {
    const hound = make(Object.create({ threshold: 99 }))
    hound.free()
  })

  it('fuzzy is one more than exact when only exact is set', () => {
    const hound = make({ preset: 'nudge', threshold: 5 })
    expect(hound.state).toMatchObject({ threshold: 5, fuzzyThreshold: 6 })
    hound.free()
  })

  it('change texts, per kind and per level', () => {
    const hound = make({
      preset: 'nudge',
      messages: { 'exact-repeat': { notice: '{tool} again, {count} times' }, summary: 'Work.' },
    })
    for (let i = 0; i < 2; i++) hound.record('read')
    expect(hound.record('read').message).toBe('read again, 3 times')
    expect(hound.record('read').message).toContain('WARNING')
    hound.recordText('a')
    expect(hound.recordText('b').message).toBe('Work.')
    hound.free()
  })

  it('switch patterns off', () => {
    const hound = make({
      preset: 'nudge',
      detectors: { 'exact-repeat': false, 'fuzzy-repeat': false },
    })
    for (let i = 0; i < 9; i++) expect(hound.record('read').action).toBe('continue')
    hound.free()
  })

  it('exempt tools, which are still counted and named', () => {
    const hound = make({ preset: 'nudge', tools: { poll: { exempt: true } } })
    for (let i = 0; i < 9; i++) expect(hound.record('poll').action).toBe('continue')
    expect(hound.recentNames()).toEqual(Array(5).fill('poll'))
    for (let i = 0; i < 2; i++) hound.record('read')
    expect(hound.record('read').since).toBe(9)
    hound.free()
  })

  it('ignore argument keys', () => {
    const hound = make({ preset: 'nudge', tools: { ask: { ignore: ['nonce'] } } })
    for (const nonce of [1, 2]) hound.record('ask', { q: 'why', nonce })
    expect(hound.record('ask', { nonce: 3, q: 'why' })).toMatchObject({
      kind: 'exact-repeat',
      count: 3,
    })
    hound.free()
  })
})

describe("a swarm's options", () => {
  it.each([
    [5, TypeError, 'SwarmDetector(options): options must be an object; got 5'],
    ['nudge', TypeError, 'SwarmDetector(options): options must be an object; got "nudge"'],
    [{ threshold: () => 1 }, TypeError, 'options.threshold must be plain data; got a function'],
    [{ capacity: 0 }, RangeError, 'options.capacity'],
    [{ workers: 2 }, TypeError, 'options.workers'],
  ])('%j is refused by name', (options, type, message) => {
    const act = () => new SwarmDetector(options as ConstructorParameters<typeof SwarmDetector>[0])
    expect(act).toThrow(type)
    expect(act).toThrow(message)
  })
})
