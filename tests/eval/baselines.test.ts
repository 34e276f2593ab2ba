/** The corpus' own figures, and the page's, where the corpus is at hand. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'
import { noticeMissing, sharedPath } from '../support/shared.js'
import { type Figures, POLICIES } from './harness.js'
import { baselines, measurePolicies } from './study-harness.js'

const TABLE = `
| file | what | rows |
|---|---|---|
| a | b | 1 |

| rule | precision | recall | F1 | delay, median | false alarms per 1,000 calls |
|---|---|---|---|---|---|
| same call ×3 (opencode) | 0.95 | 0.35 | 0.51 | 1 | 0.0 |
| another | 1.00 | 0.50 | 0.67 | 4.5 | 6.3 |

After it.
`

describe('the table of baselines', () => {
  const known = baselines.baselinesIn(TABLE)
  const figures = (precision: number) => {
    const rest = { recall: 0.351, f1: 0.51, delay: { median: 1 }, notStuck: { rate: 0 } }
    return { policies: [{ id: 'same-3', precision, ...rest }] } as unknown as Figures
  }

  it('is found among others', () => {
    expect([...known.keys()]).toEqual(['same call ×3 (opencode)', 'another'])
    expect(baselines.baselinesIn('no table')).toEqual(new Map())
  })

  it('is compared as far as it is printed', () => {
    expect(baselines.compareBaselines(known, figures(0.9474), POLICIES)).toMatchObject([
      { id: 'same-3', agrees: true },
    ])
    const [row] = baselines.compareBaselines(known, figures(0.9), POLICIES)
    expect(row).toMatchObject({ agrees: false })
    expect(row?.cells[0]).toEqual({ theirs: '0.95', ours: '0.90' })
  })
})

const folder = sharedPath('corpus')
if (folder === null) {
  it('the corpus is not at hand', () => noticeMissing('corpus'))
} else {
  describe('on the corpus', async () => {
    const { figures, baselines: rows } = await measurePolicies(folder, POLICIES)

    it('the policies have the figures of its table, or it is said why not', () => {
      expect(rows.map(({ id }) => id)).toEqual(
        POLICIES.filter(({ baseline }) => baseline).map(({ id }) => id),
      )
      for (const { id, agrees, differs } of rows) expect([id, agrees]).toEqual([id, !differs])
    })

    it('the page that is checked in has the figures of today', () => {
      const page = readFileSync(inRoot('docs/evaluation.md'), 'utf8')
      for (const { id, hits, misses, falseAlarms } of figures.policies) {
        const row = page.split('\n').find((line) => line.startsWith(`| \`${id}\` |`))
        const shown = row?.split('|').slice(-4, -1).map(Number)
        expect([id, shown]).toEqual([id, [hits, misses, falseAlarms]])
      }
    })
  }, 120_000)
}
