/** The examples of docs/fingerprints.md are the same, or not, as their table says. */

import { computeToolFingerprint, LoopDetector, type LoopDetectorOptions, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { codesIn, readPage, tableUnder } from './pages.js'

const page = readPage('docs/fingerprints.md')
const EXACT: LoopDetectorOptions = { preset: 'window', threshold: 2 }
const FUZZY: LoopDetectorOptions = {
  preset: 'nudge',
  fuzzyThreshold: 2,
  detectors: { 'exact-repeat': false },
}

function compare(options: LoopDetectorOptions, tool: string, calls: readonly string[]): string {
  const detector = new LoopDetector(options)
  const verdicts = calls.map((args) => detector.record(tool, args))
  return verdicts.at(-1)?.action === 'continue' ? 'different' : 'same'
}

/** A cell's code, white space and all. */
const whole = (cell: string | undefined): string => /^`(.*)`$/.exec(cell ?? '')?.[1] ?? ''

describe('the examples', () => {
  const rows = tableUnder(page, '## Examples')

  it.each(rows.map((row) => [`${row.tool} ${row['first call']} ${row['second call']}`, row]))(
    '%s',
    (_, row) => {
      const tool = whole(row.tool)
      const calls = [whole(row['first call']), whole(row['second call'])]
      expect(compare(EXACT, tool, calls)).toBe(row.exact)
      expect(compare(FUZZY, tool, calls)).toBe(row.fuzzy)
      const [first, second] = calls.map((args) => computeToolFingerprint(tool, args))
      expect(first === second ? 'same' : 'different').toBe(row.fuzzy)
    },
  )
})

describe('the lists', () => {
  const under = (heading: string) => page.text.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''

  it('of primary keys is complete', () => {
    const [line = ''] = under('## Primary keys').trim().split('\n')
    expect(codesIn(line)).toEqual(presets.nudge.tables?.primaryKeys)
  })

  it('of read commands is complete', () => {
    const line = under('## Shell commands').match(/^.* are such commands\.$/m)?.[0] ?? ''
    expect(codesIn(line)).toEqual(presets.nudge.tables?.readCommands)
  })
})
