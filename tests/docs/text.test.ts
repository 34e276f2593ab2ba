/** The limits that docs/text.md tells are those of the engine, and its figures were measured. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage, tableUnder } from './pages.js'

const page = readPage('docs/text.md')

describe('the limits', () => {
  const source = readFileSync(inRoot('src/text_loop/limits.rs'), 'utf8')
  const table = tableUnder(page, '## What is found').map((row) => row['from when on'] ?? '')

  it('are all told', () => {
    const limits = [...source.matchAll(/scaled\(([\d_]+)\)/g)].map(([, figure]) =>
      Number(figure?.replaceAll('_', '')).toLocaleString('en'),
    )
    expect(limits.length).toBe(11)
    for (const limit of limits) {
      expect(
        table.some((text) => text.split(/[^\d,]+/).includes(limit)),
        limit,
      ).toBe(true)
    }
  })

  it('are for the default threshold', () => {
    const usual = /const DEFAULT_THRESHOLD: u32 = (\d+)/.exec(source)?.[1]
    expect(page.text).toContain(`With the default threshold of ${usual}:`)
    expect(table[0]).toContain(`${usual} times`)
  })

  it.each([
    ['src/text_loop/low_novelty.rs', /const MAX_NEW_WORDS: u32 = (\d+)/, 'new words or fewer'],
    ['src/text_loop/window.rs', /const MAX_DISTANCE: u32 = ([\d_]+)/, 'such characters long'],
    ['src/text_loop/stream.rs', /const RECOVERED: u32 = (\d+)/, 'characters of something new'],
  ])('%s says the same', (file, pattern, text) => {
    const figure = pattern.exec(readFileSync(inRoot(file), 'utf8'))?.[1]?.replaceAll('_', '')
    expect(page.text).toContain(`${Number(figure).toLocaleString('en')} ${text}`)
  })
})

describe('the figures', () => {
  const section = (name: string) =>
    page.text.split(`<!-- ${name}: written by a command -->`)[1]?.split('<!-- end')[0] ?? ''

  it('of the benchmark are there', () => {
    expect(section('benchmark')).toMatch(/\| loophound +\| .* ns \(1×\)/)
    expect(section('benchmark')).toMatch(/\| gemini-cli [\d.]+ +\| .* ns/)
    expect(section('benchmark')).toMatch(/\| qwen-code [\d.]+ +\| .* ns/)
    expect(section('benchmark')).toMatch(/\| encodeInto alone +\|/)
  })

  it('of the evaluation are there', () => {
    expect(section('evaluation')).toMatch(/\*\*False alarms: \d+\*\* on the [\d,]+ characters/)
  })
})
