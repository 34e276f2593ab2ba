/** Snapshots that were cut, damaged or forged: a clear error, and nothing has changed. */

import { LoopDetector, LoopGuard, SwarmDetector } from 'loophound'
import { describe, expect, it } from 'vitest'

/** Each character replaced by others that keep most JSON readable. */
const OTHERS = ['0', 'a', '"', 'é']

interface Saved {
  toJSON(): unknown
  free(): void
}

function filledDetector(): LoopDetector {
  const hound = new LoopDetector()
  for (let i = 0; i < 12; i++) {
    hound.record('bash', { command: `make ${i % 3}` }, `call-${i}`)
    hound.recordResult({ id: `call-${i}`, ok: i % 2 === 0, output: `error: no rule ${i % 2}` })
  }
  hound.record('read', { path: 'waiting' })
  hound.pushText('Let me think. '.repeat(20))
  return hound
}

function filledSwarm(): SwarmDetector {
  const swarm = new SwarmDetector()
  for (let i = 0; i < 12; i++) swarm.record(`worker-${i % 3}`, 'search', { q: i % 4 })
  return swarm
}

function filledGuard(): LoopGuard {
  const guard = new LoopGuard({ detector: 'nudge', onError: () => {} })
  for (let i = 0; i < 6; i++) {
    guard.call({ id: `call-${i}`, name: 'bash', args: { command: 'make' } })
    guard.result({ id: `call-${i}`, ok: false, output: 'exit code 2' })
    guard.endStep()
  }
  guard.call({ id: 'open', name: 'read' })
  return guard
}

/** All texts that differ from this one in a single place. */
function* changed(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    for (const other of OTHERS) {
      if (text[at] !== other) yield text.slice(0, at) + other + text.slice(at + 1)
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error that ends it, which must be a clear one; `null` if it is accepted. */
function refusalOf(restore: () => void): Error | null {
  try {
    restore()
    return null
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    expect(error.message).toMatch(/snapshot/)
    return error
  }
}

describe.each<[string, () => Saved, (target: Saved, snapshot: unknown) => void]>([
  [
    'a detector',
    filledDetector,
    (target, snapshot) => (target as LoopDetector).restoreFrom(snapshot),
  ],
  ['a swarm', filledSwarm, (target, snapshot) => (target as SwarmDetector).restoreFrom(snapshot)],
])('%s', (_, fill, restore) => {
  it('refuses every prefix and every changed character, and stays as it was', () => {
    const target = fill()
    const text = JSON.stringify(target)
    let tried = 0
    for (let end = 0; end < text.length; end++) {
      const snapshot = parsed(text.slice(0, end))
      expect(refusalOf(() => restore(target, snapshot))).not.toBeNull()
    }
    for (const other of changed(text)) {
      const snapshot = parsed(other)
      // A change of spelling only, as of a space between two tokens, is none.
      if (snapshot === undefined || JSON.stringify(snapshot) === text) continue
      tried += 1
      expect(
        refusalOf(() => restore(target, snapshot)),
        other,
      ).not.toBeNull()
    }
    expect(tried).toBeGreaterThan(1000)
    expect(JSON.stringify(target)).toBe(text)
    restore(target, parsed(text))
    expect(JSON.stringify(target)).toBe(text)
    target.free()
  })

  it('refuses a state that is padded, doubled, emptied or of another type', () => {
    const target = fill()
    const good = JSON.parse(JSON.stringify(target)) as Record<string, unknown>
    const before = JSON.stringify(target)
    for (const [key, value] of Object.entries(good)) {
      const forged = [null, 1e308, -1, '', `${value}A`, `${value}${value}`, [value], { value }, []]
      for (const other of [...forged, 'A'.repeat(1_000_000)]) {
        if (other === value) continue
        const snapshot = { ...good, [key]: other }
        expect(
          refusalOf(() => restore(target, snapshot)),
          key,
        ).not.toBeNull()
      }
      const { [key]: _gone, ...rest } = good
      expect(
        refusalOf(() => restore(target, rest)),
        key,
      ).not.toBeNull()
    }
    expect(JSON.stringify(target)).toBe(before)
    target.free()
  })
})

describe('a guard', () => {
  it('refuses what it cannot read, stays as it was then, and works on in any case', () => {
    const target = filledGuard()
    const text = JSON.stringify(target)
    const usable = (guard: LoopGuard) => {
      guard.beginStep()
      expect(typeof guard.call({ id: 'next', name: 'read', args: { a: 1 } }).run).toBe('boolean')
      guard.result({ id: 'next', output: 'fine' })
      guard.endStep()
      const nudge = guard.takeNudge()
      expect(nudge === null || typeof nudge === 'string').toBe(true)
    }
    for (let end = 0; end < text.length; end += 1) {
      expect(refusalOf(() => target.restore(parsed(text.slice(0, end))))).not.toBeNull()
    }
    const outcomes = { refused: 0, taken: 0 }
    for (const other of changed(text)) {
      const snapshot = parsed(other)
      if (snapshot === undefined) continue
      if (refusalOf(() => target.restore(snapshot)) !== null) {
        outcomes.refused += 1
        continue
      }
      // What people read (texts, ids) is not sealed: it is taken as it is, and breaks nothing.
      outcomes.taken += 1
      usable(target)
      target.restore(parsed(text))
    }
    expect(outcomes.refused).toBeGreaterThan(1000)
    expect(JSON.stringify(target)).toBe(text)
    target.free()
  })
})
