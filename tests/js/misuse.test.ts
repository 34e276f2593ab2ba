/** What a detector does with bad arguments, and after it was freed. */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector, untyped } from '../support/made.js'

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
      'pushText(channel): channel must be "text", "reasoning" or "arguments"; got "loud"',
    ],
    [
      'extend',
      () => hound().extend(untyped({})),
      'extend(by): by must be "stop", "continue50", "continue200" or a whole number from 0 to 1000000; got an object',
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

  it('in the middle of a call is an error', () => {
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
