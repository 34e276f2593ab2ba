/** What the text evaluation counts, on a made-up corpus. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as engine from 'loophound'
import { afterAll, expect, it } from 'vitest'
import { evaluate, readRuns } from '../../eval/text.mjs'

const folder = mkdtempSync(join(tmpdir(), 'loophound-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (words: string) => ({ t: 'text', text: words })
const chant = 'All files are read. Making all changes now. '.repeat(30)
const done = 'I have made all of the changes that were asked for, and the task is complete.'
const runs = [
  { id: 'chant', label: { note: 'chanting; somebody says so' }, events: [text(chant)] },
  { id: 'surprise', label: null, events: [text('Hello.'), text(chant)] },
  { id: 'talk', label: null, events: [text(done), text(done), text(done)] },
  { id: 'work', label: null, events: [{ t: 'call', name: 'ls', args: {} }] },
]
writeFileSync(
  join(folder, 'made_up.jsonl.gz'),
  gzipSync(runs.map((run) => JSON.stringify({ ...run, source: 'made_up' })).join('\n')),
)
writeFileSync(
  join(folder, 'labels.jsonl'),
  JSON.stringify({ id: 'talk', spans: [{ from: 0, to: 0, kind: 'monologue' }] }),
)

const { sources, streams, turns } = evaluate(engine, readRuns(folder))

it('counts texts, and the characters of runs that are not known to repeat', () => {
  const characters = 2 * chant.length + 'Hello.'.length + 3 * done.length
  const innocent = chant.length + 'Hello.'.length
  expect(sources).toEqual({ made_up: { runs: 3, texts: 6, characters, innocent } })
})

it('tells a false alarm from a reported chant', () => {
  expect(streams.map(({ id, isKnown }) => [id, isKnown])).toEqual([
    ['chant', true],
    ['surprise', false],
  ])
  expect(turns.map(({ id, isKnown }) => [id, isKnown])).toEqual([['talk', true]])
})
