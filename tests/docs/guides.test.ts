/** The tables of the guides name what the package has, and all of it. */

import { readdirSync, readFileSync } from 'node:fs'
import { LoopDetector, type PresetName, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, inRoot, readPage, tableUnder } from './pages.js'

const why = readPage('docs/guides/why.md')

describe('docs/guides/why.md', () => {
  it('has every field of a verdict', () => {
    const fields = tableUnder(why, '## What a verdict says').map((row) => codeIn(row.field))
    const detector = new LoopDetector()
    expect(fields.toSorted()).toEqual(Object.keys(detector.verdict).toSorted())
    detector.free()
  })

  const patterns = tableUnder(why, '### The patterns')

  it.each(Object.keys(presets) as PresetName[])('says which patterns are on in %s', (name) => {
    const told = patterns.filter((row) => codesIn(row['on in'] ?? '').includes(name))
    const { detectors = {}, iterationCap } = presets[name]
    const on = Object.entries(detectors).filter(([, options]) => typeof options === 'object')
    const kinds = [...on.map(([kind]) => kind), ...(iterationCap ? ['iteration-cap'] : [])]
    expect(told.map((row) => codeIn(row.kind)).toSorted()).toEqual(kinds.toSorted())
  })

  it('has every warning of a guard and of the adapters', () => {
    const table = why.text.split('\n## It said nothing\n')[1]?.split('| code |')[1] ?? ''
    const told = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code)
    const own = readFileSync(inRoot('js/guard/warnings.ts'), 'utf8')
    const adapters = readdirSync(inRoot('js/adapters'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(inRoot(`js/adapters/${name}`), 'utf8'))
    const codes = [
      ...own.matchAll(/^ {2}'([\w-]+)': \{$/gm),
      ...adapters.join('\n').matchAll(/\bcode: '([\w-]+)'/g),
    ].map(([, code]) => code)
    expect(told.toSorted()).toEqual(codes.toSorted())
  })
})

describe('docs/README.md', () => {
  it('lists every page', () => {
    const { text } = readPage('docs/README.md')
    const pages = ['', 'guides/'].flatMap((folder) =>
      readdirSync(inRoot(`docs/${folder}`))
        .filter((name) => name.endsWith('.md') && name !== 'README.md')
        .map((name) => `${folder}${name}`),
    )
    expect(pages.filter((page) => !text.includes(`](${page})`))).toEqual([])
  })
})
