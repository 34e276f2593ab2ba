/**
 * Follows seeds/001_12db55a645ee1ded.txt (preset `guard`), "Stable fingerprint: tool name + first
 * 200 chars of args". The seed cuts at byte 200 and panics when that splits a character; DESIGN.md
 * asks for a cut on a character boundary.
 */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, repeat, run } from '../support/events.js'
import { detections, last } from '../support/verdicts.js'

/** Whether `guard` takes the two argument values for the same call. */
function same(one: unknown, two: unknown): boolean {
  const detector = new LoopDetector('guard')
  const verdicts = run(detector, [...repeat(4, call('Write', one)), call('Write', two)])
  return last(verdicts).action !== 'continue'
}

describe('tool name + first 200 chars of args', () => {
  it('a difference in the 200th character is a difference', () => {
    const prefix = 'x'.repeat(199)
    expect(same(`${prefix}a`, `${prefix}b`)).toBe(false)
    expect(same(`${prefix}a tail`, `${prefix}b tail`)).toBe(false)
  })

  it('a difference in the 201st is none', () => {
    const prefix = 'x'.repeat(200)
    expect(same(`${prefix}a`, `${prefix}b`)).toBe(true)
    expect(same(prefix, `${prefix}b`)).toBe(true)
    expect(same(`${prefix}a`, `${prefix}${'b'.repeat(10_000)}`)).toBe(true)
  })

  it('199 characters and the same with one more are different', () => {
    expect(same('x'.repeat(199), 'x'.repeat(200))).toBe(false)
  })

  it('of args as the model wrote them: order and white space count', () => {
    expect(same('{"a":1,"b":2}', '{"a":1,"b":2}')).toBe(true)
    expect(same('{"a":1,"b":2}', '{"b":2,"a":1}')).toBe(false)
    expect(same('{"a":1}', '{"a": 1}')).toBe(false)
    expect(same('{"a":1}', '{"a":1.0}')).toBe(false)
  })

  it("an object counts as its JSON text, so the 200 characters are that text's", () => {
    expect(same({ a: 1, b: 2 }, '{"a":1,"b":2}')).toBe(true)
    expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
    const opening = '{"text":"'.length
    const text = (length: number, end: string) => ({ text: 'x'.repeat(length - opening) + end })
    expect(same(text(199, 'a'), text(199, 'b'))).toBe(false)
    expect(same(text(200, 'a'), text(200, 'b'))).toBe(true)
  })

  it('args that are not JSON are taken as they are', () => {
    expect(same('{"path": unfinished', '{"path": unfinished')).toBe(true)
    expect(same('{"path": unfinished', '{"path": unfinishe')).toBe(false)
  })

  it('stable: the same on another detector', () => {
    const args = `{"text":"${'漢字'.repeat(300)}"}`
    const first = run(new LoopDetector('guard'), repeat(5, call('Write', args)))
    const second = run(new LoopDetector('guard'), repeat(5, call('Write', args)))
    expect(second).toEqual(first)
  })
})

describe.each([
  ['é', 2],
  ['漢', 3],
  ['😀', 4],
])('arguments whose 200th byte lies inside %s', (char, bytes) => {
  // Shifting by one byte at a time puts byte 200 at each place inside and between the characters.
  const shifts = Array.from({ length: bytes * 2 }, (_, i) => 'x'.repeat(i))

  it.each(shifts.map((shift) => [shift.length, shift] as const))(
    'never panic and are counted, at shift %i',
    (_, shift) => {
      const args = shift + char.repeat(400)
      const verdicts = run(new LoopDetector('guard'), repeat(5, call('Write', args)))
      expect(detections(verdicts)).toEqual([4])
      expect(last(verdicts).message).toBe(
        "'Write' called 5 times consecutively with identical arguments",
      )
    },
  )

  it.each(shifts.map((shift) => [shift.length, shift] as const))(
    'and are cut after 200 characters, not bytes, at shift %i',
    (_, shift) => {
      const before = shift + char.repeat(199 - shift.length)
      expect(same(`${before}a`, `${before}b`)).toBe(false)
      expect(same(`${before}${char}a`, `${before}${char}b`)).toBe(true)
    },
  )

  it('also when the character itself is the 200th', () => {
    const before = 'x'.repeat(199)
    expect(same(`${before}${char}`, `${before}${char}`)).toBe(true)
    expect(same(`${before}${char}`, `${before}y`)).toBe(false)
  })

  it('also inside JSON', () => {
    const args = { text: char.repeat(400) }
    expect(detections(run(new LoopDetector('guard'), repeat(5, call('Write', args))))).toEqual([4])
  })

  it('and the detector works on afterwards', () => {
    const detector = new LoopDetector('guard')
    run(detector, repeat(4, call('Write', `xxx${char.repeat(400)}`)))
    expect(detections(run(detector, repeat(5, call('Read', '{}'))))).toEqual([4])
  })
})
