/** What repeats and is work all the same raises no alarm, however it is cut into chunks. */

import { describe, expect, it } from 'vitest'
import { SIZES, stream } from './support.js'
import { USEFUL } from './useful.js'

describe.each(Object.entries(USEFUL))('%s', (_, text) => {
  it.each(SIZES)('in chunks of %d', (size) => {
    expect(stream(text, size)).toEqual([])
  })

  it('also within an answer', () => {
    const answer = `You asked for it, so here it comes, all in one piece.\n\n${text}\n\nTell me if anything is missing.`
    expect(stream(answer, 20)).toEqual([])
  })
})
