/** The calls a guard remembers: against a plain list, and in time in proportion to their number. */

import { describe, expect, it } from 'vitest'
import { CallMemory, type RememberedCall } from '../../js/guard/call-memory.js'
import { RUN } from '../../js/guard/calls.js'
import fc from '../support/property.js'
import { watched } from './made.js'

const LIMIT = 5
const STATES = ['open', 'open', 'refused', 'duplicate'] as const

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      id: fc.option(fc.nat(8)),
      name: fc.nat(2),
      state: fc.constantFrom(...STATES),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('answer' as const), name: fc.option(fc.nat(2)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
)

describe('the memory', () => {
  it('finds the oldest open call as a search through a list would', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const memory = new CallMemory(LIMIT)
        let list: RememberedCall[] = []
        for (const [number, one] of actions.entries()) {
          if (one.do === 'add') {
            const id = one.id === null ? null : `${one.id}`
            const { state } = one
            const call = { id, name: `${one.name}`, key: '', number, decision: RUN, state }
            memory.add(call)
            list = [...list.filter((other) => id === null || other.id !== id), call].slice(-LIMIT)
          } else if (one.do === 'answer') {
            const name = one.name === null ? undefined : `${one.name}`
            const expected = list.find(
              (call) => call.state === 'open' && (name === undefined || call.name === name),
            )
            expect(memory.oldestOpen(name)).toBe(expected)
            if (expected) expected.state = 'answered'
          } else {
            memory.clear()
            list = []
          }
          expect([...memory.values()]).toEqual(list)
          for (const call of list) if (call.id !== null) expect(memory.get(call.id)).toBe(call)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('takes results without ids in constant time each, however many calls are open', () => {
    const cost = (calls: number) => {
      const { guard } = watched({ remember: calls })
      for (let i = 0; i < calls; i++) guard.call({ name: `tool-${i % 5}`, args: { i } })
      const start = performance.now()
      for (let i = 0; i < calls; i++) guard.result({ name: `tool-${i % 5}`, output: 'x' })
      return performance.now() - start
    }
    cost(4096)
    // 16 times as many: 16 times the time, where a search would take 256 times.
    const least = (calls: number) => Math.min(cost(calls), cost(calls), cost(calls))
    const [few, many] = [least(4096), least(65_536)]
    expect(many / few).toBeLessThan(100)
  })
})
