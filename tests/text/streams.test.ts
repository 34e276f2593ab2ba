/** Streams through the façade: halves of characters, channels, ends, whole turns, snapshots. */

import { LoopDetector, type TextLoopDetails } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'
import fc from '../support/property.js'
import { random, reports, stream } from './support.js'

const SENTENCE = 'I will check the file again. '

/** Chunks of the given sizes in turn. */
function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

/** What is told about repeats. A chunk that holds more than one loop brings the hardest only. */
function details(chunks: readonly string[]): (TextLoopDetails | null)[] {
  const repeats = reports(chunks).filter(({ verdict }) => verdict.period === 1)
  return repeats.map(({ verdict }) => verdict.details)
}

describe('characters of two units', () => {
  it('may be broken between them', () => {
    const text = `Well. ${'🎉🎊'.repeat(100)}`
    const whole = details([text])
    expect(whole).toHaveLength(1)
    expect(whole[0]).toMatchObject({ since: 6, unit: '🎉🎊' })
    expect(details(cut(text, [1]))).toEqual(whole)
    expect(details(cut(text, [7, 1, 2, 3]))).toEqual(whole)
    expect(details(['', ...cut(text, [1]).flatMap((chunk) => ['', chunk])])).toEqual(whole)
  })

  it('that stay broken are taken for one unknown character', () => {
    const text = '\ud83c lone \udf89 halves '.repeat(30)
    expect(details(cut(text, [1]))).toEqual(details([text]))
    expect(details([text])).toHaveLength(1)
  })

  it('do not cross channels, nor the end of a stream', () => {
    const hound = detector()
    hound.pushText('a\ud83c')
    hound.pushText('b\ud83c', 'reasoning')
    hound.beginTurn()
    for (let i = 0; i < 60; i++) hound.pushText('\udf89 no ')
    expect(hound.verdict.details?.since ?? 0).toBe(0)
  })

  it('never make a difference', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '🎉',
        '👩‍💻 ',
        '漢字かな',
        '\ud83c',
        '\udf89',
        'e\u0301',
        SENTENCE,
        '\n```\n',
        '- x\n',
        '0',
      ),
    )
    const repeated = fc
      .tuple(piece, fc.integer({ min: 1, max: 150 }))
      .map(([text, times]) => text.repeat(times))
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, repeated), { maxLength: 6 }), sizes, (pieces, sizes) => {
        const text = pieces.join('')
        const [first] = details(cut(text, [1]))
        expect(details(cut(text, sizes))[0]).toEqual(first)
      }),
      { numRuns: 300 },
    )
  })
})

describe('channels', () => {
  it('are told apart', () => {
    const hound = detector()
    for (let i = 0; i < 9; i++) {
      expect(hound.pushText(SENTENCE).action).toBe('continue')
      expect(hound.pushText(SENTENCE, 'reasoning').action).toBe('continue')
    }
    hound.pushText(SENTENCE, 'reasoning')
    expect(hound.pushText(SENTENCE, 'reasoning').details?.channel).toBe('reasoning')
  })
})

describe('a report', () => {
  it('comes once for a stream, and again when the stream had found its way out', () => {
    const chant = SENTENCE.repeat(30)
    const next = random(3)
    const other = Array.from({ length: 600 }, () => String.fromCharCode(97 + next() * 26)).join('')
    const found = stream(chant + other + chant, 20)
    expect(found.map(({ verdict }) => verdict.action)).toEqual(['nudge', 'block'])
    expect(found[1]?.verdict.details?.since).toBe(chant.length + other.length)
  })

  it('is frozen', () => {
    const [found] = stream(SENTENCE.repeat(30), 20)
    expect(Object.isFrozen(found?.verdict)).toBe(true)
    expect(Object.isFrozen(found?.verdict.details)).toBe(true)
  })

  it('can be worded by options', () => {
    const messages = { chant: '{channel}: {count} × {unit}, {wasted} characters' }
    const [found] = reports([SENTENCE.repeat(30)], { messages }, 'reasoning')
    expect(found?.verdict.message).toBe(
      'reasoning: 10 × I will check the file again., 262 characters',
    )
  })

  it('does not come from the presets of the seeds, unless switched on', () => {
    const text = SENTENCE.repeat(100)
    for (const preset of ['nudge', 'guard', 'cycles', 'window'] as const) {
      expect(stream(text, 20, { preset })).toEqual([])
      expect(stream(text, 20, { preset, detectors: { chant: true } })).toHaveLength(1)
      const rungs = [{ at: 1, action: 'stop', level: 'critical' }] as const
      const [found] = stream(text, 20, { preset, detectors: { chant: { threshold: 4, rungs } } })
      expect(found?.verdict).toMatchObject({ action: 'stop', status: 'LOOP_DETECTED' })
      expect(found?.verdict.details?.repeats).toBeLessThan(10)
    }
  })

  it('holds while the stream lasts', () => {
    const hound = detector()
    hound.pushText(SENTENCE.repeat(30))
    expect(hound.isStuck()).toBe(true)
    expect(hound.state.doomLoopDetected).toBe(false)
    hound.beginTurn()
    expect(hound.isStuck()).toBe(false)
  })
})

