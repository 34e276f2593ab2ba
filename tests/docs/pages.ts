/**
 * The written documentation: its pages, their code blocks and their tables.
 *
 * @module
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A fenced code block. */
export interface Block {
  /** Where it stands, for test names and error messages: `README.md:12`. */
  readonly at: string
  /** The line of its first line of code, counted from 1. */
  readonly line: number
  /** The first word after the fence. */
  readonly language: string
  /** What else stands after the fence. */
  readonly note: string
  readonly code: string
}

/** A page of documentation. */
export interface Page {
  /** Its path, seen from the project root. */
  readonly name: string
  readonly text: string
  readonly blocks: readonly Block[]
}

/** The path of a file of the project. */
export function inRoot(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url))
}

export function readPage(name: string): Page {
  const text = readFileSync(inRoot(name), 'utf8')
  return { name, text, blocks: blocksOf(name, text) }
}

const guides = ['docs', 'docs/adapters', 'docs/guides'].flatMap((folder) =>
  readdirSync(inRoot(folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)

/** The pages whose code is for users to copy. */
export const USER_PAGES: readonly Page[] = ['README.md', ...guides].map(readPage)

/** Every page. */
export const PAGES: readonly Page[] = [
  ...USER_PAGES,
  ...['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(readPage),
  ...['examples/README.md', 'tests/adapters/README.md'].map(readPage),
]

function blocksOf(name: string, text: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; info: string; code: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('```')) {
      open?.code.push(line)
    } else if (open) {
      const [language = '', ...note] = open.info.split(' ')
      const at = `${name}:${open.line}`
      const code = open.code.join('\n')
      blocks.push({ at, line: open.line, language, note: note.join(' '), code })
      open = null
    } else {
      open = { line: index + 2, info: line.slice(3).trim(), code: [] }
    }
  }
  if (open) throw new Error(`${name}:${open.line}: the code block is not closed`)
  return blocks
}

/** A row of a table: the cells by the heading of their column. */
export type Row = Readonly<Record<string, string>>

/** The rows of the first table after a heading such as `## Window`. */
export function tableUnder(page: Page, heading: string): Row[] {
  const lines = page.text.split('\n')
  const from = lines.indexOf(heading)
  if (from < 0) throw new Error(`${page.name} has no heading "${heading}"`)
  const start = lines.findIndex((line, index) => index > from && line.startsWith('|'))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const [titles = [], , ...rows] = lines.slice(start, end).map(cellsOf)
  return rows.map((cells) => Object.fromEntries(titles.map((title, i) => [title, cells[i] ?? ''])))
}

/** Splits at the bars that are not escaped. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim())
}

/** The texts in backquotes, in order. */
export function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)
}

/** The one text in backquotes that a cell consists of. */
export function codeIn(cell: string | undefined): string {
  const [code, ...more] = codesIn(cell ?? '')
  if (code === undefined || more.length > 0) throw new Error(`not one piece of code: ${cell}`)
  return code
}
