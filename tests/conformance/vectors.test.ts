/**
 * The peers' own tests, as vectors in ../shared/vectors (its README says how they were made),
 * against our engine under the peer's configuration.
 *
 * A further peer is one row in `PEERS`. Where a peer's verdict is not ours on purpose, a row in
 * `OURS` says what we do instead and why.
 */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, repeat } from '../support/events.js'
import { noticeMissing, sharedPath } from '../support/shared.js'
import {
  differences,
  type Expectation,
  observe,
  type Peer,
  readVectors,
  setting,
} from '../support/vectors.js'

const PEERS: Record<string, Peer> = {
  // Counts a call among the last `window`: seed 003's rule.
  attocode: {
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'threshold'),
      window: setting(config, 'window'),
    }),
  },
  // This version of koda still counted in a window; seed 001 is its later, consecutive one.
  koda: {
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'repeat'),
      window: setting(config, 'window'),
    }),
  },
  // Allows n in a row and denies the one after: a streak of n + 1 is blocked, nothing else looked at.
  goose: {
    options: (config) => ({
      preset: 'nudge',
      threshold: setting(config, 'maxRepetitions') + 1,
      detectors: {
        'exact-repeat': { rungs: [{ at: 1, action: 'block', level: 'critical' }] },
        'fuzzy-repeat': false,
      },
    }),
    reports: (verdict) => verdict.action === 'block',
  },
}

interface Deviation {
  readonly peer: string
  readonly vector: string
  readonly expect: Expectation
  readonly why: string
}

const OURS: readonly Deviation[] = [
  {
    peer: 'koda',
    vector: 'detects_name_saturation_with_varying_args',
    expect: { detected: false, at: null },
    why: 'eight calls of one tool with different arguments are work; koda itself removed the rule, and seed 001 says "No tool-name saturation — editing 12 files in a refactoring is normal"',
  },
]

const folder = sharedPath('vectors')

if (folder === null) {
  it('../shared/vectors is not here', () => noticeMissing('vectors'))
} else {
  describe.each(Object.entries(PEERS))("%s's vectors", (name, peer) => {
    const vectors = readVectors(join(folder, `${name}.json`))
    const deviations = OURS.filter((row) => row.peer === name)

    it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
      const expected = deviations.find((row) => row.vector === vector.name)?.expect ?? vector.expect
      const seen = observe(peer, vector)
      expect(differences(seen, expected, vector.events.length - 1)).toEqual([])
    })

    it('every deviation is from a vector that exists, and is one', () => {
      for (const row of deviations) {
        const vector = vectors.find((candidate) => candidate.name === row.vector)
        expect(vector?.expect, row.why).toBeDefined()
        expect(vector?.expect, row.why).not.toMatchObject(row.expect)
      }
    })
  })
}

describe('the comparison itself', () => {
  const peer: Peer = { options: () => ({ preset: 'window', threshold: 2, window: 3 }) }
  const a = call('a')
  const events = [a, { t: 'meta', kind: 'retry' } as const, a, call('b'), call('c')]
  const seen = observe(peer, { config: {}, events })

  /** Whether the expectation holds for the events above: reported and stuck at 2 and 3, not at 4. */
  function conforms(expected: Expectation): boolean {
    return differences(seen, expected, events.length - 1).length === 0
  }

  it('`at` is the first report', () => {
    expect(conforms({ detected: true, at: 2 })).toBe(true)
    expect(conforms({ detected: true, at: 3 })).toBe(false)
    expect(conforms({ detected: false, at: null })).toBe(false)
  })

  it('`all` is every report', () => {
    expect(conforms({ detected: true, at: 2, all: [2, 3] })).toBe(true)
    expect(conforms({ detected: true, at: 2, all: [2] })).toBe(false)
  })

  it('`at_end` asks after the last event only', () => {
    expect(conforms({ detected: false, at: null, mode: 'at_end' })).toBe(true)
    expect(conforms({ detected: false, at: null, mode: 'at_end', first: 2 })).toBe(true)
    expect(conforms({ detected: false, at: null, mode: 'at_end', first: 3 })).toBe(false)
    expect(conforms({ detected: true, at: 4, mode: 'at_end' })).toBe(false)
    const stuck = observe(peer, { config: {}, events: repeat(2, a) })
    expect(differences(stuck, { detected: true, at: 1, mode: 'at_end' }, 1)).toEqual([])
  })
})
