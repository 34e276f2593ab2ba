/**
 * The peers' own tests, as vectors in ../shared/vectors (its README says how they were made),
 * against our engine under the peer's configuration: see `peers.ts`, and `deviations.ts` for where
 * a peer's verdict is not ours on purpose. Every vector is held against one or the other, but for
 * streamed text, which has a test of its own.
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
  type Vector,
} from '../support/vectors.js'
import { DEVIATIONS } from './deviations.js'
import { PEERS } from './peers.js'

/** How many vectors each peer has, and how many of them are about streamed text. */
const FILES: Readonly<Record<string, { readonly vectors: number; readonly streamed: number }>> = {
  'gemini-cli': { vectors: 56, streamed: 41 },
  openhands: { vectors: 30, streamed: 0 },
  'roo-code': { vectors: 24, streamed: 0 },
  forgecode: { vectors: 30, streamed: 0 },
  goose: { vectors: 3, streamed: 0 },
  attocode: { vectors: 5, streamed: 0 },
  koda: { vectors: 6, streamed: 0 },
}

/** A vector with text in it that is not about the calls around it. */
function isStreamed({ events, expect: { kind } }: Vector): boolean {
  return events.some(({ t }) => t === 'chunk') && kind !== 'consecutive_identical_tool_calls'
}

const folder = sharedPath('vectors')

if (folder === null) {
  it('../shared/vectors is not here', () => noticeMissing('vectors'))
} else {
  describe.each(Object.entries(FILES))("%s's vectors", (name, counts) => {
    const peer = PEERS[name] as Peer
    const all = readVectors(join(folder, `${name}.json`))
    const vectors = all.filter((vector) => !isStreamed(vector))
    const deviations = DEVIATIONS.filter((row) => row.peer === name)
    const deviates = (vector: Vector) => deviations.find((row) => row.vector === vector.name)
    const conforming = vectors.filter((vector) => !deviates(vector))

    const against = (vector: Vector, expected: Expectation): string[] =>
      differences(observe(peer, vector), expected, vector.events.length - 1)

    it.each(conforming.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
      expect(against(vector, vector.expect)).toEqual([])
    })

    if (deviations.length > 0) {
      it.each(deviations.map((row) => [row.vector, row] as const))('otherwise: %s', (_, row) => {
        const found = vectors.filter((vector) => vector.name === row.vector)
        expect(found.length, 'vectors of that name').toBe(1)
        const [vector] = found as [Vector]
        expect(against(vector, row.expect), row.why).toEqual([])
        expect(against(vector, vector.expect), 'it agrees by now').not.toEqual([])
      })
    }

    it('are all accounted for', () => {
      const streamed = all.filter(isStreamed)
      console.info(
        [
          `${name}: ${conforming.length} as the peer, ${deviations.length} otherwise, ${streamed.length} streamed`,
          ...deviations.map(({ vector, why }) => `  otherwise: ${vector}: ${why}`),
          ...streamed.map((vector) => `  streamed: ${vector.name}`),
        ].join('\n'),
      )
      expect(all.length).toBe(counts.vectors)
      expect(streamed.length).toBe(counts.streamed)
      expect(conforming.length + deviations.length + streamed.length).toBe(all.length)
    })
  })

  it('every deviation is from a peer whose vectors are here', () => {
    for (const { peer, why } of DEVIATIONS) expect(Object.keys(FILES), why).toContain(peer)
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
