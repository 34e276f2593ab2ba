// The tables in the terminal. One that is too wide is continued below itself.
import { bold, dim, green, write } from '../support/terminal.mjs'
import { kindsTable, mainTable, sourcesTable, withoutTable, wordsTable } from './tables.mjs'

const GAP = 2
const width = process.stdout.columns ?? 120

export function writeReport(figures) {
  const { labelled, stuck, trajectories } = figures
  write(
    `\n${bold(`${labelled} labelled trajectories, ${stuck} of them stuck`)} ` +
      `${dim(`(${trajectories} replayed)`)}\n` +
      `${dim('delay in calls, median and 90th percentile; saved: calls in loops after the first alarm;')}\n` +
      `${dim('strong, not stuck: runs with a false alarm for each 1,000 calls')}\n`,
  )
  writeTable(mainTable(figures))
  section(
    'Any alarm inside a loop is a hit, also after one that came too early',
    wordsTable(figures),
  )
  section('Loops caught, by their kind', kindsTable(figures))
  section('Loops caught and false alarms, by source', sourcesTable(figures))
  section('Precision and recall with one source left out', withoutTable(figures))
  write('\n')
}

function section(title, table) {
  write(`\n${bold(title)}\n`)
  writeTable(table)
}

function writeTable({ corner, columns, rows }) {
  const nameWidth = Math.max(corner.length, ...rows.map(({ name }) => name.length))
  const texts = columns.map(({ title }, index) => [title, ...rows.map(({ cells }) => cells[index])])
  const widths = texts.map((column) => Math.max(...column.map((text) => text.length)) + GAP)
  for (const block of blocks(widths, width - nameWidth)) {
    const titles = block.map((index) => bold(columns[index].title.padStart(widths[index])))
    write(`\n${bold(corner.padEnd(nameWidth))}${titles.join('')}\n`)
    for (const { name, cells } of rows) {
      const shown = block.map((index) => {
        const text = cells[index].padStart(widths[index])
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
