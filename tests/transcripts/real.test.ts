/** Real transcripts, compared with what an independent reader counted in them. */

import { readFileSync } from 'node:fs'
import { readTranscript, scan } from 'loophound'
import { expect, it } from 'vitest'
import { noticeMissing, sharedPath } from '../support/shared.js'
import { type Summary, summarize } from './summary.js'

const folder = sharedPath('transcripts')
if (!folder) noticeMissing('transcripts')

type Expected = { file: string } & { [Key in keyof Summary]?: Summary[Key] | null }

const expected: Expected[] = folder
  ? readFileSync(`${folder}/expect.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []

const COMPARED = [
  'format',
  'calls',
  'results',
  'errors',
  'agents',
  'userMessages',
  'firstTools',
  'lastTool',
  'tokens',
  'cacheRead',
  'cacheWrite',
  'compactions',
] as const

/** Where what was read differs from what was expected, one line each. Null means debatable. */
function differences(row: Expected): string[] {
  const found = summarize(readTranscript(readFileSync(`${folder}/${row.file}`, 'utf8')))
  return COMPARED.flatMap((key) => {
    const wanted = row[key]
    if (wanted === null || wanted === undefined) return []
    const [left, right] = [JSON.stringify(found[key]), JSON.stringify(wanted)]
    return left === right ? [] : [`${row.file.padEnd(26)} ${key.padEnd(14)} ${left} but ${right}`]
  })
}

it.runIf(folder)('every file is recognised, and its figures are as expected', () => {
  expect(expected.length).toBeGreaterThan(40)
  const table = expected.flatMap(differences)
  expect(table.length, `found, and expected:\n${table.join('\n')}\n`).toBe(0)
})

it.runIf(folder)('every file can be judged', () => {
  for (const { file } of expected) {
    const report = scan(readFileSync(`${folder}/${file}`, 'utf8'))
    expect(report.agents, file).toBeGreaterThan(0)
  }
})
