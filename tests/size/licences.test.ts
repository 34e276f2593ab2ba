/** THIRD-PARTY-LICENSES.txt names what is compiled in and bundled, each with its text. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const inRoot = (...parts: string[]) =>
  path.join(fileURLToPath(new URL('../..', import.meta.url)), ...parts)
const page = readFileSync(inRoot('pkg/THIRD-PARTY-LICENSES.txt'), 'utf8')

/** The lists of names, each with the text below it. */
const sections = page
  .split(`\n${'-'.repeat(80)}\n`)
  .slice(1)
  .map((section) => {
    const [list = '', ...texts] = section.split('\n\n')
    return { titles: list.split('\n'), text: texts.join('\n\n').trim() }
  })
const listed = new Map(
  sections.flatMap(({ titles }) =>
    titles.map((title) => {
      const [, name = '', version = ''] = /^(.+) (\d\S*) \(.+\)$/.exec(title) ?? []
      return [name, version] as const
    }),
  ),
)

describe('THIRD-PARTY-LICENSES.txt', () => {
  it('has a name, a version and a text for each', () => {
    expect(sections.length).toBeGreaterThan(20)
    expect([...listed.entries()].filter(([name, version]) => !name || !version)).toEqual([])
    expect(sections.filter(({ text }) => !/copyright|public domain/i.test(text))).toEqual([])
  })

  it('names every crate that a function of the engine comes from', () => {
    const module = new WebAssembly.Module(readFileSync(inRoot('build/wasm/loophound_bg.wasm')))
    const [names] = WebAssembly.Module.customSections(module, 'name')
    const text = Buffer.from(names as ArrayBuffer).toString('latin1')
    const found = [...text.matchAll(/[<& (,]([a-z]\w*)\[[0-9a-f]{8,16}\]::/g)].map(([, one]) => one)
    const standard = ['alloc', 'compiler_builtins', 'core', 'std']
    const foreign = new Set(found.filter((name) => !/^(loophound|__rustc)/.test(name as string)))
    expect(foreign.size).toBeGreaterThan(8)
    const known = [...listed.keys()].map((name) => name.replaceAll('-', '_'))
    expect(
      [...foreign].filter((name) => ![...known, ...standard].includes(name as string)),
    ).toEqual([])
    expect(listed.has('The Rust standard library')).toBe(true)
  })

  it('names every npm package that the command and the report import', () => {
    const imports = ['js/cli', 'js/report'].flatMap((folder) =>
      sourcesIn(folder).flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/(?<!type .*)from '((?:@[\w-]+\/)?[\w-]+)/g),
      ]),
    )
    const names = new Set(imports.map(([, name]) => name as string))
    // The package itself, and the page that the build puts in.
    for (const own of ['loophound', 'node', 'report-page']) names.delete(own)
    expect(names.size).toBeGreaterThan(4)
    expect([...names].filter((name) => !listed.has(name))).toEqual([])
  })

  it('names what the Redis client needs', () => {
    const { dependencies } = manifestOf('iovalkey')
    expect(listed.get('iovalkey')).toBe(manifestOf('iovalkey').version)
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([])
  })
})

function sourcesIn(folder: string): string[] {
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function manifestOf(name: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(inRoot('node_modules', name, 'package.json'), 'utf8'))
}
