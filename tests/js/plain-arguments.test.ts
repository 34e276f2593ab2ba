/** Arguments that are plain data: what `JSON.stringify` makes of them reaches the engine. */

import { LoopDetector } from 'loophound'
import { describe, expect, it, vi } from 'vitest'
import fc from '../support/property.js'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

/** Compares arguments as written, to the last character. */
function byText(): LoopDetector {
  return new LoopDetector({ preset: 'guard', rawLength: 1_000_000 })
}

/** Whether the detector took the two for one call. */
function isSameText(one: unknown, other: unknown): boolean {
  const detector = byText()
  detector.record('tool', one)
  detector.record('tool', other)
  const { consecutiveCount } = detector.state
  detector.free()
  return consecutiveCount === 2
}

const unit = fc.constantFrom(
  ...'ab "\\/\b\t\n\f\r\u0000\u001f\u007f\u2028é東😀',
  '\ud800',
  '\udc00',
)
/** Short, medium and long ones. */
const text = fc
  .tuple(fc.string({ unit }), fc.constantFrom(1, 1, 7, 40), fc.constantFrom('', '-'.repeat(60)))
  .map(([part, times, plain]) => part.repeat(times) + plain)
const data = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, undefined, 0, -0, 9, 10, 1e9, 1e21, -1.5e-7),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(text, tie('value'), { maxKeys: 5 }) as fc.Arbitrary<object>,
}))

describe('plain data', () => {
  it('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(data.object, (args) => {
        expect(isSameText(args, JSON.stringify(args))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('may be larger than any buffer so far', () => {
    for (const size of [100, 5_000, 20_000, 300_000]) {
      const args = { list: Array.from({ length: size / 100 }, (_, at) => 'x'.repeat(90) + at) }
      const long = { text: '"x"\n'.repeat(size / 4) }
      expect(isSameText(args, JSON.stringify(args))).toBe(true)
      expect(isSameText(long, JSON.stringify(long))).toBe(true)
    }
  })

  it('keeps lone surrogates apart', () => {
    expect(isSameText({ a: 'x\ud800' }, { a: 'x\ud801' })).toBe(false)
    expect(isSameText({ a: 'x\ud800' }, JSON.stringify({ a: 'x\ud800' }))).toBe(true)
  })

  it('may be an array with another prototype', () => {
    for (const prototype of [null, Object.prototype]) {
      const list: unknown = Object.setPrototypeOf([1, 2], prototype)
      expect(isSameText({ list }, '{"list":[1,2]}')).toBe(true)
    }
  })

  it('is compared the same way as a result', () => {
    const output = { lines: ['one "two"\n'.repeat(50), 'three'], count: 3 }
    const detector = new LoopDetector()
    for (let i = 0; i < 5; i++) {
      const given = i % 2 === 0 ? output : JSON.stringify(output)
      expect(detector.record('look_up', { key: 1 }).action).toBe('continue')
      expect(detector.recordResult({ name: 'look_up', output: given }).action).toBe('continue')
    }
    expect(detector.record('look_up', { key: 1 })).toMatchObject({ kind: 'no-progress', count: 6 })
    detector.free()
  })
})

describe('a getter that runs meanwhile', () => {
  const withGetter = (act: () => void) => ({
    before: 'a'.repeat(300),
    get middle() {
      act()
      return 'b'
    },
    after: 'c',
  })
  const meant = JSON.stringify({ before: 'a'.repeat(300), middle: 'b', after: 'c' })

  it.each<[string, () => void]>([
    ['nothing', () => {}],
    ['records text', () => byText().record('other', 'z'.repeat(400))],
    ['records data', () => byText().record('other', { z: 'z'.repeat(400) })],
    ['records a result', () => byText().recordResult({ output: { z: 'z' } })],
    ['makes the memory move', () => byText().record('other', 'z'.repeat(3_000_000))],
    ['makes detectors', () => Array.from({ length: 200 }, () => new LoopDetector())],
  ])('%s', (_, act) => {
    expect(isSameText(withGetter(act), meant)).toBe(true)
  })

  it('moves the buffer within the memory', () => {
    const one = byText()
    const other = byText()
    for (let turn = 0; turn < 20; turn++) {
      // A large buffer that is given back leaves a hole, into which the next one fits.
      one.record('x', 'z'.repeat(1_200_000))
      one.record('x', '{}')
      const made = Array.from({ length: 20 }, () => new LoopDetector())
      one.record('t', {
        get middle() {
          other.record('y', 'q'.repeat(20_000))
          made.push(new LoopDetector())
          return 1
        },
        after: 'x'.repeat(9000),
      })
      const args = { path: 'a.ts' }
      for (const detector of made) {
        expect(detector.record('read', args).action).toBe('continue')
        detector.free()
      }
    }
    one.free()
    other.free()
  })

  it('shortens a list', () => {
    const list: unknown[] = []
    list.push(
      {
        get x() {
          list.length = 1
          return 1
        },
      },
      2,
      3,
    )
    expect(isSameText({ list }, '{"list":[{"x":1}]}')).toBe(true)
  })

  it('throws', () => {
    const detector = byText()
    const args = withGetter(() => {
      throw new Error('not today')
    })
    expect(() => detector.record('tool', args)).toThrow(
      new TypeError('record(args): args could not be read: not today'),
    )
    expect(detector.state.consecutiveCount).toBe(0)
    detector.free()
  })

  it('frees the detector', () => {
    const detector = byText()
    const args = withGetter(() => detector.free())
    expect(() => detector.record('tool', args)).toThrow('was freed')
  })

  it('adds a property to all objects', () => {
    const args = { a: 1 }
    const polluted = Object.prototype as { polluted?: string }
    polluted.polluted = 'everywhere'
    try {
      expect(isSameText(args, '{"a":1}')).toBe(true)
    } finally {
      delete polluted.polluted
    }
  })
})
