// A table in the terminal. One that is too wide is continued below itself.
import { bold, green, write } from '../support/cli.mjs'

const GAP = 2
const width = process.stdout.columns ?? 120

/** A table under its title. */
export function section(title, table) {
  write(`\n${bold(title)}\n`)
  writeTable(table)
}

export function writeTable({ corner, columns, rows }) {
  const nameWidth = Math.max(corner.length, ...rows.map(({ name }) => name.length))
  const texts = columns.map(({ title }, index) => [title, ...rows.map(({ cells }) => cells[index])])
  const widths = texts.map((column) => Math.max(...column.map((text) => text.length)) + GAP)
  for (const block of blocks(widths, width - nameWidth)) {
    const padded = (text, index) => {
      const gap = ' '.repeat(GAP)
      return columns[index].words ? `${gap}${text}` : text.padStart(widths[index])
    }
    const titles = block.map((index) => bold(padded(columns[index].title, index)))
    write(`\n${bold(corner.padEnd(nameWidth))}${titles.join('')}\n`)
    for (const { name, cells } of rows) {
      const shown = block.map((index) => {
        const text = padded(cells[index], index)
        return isBest(cells[index], columns[index].best, rows, index) ? green(text) : text
      })
      write(`${name.padEnd(nameWidth)}${shown.join('')}\n`)
    }
  }
}

/** Indices of the columns that fit beside one another. */
function blocks(widths, room) {
  const result = [[]]
  let used = 0
  for (const [index, columnWidth] of widths.entries()) {
    if (used + columnWidth > room && used > 0) {
      result.push([])
      used = 0
    }
    result.at(-1).push(index)
    used += columnWidth
  }
  return result
}

function isBest(text, best, rows, index) {
  if (!best || rows.length < 2) return false
  const values = rows.map(({ cells }) => Number.parseFloat(cells[index])).filter(Number.isFinite)
  return Number.parseFloat(text) === (best === 'high' ? Math.max(...values) : Math.min(...values))
}
