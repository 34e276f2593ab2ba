/** A guard that goes on from a snapshot goes on as if there had been no break. */

import type { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import fc from '../support/property.js'
import { watched } from './made.js'

type Move =
  | { readonly do: 'call'; readonly id: number; readonly tool: number }
  | { readonly do: 'result'; readonly id: number; readonly output: number }
  | { readonly do: 'begin' | 'end' | 'nudge' | 'user' | 'text' }

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('call' as const), id: fc.nat(9), tool: fc.nat(1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('result' as const), id: fc.nat(9), output: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('begin' as const, 'end' as const, 'nudge' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('user' as const, 'text' as const) }) },
)

/** Does a move, and says all that can be seen of it. */
function play(guard: LoopGuard, move: Move): unknown[] {
  const answer = () => {
    switch (move.do) {
      case 'call':
        return guard.call({ id: `${move.id}`, name: 'ls', args: { tool: move.tool } })
      case 'result':
        return guard.result({ id: `${move.id}`, output: `output ${move.output}` }).action
      case 'begin':
        return guard.beginStep()
      case 'end':
        return guard.endStep()
      case 'nudge':
        return guard.takeNudge({ sticky: true })
      case 'user':
        return guard.userMessage()
      case 'text':
        return guard.text('hm').action
    }
  }
  return [answer(), guard.nudge, guard.stopped, guard.shouldStop]
}

describe('a snapshot', () => {
  it('at any point, through JSON, changes nothing', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), fc.nat(60), (moves, cut) => {
        const [first, second] = [watched().guard, watched().guard]
        let current = second
        for (const [index, one] of moves.entries()) {
          if (index === cut) {
            current = watched().guard
            current.restore(JSON.parse(JSON.stringify(second)))
          }
          expect(play(current, one)).toEqual(play(first, one))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('that cannot be read is refused, and nothing changes', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c']) guard.call({ id, name: 'ls' })
    const good = guard.snapshot()
    const before = JSON.stringify(guard)
    for (const [bad, type] of [
      [null, TypeError],
      ['text', TypeError],
      [{}, TypeError],
      [{ ...good, format: 'loophound' }, TypeError],
      [{ ...good, version: 2 }, RangeError],
      [{ ...good, calls: [[1]] }, TypeError],
      [{ ...good, calls: [['a', 'ls', 'k', 0, 9, 1]] }, TypeError],
      [{ ...good, number: -1 }, TypeError],
      [{ ...good, isInStep: 1 }, TypeError],
      [{ ...good, stopped: {} }, TypeError],
      [{ ...good, turns: -1 }, TypeError],
      [{ ...good, isFinished: 'no' }, TypeError],
      [{ ...good, step: ['x'] }, TypeError],
      [{ ...good, detector: {} }, RangeError],
      [{ ...good, detector: 7 }, TypeError],
      [good.detector, TypeError],
    ] as const) {
      expect(() => guard.restore(bad), JSON.stringify(bad)).toThrow(type)
      expect(JSON.stringify(guard)).toBe(before)
    }
  })

  it('with other texts gives names, calls and sentences of one line', () => {
    const { guard } = watched()
    for (let turn = 0; guard.beginStep(); turn++) {
      guard.call({ id: `${turn}`, name: 'ls' })
      guard.endStep()
    }
    const text = 'a\nb\u001b[2J\u202e'
    const stopped = { ...guard.stopped, tool: text, summary: text, message: text, pattern: [text] }
    guard.restore({ ...guard.snapshot(), stopped })
    expect(guard.stopped).toMatchObject({
      tool: 'a b [2J',
      summary: 'a b [2J',
      message: 'a\nb [2J',
      pattern: ['a b [2J'],
    })
    expect(guard.outcome.summary).toBe('a b [2J')
  })

  it('stays small however long the run is', () => {
    const { guard } = watched()
    for (let i = 0; i < 5000; i++) {
      guard.call({ id: `call_${i}`, name: 'edit', args: { path: `${i}`, text: 'x'.repeat(5000) } })
      guard.result({ id: `call_${i}`, output: `${i}` })
      guard.endStep()
    }
    expect(JSON.stringify(guard).length).toBeLessThan(40_000)
  })
})

it('bounds what identifies a call', () => {
  const { guard } = watched()
  guard.call({ id: 'a', name: 'ls', args: {} })
  const { calls, ...rest } = JSON.parse(JSON.stringify(guard)) as { calls: unknown[][] }
  const long = 'x'.repeat(100_000)
  for (const place of [0, 1, 2]) {
    const forged = calls.map((call) => call.map((part, n) => (n === place ? long : part)))
    guard.restore({ ...rest, calls: forged })
    expect(JSON.stringify(guard).length).toBeLessThan(50_000)
  }
})
