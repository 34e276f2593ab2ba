/** The façade's contract, method by method. */

import { LoopDetector, type LoopDetectorOptions, type ToolCall, type ToolResult } from 'loophound'
import { afterEach, describe, expect, it } from 'vitest'

const made: LoopDetector[] = []

function detector(options?: ConstructorParameters<typeof LoopDetector>[0]): LoopDetector {
  const fresh = new LoopDetector(options)
  made.push(fresh)
  return fresh
}

afterEach(() => {
  for (const one of made.splice(0)) one.free()
})

/** Calls a method the way JavaScript may, without the compiler's protection. */
function untyped<T>(value: unknown): T {
  return value as T
}

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
      since: -1,
      wasted: 0,
      message: null,
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

  it('is content with nothing', () => {
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
    class Call implements ToolCall {
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

describe('bad arguments', () => {
  const hound = () => detector()
  const cases: [string, () => unknown, string][] = [
    [
      'record()',
      () => hound().record(untyped(undefined)),
      'record(name): name must be a string; got undefined',
    ],
    ['record(5)', () => hound().record(untyped(5)), 'record(name): name must be a string; got 5'],
    [
      'record id',
      () => hound().record('a', {}, untyped(7)),
      'record(id): id must be a string; got 7',
    ],
    [
      'record null id',
      () => hound().record('a', {}, untyped(null)),
      'record(id): id must be a string; got null',
    ],
    [
      'recordBatch()',
      () => hound().recordBatch(untyped(undefined)),
      'recordBatch(calls): calls must be an array of calls; got undefined',
    ],
    [
      'recordBatch object',
      () => hound().recordBatch(untyped({})),
      'recordBatch(calls): calls must be an array of calls; got an object',
    ],
    [
      'recordBatch hole',
      () => hound().recordBatch(new Array(1)),
      'recordBatch(calls): calls[0] must be an object; got undefined',
    ],
    [
      'recordBatch id',
      () => hound().recordBatch([untyped({ name: 'a', id: 1 })]),
      'recordBatch(calls): calls[0].id must be a string; got 1',
    ],
    [
      'recordResult()',
      () => hound().recordResult(untyped(undefined)),
      'recordResult(result): result must be an object; got undefined',
    ],
    [
      'recordResult list',
      () => hound().recordResult(untyped([])),
      'recordResult(result): result must be an object; got an array',
    ],
    [
      'recordResult id',
      () => hound().recordResult(untyped({ id: 1 })),
      'recordResult(result): result.id must be a string; got 1',
    ],
    [
      'recordResult name',
      () => hound().recordResult(untyped({ name: {} })),
      'recordResult(result): result.name must be a string; got an object',
    ],
    [
      'recordResult ok',
      () => hound().recordResult(untyped({ ok: 'yes' })),
      'recordResult(result): result.ok must be true or false; got "yes"',
    ],
    [
      'recordText',
      () => hound().recordText(untyped(null)),
      'recordText(text): text must be a string; got null',
    ],
    [
      'pushText',
      () => hound().pushText(untyped(Symbol('x'))),
      'pushText(chunk): chunk must be a string; got a symbol',
    ],
    [
      'pushText channel',
      () => hound().pushText('x', untyped('loud')),
      'pushText(channel): channel must be "text" or "reasoning"; got "loud"',
    ],
    [
      'extend',
      () => hound().extend(untyped({})),
      'extend(by): by must be "stop", "continue_50", "continue_200" or a whole number from 0 to 1000000; got an object',
    ],
    [
      'restoreFrom',
      () => hound().restoreFrom('{}'),
      'restoreFrom(snapshot): snapshot must be an object made by toJSON(); got "{}"',
    ],
    [
      'new',
      () => detector(untyped(5)),
      'LoopDetector(options): options must be a preset name or an object; got 5',
    ],
    [
      'new null',
      () => detector(untyped(null)),
      'LoopDetector(options): options must be a preset name or an object; got null',
    ],
    [
      'new array',
      () => detector(untyped([])),
      'LoopDetector(options): options must be a preset name or an object; got an array',
    ],
  ]
  for (const [name, act, message] of cases) {
    it(`${name} is refused by name`, () => {
      expect(act).toThrow(new TypeError(message))
    })
  }

  for (const by of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32, 'continue_10']) {
    it(`extend(${by}) is out of range`, () => {
      expect(() => hound().extend(untyped(by))).toThrow(RangeError)
    })
  }

  it('leave the detector as it was', () => {
    const hound = detector('nudge')
    hound.record('read')
    hound.record('read')
    expect(() => hound.record(untyped(undefined))).toThrow(TypeError)
    expect(() => hound.recordResult(untyped(3))).toThrow(TypeError)
    expect(hound.record('read')).toMatchObject({ action: 'nudge', count: 3 })
  })

  it('getters that throw are reported with their cause', () => {
    const cause = new Error('boom')
    const trap = {
      get id(): string {
        throw cause
      },
    }
    expect(() => hound().recordResult(trap)).toThrow(
      new TypeError('recordResult(result): result could not be read: boom', { cause }),
    )
    expect(() => hound().recordBatch([untyped(trap)])).toThrow(
      new TypeError('recordBatch(calls): calls[0] could not be read: boom', { cause }),
    )
  })
})

describe('free', () => {
  const uses: [string, (hound: LoopDetector) => unknown][] = [
    ['record', (hound) => hound.record('a')],
    ['recordBatch', (hound) => hound.recordBatch([])],
    ['recordResult', (hound) => hound.recordResult({})],
    ['recordText', (hound) => hound.recordText('a')],
    ['pushText', (hound) => hound.pushText('a')],
    ['beginTurn', (hound) => hound.beginTurn()],
    ['userMessage', (hound) => hound.userMessage()],
    ['isStuck', (hound) => hound.isStuck()],
    ['verdict', (hound) => hound.verdict],
    ['state', (hound) => hound.state],
    ['recentNames', (hound) => hound.recentNames()],
    ['clearAfterFeedback', (hound) => hound.clearAfterFeedback()],
    ['extend', (hound) => hound.extend(1)],
    ['reset', (hound) => hound.reset()],
    ['toJSON', (hound) => hound.toJSON()],
    ['restoreFrom', (hound) => hound.restoreFrom({})],
  ]
  for (const [name, use] of uses) {
    it(`${name} says so afterwards`, () => {
      const hound = new LoopDetector()
      hound.free()
      expect(() => use(hound)).toThrow(new TypeError('this LoopDetector was freed; make a new one'))
    })
  }

  it('may be called twice', () => {
    const hound = new LoopDetector()
    hound.free()
    expect(() => hound.free()).not.toThrow()
  })

  it('is what `using` calls', () => {
    const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose')
    const hound = new LoopDetector()
    hound[dispose]()
    expect(() => hound.isStuck()).toThrow(TypeError)
  })

  it('leaves other detectors alone', () => {
    const one = detector('nudge')
    const two = new LoopDetector('nudge')
    for (const hound of [one, two]) hound.record('read')
    two.free()
    one.record('read')
    expect(one.record('read').count).toBe(3)
  })

  it('in the middle of a call is noticed', () => {
    const hound: LoopDetector = detector({
      tools: {
        suicidal: {
          identity: () => {
            hound.free()
            return 'gone'
          },
        },
      },
    })
    expect(() => hound.record('suicidal')).toThrow(/was freed/)
  })
})

describe('identity functions', () => {
  function seen(args: unknown): unknown {
    let got: unknown
    detector({
      tools: {
        t: {
          identity: (given) => {
            got = given
          },
        },
      },
    }).record('t', args)
    return got
  }

  it('get the arguments, parsed if they are JSON', () => {
    const args = { a: 1 }
    expect(seen(args)).toBe(args)
    expect(seen('{"a": [1, 2]}')).toEqual({ a: [1, 2] })
    expect(seen('not json')).toBe('not json')
    expect(seen(undefined)).toBe(undefined)
  })

  it('decide what is the same', () => {
    const byHost: LoopDetectorOptions = {
      preset: 'nudge',
      tools: { fetch: { identity: (args) => new URL((args as { url: string }).url).host } },
    }
    const hound = detector(byHost)
    hound.record('fetch', { url: 'https://a.example/1' })
    hound.record('fetch', { url: 'https://a.example/2' })
    expect(hound.record('fetch', { url: 'https://a.example/3' })).toMatchObject({
      kind: 'exact-repeat',
      count: 3,
    })
    expect(hound.record('fetch', { url: 'https://b.example/3' }).action).toBe('continue')
  })

  it('may return data, or nothing to compare as usual', () => {
    const hound = detector({
      preset: 'nudge',
      tools: {
        data: { identity: (args) => [(args as { a: number }).a] },
        usual: { identity: () => null },
      },
    })
    for (const b of [1, 2]) hound.record('data', { a: 1, b })
    expect(hound.record('data', { a: 1, b: 3 }).count).toBe(3)
    for (const b of [1, 2, 3]) expect(hound.record('usual', { b }).action).toBe('continue')
  })

  it('that throw are named, and nothing is recorded', () => {
    const cause = new Error('boom')
    const hound = detector({
      tools: {
        t: {
          identity: () => {
            throw cause
          },
        },
      },
    })
    const expected = new TypeError('options.tools.t.identity threw: boom', { cause })
    expect(() => hound.record('t')).toThrow(expected)
    expect(() => hound.recordBatch([{ name: 'a' }, { name: 't' }])).toThrow(expected)
    expect(hound.recentNames()).toEqual([])
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
