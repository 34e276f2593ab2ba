/** What repeats and is work all the same raises no alarm, however it is cut into chunks. */

import { describe, expect, it } from 'vitest'
import { randomChunksOf, reports, SIZES, stream } from './support.js'
import { ENUMERATIONS, USEFUL } from './useful.js'

describe.each(Object.entries({ ...USEFUL, ...ENUMERATIONS }))('%s', (_, text) => {
  it.each(SIZES)('in chunks of %d', (size) => {
    expect(stream(text, size)).toEqual([])
  })

  it('in chunks of random sizes', () => {
    for (const seed of [1, 2, 3]) expect(reports(randomChunksOf(text, seed))).toEqual([])
  })

  it('also within an answer', () => {
    const answer = `You asked for it, so here it comes, all in one piece.\n\n${text}\n\nTell me if anything is missing.`
    expect(stream(answer, 20)).toEqual([])
  })
})

describe.each(Object.entries(ENUMERATIONS))('in reasoning: %s', (_, text) => {
  it('in chunks of random sizes', () => {
    for (const seed of [4, 5]) {
      expect(reports(randomChunksOf(text, seed), {}, 'reasoning')).toEqual([])
    }
  })
})
