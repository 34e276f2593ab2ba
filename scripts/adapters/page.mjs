// The figures, for the terminal and for docs/adapters/README.md.
import { table } from '../perf/tables.mjs'
import { replaceSections } from '../support/files.mjs'

const PAGE = 'docs/adapters/README.md'

export const HEADER = ['framework', 'bare', 'guarded', 'added', 'ratio']

/** One row: medians, and with quartiles what the guard adds. */
export const rowOf = ({ title, bare, guarded, added, ratio }) => [
  title,
  microseconds(bare.median),
  microseconds(guarded.median),
  withQuartiles(added, microseconds),
  withQuartiles(ratio, (value) => value.toFixed(2)),
]

/** What the figures are; the rounds are those of most fixtures. */
export function describe(figures) {
  const counts = figures.map(({ rounds }) => rounds)
  const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]
  const others = figures
    .filter(({ rounds }) => rounds !== usual)
    .map(({ title, rounds }) => `${rounds} for ${title}`)
  const count = `${usual} rounds${others.length > 0 ? ` (${others.join(', ')})` : ''}`
  return `Microseconds of processor time for one step with one tool call, mock model included, without and with a guard, which take turns: the medians of ${count}. What a guard adds, and the ratio, are those of the same round, with their quartiles in brackets.`
}

export function writeFigures(figures) {
  const text = `${describe(figures)}\n\n${table(HEADER, figures.map(rowOf))}`
  replaceSections(PAGE, { figures: text })
}

const withQuartiles = ({ median, low, high }, print) =>
  `${print(median)} (${print(low)}–${print(high)})`

function microseconds(value) {
  return Math.abs(value) < 10 ? value.toFixed(1) : String(Math.round(value))
}
