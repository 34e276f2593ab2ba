/** The guard against an obviously right one, on random runs. */

import { describe, expect, it } from 'vitest'
import fc from '../support/property.js'
import { watched } from './made.js'

/** A step: the calls the model makes, some presented again, as numbers of what is called. */
const steps = fc.array(
  fc.array(fc.record({ tool: fc.nat(2), again: fc.nat(2) }), { minLength: 1, maxLength: 4 }),
  { maxLength: 20 },
)

/** Looks at the whole list of steps each time: how many at the end are the same call alone. */
function streakOf(history: readonly string[]): number {
  let length = 0
  while (length < history.length && history.at(-1 - length) === history.at(-1)) length++
  return length
}

function expected(streak: number): string {
  return streak < 3 ? 'continue' : streak === 3 ? 'nudge' : streak === 4 ? 'block' : 'stop'
}

describe('the guard', () => {
  it('decides as a search of the whole history would', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const { guard, errors } = watched()
        const history: string[] = []
        let stopped = false
        for (const [number, calls] of run.entries()) {
          expect(guard.beginStep()).toBe(!stopped)
          if (stopped) return
          const seen = new Map<string, string>()
          for (const [index, { tool, again }] of calls.entries()) {
            const key = `tool ${tool}`
            let action = seen.get(key)
            if (action === undefined) {
              if (!stopped) history.push(key)
              action = stopped ? 'stop' : expected(streakOf(history))
              seen.set(key, action)
              stopped ||= action === 'stop'
            }
            for (let time = 0; time <= again; time++) {
              const id = `${number}.${index}`
              const { verdict, run, reply } = guard.call({ id, name: key, args: { a: 1 } })
              expect(verdict.action).toBe(action)
              expect(run).toBe(action === 'continue' || action === 'nudge')
              expect(reply === null).toBe(run)
              expect(guard.shouldStop).toBe(false)
            }
          }
          for (const index of calls.keys()) {
            guard.result({ id: `${number}.${index}`, output: `${number}` })
          }
          expect(guard.endStep()).toBe(stopped)
        }
        expect(errors).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('survives whatever it is given', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.anything(), fc.anything()), { maxLength: 20 }), (inputs) => {
        const { guard } = watched()
        for (const [first, second] of inputs) {
          expect(typeof guard.call(first as never).run).toBe('boolean')
          guard.call({ id: second, name: 'ls', args: first } as never)
          guard.calls([first, second] as never)
          guard.result(first as never)
          guard.result({ id: first, ok: second, output: first } as never)
          guard.text(first as never)
          guard.pushText(first as never, second as never)
          guard.endStep({ calls: first, results: second, text: first } as never)
          guard.takeNudge()
        }
        expect(guard.snapshot().format).toBe('loophound-guard')
      }),
      { numRuns: 200 },
    )
  })
})
