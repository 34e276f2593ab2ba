/** Snapshots that a release has stored can be read by this one: docs/versioning.md promises it. */

import { readFileSync } from 'node:fs'
import { LoopDetector, LoopGuard, type PresetName, presets, SwarmDetector } from 'loophound'
import { describe, expect, it } from 'vitest'

interface Stored {
  readonly detectors: readonly {
    readonly preset: PresetName
    readonly snapshot: unknown
    readonly names: readonly string[]
    readonly consecutiveCount: number
  }[]
  readonly guard: { readonly snapshot: unknown; readonly outcome: unknown }
  readonly swarm: { readonly snapshot: unknown; readonly stats: unknown }
}

const file = new URL('fixtures/snapshots.json', import.meta.url)
const stored: Stored = JSON.parse(readFileSync(file, 'utf8'))

// If one of these fails, a change has altered what is saved. Mend the change, or raise `VERSION` in
// src/snapshot/mod.rs, say so in the change log, and run fixtures/write-snapshots.mjs.
describe('stored snapshots', () => {
  it('are there for every preset', () => {
    expect(stored.detectors.map(({ preset }) => preset)).toEqual(Object.keys(presets))
  })

  it.each(stored.detectors)('of $preset can be read', ({ preset, snapshot, ...expected }) => {
    const detector = new LoopDetector(preset)
    detector.restoreFrom(snapshot)
    expect(detector.recentNames()).toEqual(expected.names)
    expect(detector.state.consecutiveCount).toBe(expected.consecutiveCount)
    expect(detector.toJSON()).toEqual(snapshot)
    detector.free()
  })

  it('of a guard can be read', () => {
    const guard = new LoopGuard()
    guard.restore(stored.guard.snapshot)
    expect(guard.outcome).toEqual(stored.guard.outcome)
  })

  it('of a swarm can be read', () => {
    const swarm = new SwarmDetector()
    swarm.restoreFrom(stored.swarm.snapshot)
    expect(swarm.stats()).toEqual(stored.swarm.stats)
    swarm.free()
  })
})
