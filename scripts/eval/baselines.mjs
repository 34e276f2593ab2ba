// The corpus' README has a table of rules and their figures. Those that are among our policies are
// compared with it: if both agree, both count alike.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The columns of that table, and the same figure of ours in the same form. */
const COLUMNS = [
  { title: 'precision', of: ({ precision }) => fixed(precision, 2) },
  { title: 'recall', of: ({ recall }) => fixed(recall, 2) },
  { title: 'F1', of: ({ f1 }) => fixed(f1, 2) },
  { title: 'delay, median', of: ({ delay }) => String(delay.median ?? '–') },
  { title: 'false alarms per 1,000', of: ({ notStuck }) => fixed(notStuck.rate, 1) },
]

const fixed = (value, digits) => (value === null ? '–' : value.toFixed(digits))

/** @returns {Map<string, string[]>} The figures by rule, as printed; empty where there is no table. */
export function readBaselines(folder) {
  const file = path.join(folder, 'README.md')
  return existsSync(file) ? baselinesIn(readFileSync(file, 'utf8')) : new Map()
}

/** The rows of the first table whose titles are those of COLUMNS. */
export function baselinesIn(text) {
  const rows = text.split('\n').map(cellsOf)
  const start = rows.findIndex((cells) => cells && isTitle(cells))
  const found = new Map()
  if (start < 0) return found
  for (const cells of rows.slice(start + 2)) {
    if (!cells) break
    found.set(cells[0], cells.slice(1))
  }
  return found
}

function cellsOf(line) {
  if (!line.startsWith('|')) return null
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function isTitle([, ...titles]) {
  return (
    titles.length === COLUMNS.length &&
    COLUMNS.every(({ title }, index) => titles[index].startsWith(title))
  )
}

/**
 * @param {Map<string, readonly string[]>} baselines
 * @param {{ policies: readonly object[] }} figures
 * @param {readonly object[]} policies With the rule each is meant to be.
 * @returns {{ id: string, agrees: boolean, differs?: string, cells: { theirs: string, ours: string }[]
 *   }[]} The policies that are in the table.
 */
export function compareBaselines(baselines, { policies: rows }, policies) {
  return policies.flatMap(({ id, baseline, differs }) => {
    const theirs = baselines.get(baseline)
    const row = rows.find((candidate) => candidate.id === id)
    if (!theirs || !row) return []
    const cells = COLUMNS.map(({ of }, index) => ({ theirs: theirs[index], ours: of(row) }))
    const agrees = cells.every((cell) => cell.theirs === cell.ours)
    return [{ id, agrees, differs, cells }]
  })
}

export const BASELINE_TITLES = COLUMNS.map(({ title }) => title)
