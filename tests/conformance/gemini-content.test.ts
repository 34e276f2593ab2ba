/**
 * What gemini-cli's own tests say about streamed text, as vectors in ../shared/vectors, against the
 * default preset: every case is decided as they expect, and a loop is found no later.
 */

import { join } from 'node:path'
import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { play } from '../support/events.js'
import { noticeMissing, sharedPath } from '../support/shared.js'
import { readVectors, type Vector } from '../support/vectors.js'

/** Where we decide otherwise on purpose, and why. There is none. */
const OURS: Readonly<Record<string, string>> = {}

/** The event at which a text loop is first reported; null if none is. */
function firstReport(events: Vector['events']): number | null {
  const detector = new LoopDetector()
  const first = events.findIndex(
    (event) => event.t !== 'meta' && play(detector, event).kind === 'chant',
  )
  detector.free()
  return first < 0 ? null : first
}

const folder = sharedPath('vectors')

if (folder === null) {
  it('../shared/vectors is not here', () => noticeMissing('vectors'))
} else {
  const vectors = readVectors(join(folder, 'gemini-cli.json')).filter(
    ({ events, expect: { kind } }) =>
      events.some(({ t }) => t === 'chunk') && kind !== 'consecutive_identical_tool_calls',
  )

  describe("gemini-cli's streamed text", () => {
    it('is there', () => {
      expect(vectors.length).toBe(41)
      for (const name of Object.keys(OURS)) {
        expect(vectors.map((vector) => vector.name)).toContain(name)
      }
    })

    it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (name, vector) => {
      const at = firstReport(vector.events)
      const expected = name in OURS ? !vector.expect.detected : vector.expect.detected
      expect(at !== null, OURS[name]).toBe(expected)
      if (at !== null && vector.expect.at !== null) {
        expect(at).toBeLessThanOrEqual(vector.expect.at)
      }
    })
  })
}

describe("gemini-cli's two mistakes are not ours", () => {
  const chunks = (text: string, times: number) =>
    Array.from({ length: times }, () => ({ t: 'chunk', text }) as const)

  it('a list with dashes is a list: its pattern for bullets leaves out the dash', () => {
    const items = Array.from(
      { length: 60 },
      (_, index) =>
        ({ t: 'chunk', text: `- check the box for the page number ${index}\n` }) as const,
    )
    expect(firstReport(items)).toBeNull()
    expect(firstReport(chunks('- pending review by the owner\n', 60))).toBeNull()
  })

  it('capitals and digits are no rulers: its pattern for these is a range that holds them', () => {
    expect(firstReport(chunks('SELECT ', 30))).toBeLessThan(30)
    expect(firstReport(chunks('STOP NOW. ', 30))).toBeLessThan(15)
    expect(firstReport(chunks('12345 ', 100))).toBeLessThan(100)
  })
})