describe('whole turns', () => {
  it('are looked through for chanting', () => {
    const verdict = detector().recordText(`Here we go. ${SENTENCE.repeat(30)}`)
    expect(verdict).toMatchObject({ kind: 'chant', details: { since: 12, channel: 'text' } })
  })

  it('make a summary loop when they say the same', () => {
    const hound = detector()
    const say = (text: string) => hound.recordText(text).kind
    const done = 'I have made the changes to the upload handler and consider the task complete.'
    expect([done, done, done].map(say)).toEqual([null, null, 'summary'])
    expect(hound.verdict).toMatchObject({ count: 3, details: null })
    hound.record('ls')
    expect([done, done].map(say)).toEqual([null, null])
    hound.userMessage()
    expect([done, done].map(say)).toEqual([null, null])
  })

  it('make one in other words, and in turn', () => {
    const hound = detector()
    const texts = [
      'I have made the required changes to the upload handler, and the task is complete.',
      'I completed the necessary changes to the upload handler, so the task is complete now.',
      'The required changes to the upload handler are made, and I consider the task complete.',
      'I have completed the required changes to the upload handler. The task is complete.',
    ]
    const kinds = texts.map((text) => hound.recordText(text).kind)
    expect(kinds).toContain('summary')
  })

  it('make none as long as they say something else', () => {
    const hound = detector()
    const texts = [
      'The parser drops the trailing comma because the option is read too late.',
      'Next I compare how the two tokenizers treat white space before a bracket.',
      'The benchmark shows that most time goes into copying small strings.',
      'A customer asked whether invoices can be split by cost centre.',
      'Tomorrow the certificate expires, so the renewal has to be scheduled tonight.',
      'None of the three designs handles offline clients that come back after a week.',
    ]
    for (const text of texts) expect(hound.recordText(text).action).toBe('continue')
  })

  it.each([
    ['fractions', (i: number) => `${i + 9}/60 in.`],
    [
      'a count of parts',
      (i: number) => `Part ${i + 1} of 60 is uploaded, going on with the next one.`,
    ],
    [
      'a count of two numbers',
      (i: number) => `Rows ${i * 500} to ${i * 500 + 499} are in, no errors.`,
    ],
    ['a countdown', (i: number) => `Still ${60 - i} invoices to go, the rest is booked.`],
    ['a day', (i: number) => `2026-03-${i + 10}: the sensor reported nothing unusual.`],
    [
      'a number that stays now and then',
      (i: number) => `Progress: ${Math.floor(i / 2)} of 30 are done.`,
    ],
    ['Chinese', (i: number) => `第${i + 1}个文件已经上传完成。`],
  ])('make none as long as they count: %s', (_, note) => {
    const hound = detector()
    for (let i = 0; i < 60; i++) expect(hound.recordText(note(i)).kind).toBeNull()
  })

  it.each([
    ['the same number', () => 'Part 9 of 60 is uploaded, going on with the next one.', 3],
    ['back and forth', (i: number) => `Part ${9 - (i % 2)} of 60 is uploaded once more.`, 30],
    [
      'random numbers',
      (i: number) => `All is done, the checks took ${(i * 37) % 101} ms in all.`,
      12,
    ],
    [
      'numbers that only go down, anyhow',
      (i: number) => `All is done, with ${900 - i * i} bytes left.`,
      3,
    ],
    [
      'a counter without end',
      (i: number) => `Part ${i + 1} is uploaded, going on with the next.`,
      210,
    ],
  ])('make one in spite of numbers: %s', (_, note, within) => {
    const hound = detector()
    let turns = 1
    while (hound.recordText(note(turns)).kind !== 'summary') {
      turns++
      expect(turns).toBeLessThanOrEqual(within)
    }
  })

  it('count whatever they say where options ask for that', () => {
    const hound = detector({ textTurns: 'any' })
    const kinds = ['One.', 'Another thing.', 'Something else.'].map(
      (text) => hound.recordText(text).kind,
    )
    expect(kinds).toEqual([null, null, 'summary'])
    expect(detector('nudge').recordText('One.').kind).toBeNull()
  })
})

describe('a snapshot', () => {
  it('carries a stream that goes on', () => {
    const before = detector()
    for (let i = 0; i < 8; i++) before.pushText(SENTENCE)
    const after = detector()
    after.restoreFrom(JSON.parse(JSON.stringify(before)))
    expect(after.pushText(SENTENCE.repeat(2)).action).toBe('continue')
    expect(after.pushText(SENTENCE).details).toMatchObject({ since: 0, repeats: 10 })
  })

  it('is small between turns', () => {
    const hound = detector()
    hound.pushText('Something is said. '.repeat(3))
    hound.beginTurn()
    expect(JSON.stringify(hound).length - JSON.stringify(new LoopDetector()).length).toBeLessThan(
      50,
    )
  })
})
