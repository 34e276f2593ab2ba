/** A guard that keeps itself in the storage of a Durable Object; real storage is in the adapter suite. */

import { LoopGuard } from 'loophound'
import { type GuardStorage, StoredLoopGuard } from 'loophound/cloudflare'
import { describe, expect, it } from 'vitest'

/** Storage that copies what it is given, as that of an object does. */
function storage() {
  const values = new Map<string, string>()
  const kv: GuardStorage['kv'] = {
    get(key) {
      const value = values.get(key)
      return value === undefined ? undefined : JSON.parse(value)
    },
    put(key, value) {
      values.set(key, JSON.stringify(value))
    },
  }
  return { kv, values }
}

/** One step with one call. */
function step(guard: LoopGuard, number: number, path: string, output: string): boolean {
  guard.beginStep()
  const { run } = guard.call({ id: `call_${number}`, name: 'read', args: { path } })
  guard.result({ id: `call_${number}`, output })
  guard.endStep()
  return run
}

describe('a stored guard', () => {
  it('goes on at any point, as one does that was never interrupted', () => {
    const kept = storage()
    const whole = new LoopGuard('window')
    let guard = new StoredLoopGuard(kept, 'window')
    const decided = Array.from({ length: 6 }, (_, number) => {
      const expected = step(whole, number, `${number % 2}.txt`, 'the same')
      const run = step(guard, number, `${number % 2}.txt`, 'the same')
      expect(guard.outcome).toEqual(whole.outcome)
      guard = new StoredLoopGuard(kept, 'window')
      expect(guard.outcome).toEqual(whole.outcome)
      return [run, expected]
    })
    expect(decided).toContainEqual([false, false])
    expect(decided.every(([run, expected]) => run === expected)).toBe(true)
  })

  it('stores no more in a long run than in a short one, however much tools return', () => {
    const kept = storage()
    const guard = new StoredLoopGuard(kept)
    const sizes = Array.from({ length: 3 }, (_, round) => {
      for (let number = 0; number < 300; number++) {
        const place = round * 300 + number
        step(guard, place, `${place}.txt`, `${place} ${'word '.repeat(10_000)}`)
      }
      return kept.values.get('loophound:guard')?.length ?? 0
    })
    expect(sizes[0]).toBeGreaterThan(0)
    expect(sizes[2]).toBeLessThan(1.1 * (sizes[0] ?? 0))
    expect(sizes[2]).toBeLessThan(200_000)
  })

  it.each([
    ['storage that fails', { get: fail, put: fail }],
    ['a class without SQLite storage', undefined as unknown as GuardStorage['kv']],
  ])('works on with %s, and says so once', (_, kv) => {
    const codes: string[] = []
    const options = {
      detector: 'window',
      onWarning: ({ code }: { code: string }) => codes.push(code),
    }
    const guard = new StoredLoopGuard({ kv }, options as never)
    const runs = [1, 2, 3].map((number) => step(guard, number, 'a.txt', 'the same'))
    expect(runs).toEqual([true, true, false])
    expect(codes).toEqual(['snapshot-dropped', 'snapshot-not-stored'])
  })
})

function fail(): never {
  throw new Error('out of storage')
}
