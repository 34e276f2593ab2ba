/** The limits that docs/text.md tells are those of the engine, and its figures were measured. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage, tableUnder } from './pages.js'

const page = readPage('docs/text.md')

describe('the limits', () => {
  const source = readFileSync(inRoot('src/text_loop/limits.rs'), 'utf8')
  const table = tableUnder(page, '## What is found').map((row) => row['from when on'] ?? '')

  /** The figures of a piece of source code, as the page writes them. */
  const figuresOf = (code: string) =>
    [...code.matchAll(/\d[\d_]*/g)].map(([figure]) =>
      Number(figure.replaceAll('_', '')).toLocaleString('en'),
    )
  const isTold = (figure: string, texts: readonly string[]) =>
    texts.some((text) => text.split(/[^\d,]+/).includes(figure))

  it('are all told', () => {
    const calls = [...source.matchAll(/scaled\([\d_]+\)|both\(\([\d_, ]+\)\)/g)]
    const limits = calls.flatMap(([call]) => figuresOf(call))
    expect(limits).toHaveLength(16)
    for (const limit of limits) expect(isTold(limit, table), limit).toBe(true)
  })

  it('of one character are told by channel', () => {
    const rows = tableUnder(page, '### Runs of one character')
    const told = (channel: string) => rows.map((row) => row[`\`${channel}\``] ?? '')
    const values = (name: string) => {
      const code = new RegExp(`const ${name}: CharacterLimits =\\s*CharacterLimits \\{([^}]*)\\}`)
      const fields = [...(code.exec(source)?.[1] ?? '').matchAll(/(\w+): ([\d_]+)/g)]
      return Object.fromEntries(
        fields.map(([, field, value]) => [field, figuresOf(value ?? '')[0]]),
      )
    }
    const text = values('TEXT')
    expect(Object.keys(text)).toHaveLength(rows.length)
    expect(told('text')).toEqual(Object.values(text))
    expect(told('reasoning')).toEqual(Object.values({ ...text, ...values('REASONING') }))
    expect(told('arguments')).toEqual(Object.values(values('ARGUMENTS')))
  })

  it('of arguments are told', () => {
    const code =
      /const ARGUMENT_DATA: DataLimits =\s*DataLimits \{([^}]*)\}/.exec(source)?.[1] ?? ''
    const texts = tableUnder(page, '### Arguments of a call').flatMap((row) => Object.values(row))
    const limits = figuresOf(code)
    expect(limits).toHaveLength(7)
    for (const limit of limits) expect(isTold(limit, texts), limit).toBe(true)
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
