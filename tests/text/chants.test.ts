/** What must be found: within a few repetitions, in every script, however it is cut into chunks. */

import { describe, expect, it } from 'vitest'
import { CHANTS, RAMBLES } from './chants.js'
import { random, SIZES, stream } from './support.js'

describe.each(CHANTS.map((chant) => [chant.name, chant] as const))('%s', (_, chant) => {
  const units = Array.from({ length: chant.within + 40 }, (_, pass) => chant.unit(pass))
  const text = chant.before + units.join('')
  const limit = chant.before.length + units.slice(0, chant.within).join('').length

  it.each(SIZES)('in chunks of %d', (size) => {
    const [first, ...more] = stream(text, size)
    expect(first?.verdict).toMatchObject({ action: 'nudge', level: 'warning', kind: 'chant' })
    expect(more).toEqual([])
    const { details, pattern, count } = first?.verdict ?? {}
    if (!details) throw new TypeError('no details')
    // The loop was found in time, and what is told about it is what the text says.
    expect(details.since + details.wasted).toBeLessThanOrEqual(limit)
    // The first digits of a long number count as one.
    const unit = Math.max(units[0]?.length ?? 0, 8)
    if (chant.countsBefore) expect(details.since).toBeLessThanOrEqual(unit)
    else expect(Math.abs(details.since - chant.before.length)).toBeLessThanOrEqual(unit)
    expect([pattern, count]).toEqual([[details.unit], details.repeats])
    expect(details.repeats).toBeGreaterThan(2)
    expect(details.channel).toBe('text')
    expect(first?.verdict.message).toContain(details.unit)
    const shown = details.unit.replace(/…$/, '')
    expect(text.replace(/[\n\0]/g, ' ').replaceAll('\u200d', '')).toContain(shown)
    expect(shown.length).toBeLessThanOrEqual(80)
  })
})

describe.each(Object.entries(RAMBLES))('rambling in %s', (_, paragraph) => {
  // Other sentences each time, from the same words.
  const next = random(7)
  const sentences = paragraph.split(/(?<=\.) /)
  const clauses = sentences.flatMap((sentence) => sentence.replace(/\.$/, '').split(', '))
  const said = Array.from({ length: 120 }, () => {
    const pick = () => clauses[Math.floor(next() * clauses.length)]
    return `${pick()}, ${pick()}, ${pick()}.`
  }).join(' ')

  it.each(SIZES)('in chunks of %d', (size) => {
    const [first] = stream(`${paragraph} ${said}`, size)
    expect(first?.verdict).toMatchObject({ action: 'nudge', kind: 'chant' })
  })
})
