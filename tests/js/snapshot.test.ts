/** toJSON and restoreFrom: going on as if there had been no break. */

import { LoopDetector, type PresetName, type Verdict } from 'loophound'
import { describe, expect, it, vi } from 'vitest'
import fc from '../support/property.js'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

const PRESETS: PresetName[] = ['balanced', 'nudge', 'guard', 'cycles', 'window']

type Act = (detector: LoopDetector) => Verdict | undefined

/** Few different events, so that loops of all kinds come about by chance. */
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('read', 'bash', 'run_tests'),
        fc.constantFrom<unknown>(
          { path: 'a' },
          { command: 'make' },
          { command: 'npm test' },
          undefined,
        ),
        fc.constantFrom(undefined, '1', '2'),
      )
      .map(
        ([name, args, id]): Act =>
          (detector) =>
            detector.record(name, args, id),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          id: fc.constantFrom('1', '2', 'unknown'),
          name: fc.constantFrom('read', 'bash'),
          ok: fc.boolean(),
          output: fc.constantFrom<unknown>('done', '1 failed', { code: 1 }, null),
        },
        { requiredKeys: [] },
      )
      .map(
        (result): Act =>
          (detector) =>
            detector.recordResult(result),
      ),
  },
  fc.constantFrom<Act>(
    (detector) =>
      detector.recordBatch([
        { name: 'read', args: { path: 'a' } },
        { name: 'read', args: '{"path":"a"}' },
      ]),
    (detector) => detector.recordText('so'),
    (detector) => detector.pushText('hm', 'reasoning'),
    (detector) => detector.beginTurn(),
  ),
  fc.constantFrom<Act>(
    (detector) => void detector.userMessage(),
    (detector) => void detector.clearAfterFeedback(),
    (detector) => void detector.extend('continue_50'),
    (detector) => void detector.reset(),
  ),
)

/** All that can be seen of a detector, but for the clock. */
function look(detector: LoopDetector): unknown {
  const { lastWarningTime, ...state } = detector.state
  return {
    state,
    warned: lastWarningTime > 0,
    stuck: detector.isStuck(),
    names: detector.recentNames(),
    verdict: detector.verdict,
  }
}

describe.each(PRESETS)('%s', (preset) => {
  const options = { preset, ...(preset === 'guard' ? { iterationCap: 4 } : {}) }

  it('continues after a restore at any point as if there had been none', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(60), (acts, hop) => {
        const unbroken = new LoopDetector(options)
        let broken = new LoopDetector(options)
        try {
          for (const [index, one] of acts.entries()) {
            if (index === hop) {
              const saved: unknown = JSON.parse(JSON.stringify(broken))
              broken.free()
              broken = new LoopDetector(options)
              broken.restoreFrom(saved)
              expect(look(broken)).toEqual(look(unbroken))
            }
            expect(one(broken)).toEqual(one(unbroken))
          }
          expect(look(broken)).toEqual(look(unbroken))
        } finally {
          unbroken.free()
          broken.free()
        }
      }),
      { numRuns: 150 },
    )
  })

  it('refuses what it cannot read, and changes nothing then', () => {
    const detector = new LoopDetector(options)
    for (let i = 0; i < 2; i++) detector.record('read', { path: 'a' })
    const saved = detector.toJSON()
    const before = look(detector)
    const truncated = Object.fromEntries(Object.entries(saved).slice(0, -2))
    const forged = { ...saved, state: `${String(saved.state).slice(0, -2)}zz` }
    const bad: unknown[] = [
      {},
      [],
      null,
      'x',
      { ...saved, version: 99 },
      { ...saved, version: '1' },
      { ...saved, format: 'other' },
      { ...saved, checksum: '0000000000000000' },
      { ...saved, checksum: undefined },
      truncated,
      forged,
      { ...saved, self: { saved: new Map() } },
    ]
    for (const snapshot of bad) {
      expect(() => detector.restoreFrom(snapshot), JSON.stringify(snapshot)).toThrow(
        expect.toSatisfy((error) => error instanceof TypeError || error instanceof RangeError),
      )
      expect(look(detector)).toEqual(before)
    }
    detector.restoreFrom(saved)
    expect(look(detector)).toEqual(before)
    detector.free()
  })

  it('is refused by a detector with other patterns', () => {
    const detector = new LoopDetector(options)
    const saved = detector.toJSON()
    const other = new LoopDetector({ ...options, window: 45 })
    expect(() => other.restoreFrom(saved)).toThrow(RangeError)
    detector.free()
    other.free()
  })
})

describe('a snapshot', () => {
  it('is plain, versioned JSON', () => {
    const detector = new LoopDetector('nudge')
    detector.record('read')
    const saved = detector.toJSON()
    expect(saved).toMatchObject({ format: 'loophound', version: 5, checksum: expect.any(String) })
    expect(JSON.parse(JSON.stringify(detector))).toEqual(saved)
    detector.free()
  })

  it('notices any change to any value', () => {
    const detector = new LoopDetector('nudge')
    for (let i = 0; i < 3; i++) detector.record('read', { path: 'a' }, `id-${i}`)
    const text = JSON.stringify(detector)
    const digits = [...text.matchAll(/\d/g)].map((match) => match.index)
    for (const at of digits) {
      const digit = (Number(text[at]) + 1) % 10
      const forged = text.slice(0, at) + digit + text.slice(at + 1)
      let parsed: unknown
      try {
        parsed = JSON.parse(forged)
      } catch {
        continue
      }
      expect(() => detector.restoreFrom(parsed), forged).toThrow()
    }
    detector.free()
  })

  it('can be restored into a detector with other thresholds and texts', () => {
    const detector = new LoopDetector('nudge')
    for (let i = 0; i < 2; i++) detector.record('read')
    const other = new LoopDetector({
      preset: 'nudge',
      threshold: 4,
      messages: { 'exact-repeat': 'No.' },
    })
    other.restoreFrom(detector.toJSON())
    expect(other.record('read').action).toBe('continue')
    expect(other.record('read').message).toBe('No.')
    detector.free()
    other.free()
  })
})
