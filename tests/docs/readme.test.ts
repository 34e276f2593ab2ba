/** What the documentation shows is what happens: its code runs, its commands exist, its links lead somewhere. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { countPromises, runExample } from './examples.js'
import { type Block, codesIn, inRoot, PAGES, type Page, USER_PAGES } from './pages.js'
import { typeErrors } from './type-check.js'

const folder = mkdtempSync(path.join(tmpdir(), 'loophound-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isCode = ({ language }: Block) => language === 'ts' || language === 'js'
const isRun = ({ note }: Block) => !note.startsWith('no-run')

const blocks = USER_PAGES.flatMap((page) => page.blocks)
const examples = blocks.filter((block) => isCode(block) && isRun(block))

describe('code blocks', () => {
  it('README.md has some', () => {
    expect(examples.filter(({ at }) => at.startsWith('README.md:')).length).toBeGreaterThan(0)
  })

  it.each(examples.map((block) => [block.at, block] as const))('%s runs', async (_, block) => {
    expect(countPromises(block), 'lines with // => or // throws').toBeGreaterThan(0)
    await runExample(block, folder)
  })

  it('compile under strict settings', () => {
    const typed = examples.filter(({ language }) => language === 'ts')
    expect(typeErrors(typed, folder)).toEqual([])
  })

  it('say why, where they are not run', () => {
    const silent = blocks.filter((block) => !isRun(block) && !/^no-run: \w+/.test(block.note))
    expect(silent.map(({ at }) => at)).toEqual([])
  })

  // A block without a language would be a Rust test, as the README is part of the crate's own.
  it('have a language', () => {
    const known = ['ts', 'tsx', 'js', 'sh', 'json', 'text', 'rust']
    const odd = PAGES.flatMap((page) => page.blocks).filter((b) => !known.includes(b.language))
    expect(odd.map(({ at }) => at)).toEqual([])
  })

  it('in Rust are part of the doc tests', () => {
    const rust = PAGES.filter((page) => page.blocks.some(({ language }) => language === 'rust'))
    const library = readFileSync(inRoot('src/lib.rs'), 'utf8')
    for (const { name } of rust.filter(({ name }) => name !== 'CONTRIBUTING.md')) {
      expect(library.includes(`include_str!("../${name}")`), name).toBe(true)
    }
  })
})

/** What npm can do by itself. */
const NPM_COMMANDS = ['audit', 'ci', 'install', 'login', 'pack', 'publish']

describe('commands', () => {
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))

  it.each(PAGES.map((page) => [page.name, page] as const))('of %s exist', (name, page) => {
    const shell = page.blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
    // In the guides, commands between backquotes are often what an agent calls.
    const inline = name.startsWith('docs/') ? [] : codesIn(page.text)
    const commands = [...shell.join('\n').split('\n'), ...inline]
    const called = commands.flatMap((command) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? [])
    const known = [...NPM_COMMANDS, ...Object.keys(scripts)]
    expect(called.filter((command) => !known.includes(command))).toEqual([])
  })
})

describe('links', () => {
  it.each(PAGES.map((page) => [page.name, page] as const))('of %s lead somewhere', (name, page) => {
    expect(brokenLinks(name, page)).toEqual([])
  })
})

function brokenLinks(name: string, page: Page): string[] {
  const targets = [
    ...page.text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g),
    ...page.text.matchAll(/\b(?:src|srcset)="(?!https?:)([^"]*)"/g),
  ]
  return targets.flatMap(([link, file, anchor]) => {
    const target = file ? path.join(path.dirname(name), file) : name
    if (!existsSync(inRoot(target))) return [link]
    if (!anchor) return []
    const titles = readFileSync(inRoot(target), 'utf8').matchAll(/^#+ (.+)$/gm)
    return [...titles].some(([, title]) => `#${slug(title as string)}` === anchor) ? [] : [link]
  })
}

/** A heading as GitHub names it in links. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

describe('output', () => {
  const shown = blocks.filter(({ note }) => note.startsWith('replay '))

  it('of the replay is shown in a guide', () => {
    expect(shown.map(({ at }) => at.split(':')[0])).toContain('docs/guides/why.md')
  })

  it.each(shown.map((block) => [block.at, block] as const))('%s is real', async (_, block) => {
    const { FORCE_COLOR: _colour, ...env } = process.env
    const args = [inRoot('examples/replay.mjs'), block.note.replace('replay ', '')]
    const options = { env: { ...env, COLUMNS: '100' } }
    const { stdout } = await promisify(execFile)(process.execPath, args, options)
    expect(stdout).toContain(block.code)
  })
})
