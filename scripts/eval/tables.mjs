// The figures as tables of texts, for the terminal and for the documentation alike.
import { one, percent, short, two } from './texts.mjs'

/** What a table's column shows of a policy; the best ones are set apart where there is a best. */
const MAIN = [
  { title: 'precision', of: (row) => two(row.precision), best: 'high' },
  { title: 'recall', of: (row) => two(row.recall), best: 'high' },
  { title: 'F1', of: (row) => two(row.f1), best: 'high' },
  { title: 'delay', of: (row) => short(row.delay.median) },
  { title: 'p90', of: (row) => short(row.delay.p90) },
  { title: 'saved', of: (row) => percent(row.saved), best: 'high' },
  { title: 'strong', of: (row) => two(row.strong.rate), best: 'low' },
  { title: 'not stuck', of: (row) => one(row.notStuck.rate), best: 'low' },
  { title: 'hits', of: (row) => String(row.hits) },
  { title: 'misses', of: (row) => String(row.misses) },
  { title: 'false', of: (row) => String(row.falseAlarms) },
]

const WORDS = [
  { title: 'precision', of: ({ byWords }) => two(byWords.precision), best: 'high' },
  { title: 'recall', of: ({ byWords }) => two(byWords.recall), best: 'high' },
  { title: 'F1', of: ({ byWords }) => two(byWords.f1), best: 'high' },
  { title: 'too early', of: ({ early }) => String(early) },
]

/** A row for each policy. */
function byPolicy(columns, rows) {
  return {
    corner: 'policy',
    columns: columns.map(({ title, best }) => ({ title, best })),
    rows: rows.map((row) => ({ name: row.id, cells: columns.map(({ of }) => of(row)) })),
  }
}

/** A column for each policy. */
function acrossPolicies(corner, names, rows, of) {
  return {
    corner,
    columns: rows.map(({ id }) => ({ title: id })),
    rows: names.map(({ key, title }) => ({ name: title, cells: rows.map((row) => of(row, key)) })),
  }
}

export const mainTable = ({ policies }) => byPolicy(MAIN, policies)
export const wordsTable = ({ policies }) => byPolicy(WORDS, policies)

export function kindsTable({ policies }) {
  const { kinds } = policies[0]
  const names = Object.keys(kinds)
    .sort((a, b) => kinds[b].total - kinds[a].total || a.localeCompare(b))
    .map((key) => ({ key, title: `${key} (${kinds[key].total})` }))
  return acrossPolicies('kind', names, policies, (row, key) => String(row.kinds[key].caught))
}

/** Loops caught of those that could be, and the false alarms if there are any. */
export function sourcesTable({ policies }) {
  return acrossPolicies('source', sourceNames(policies), policies, ({ sources }, key) => {
    const { hits, misses, falseAlarms } = sources[key]
    return `${hits}/${hits + misses}${falseAlarms > 0 ? ` +${falseAlarms}` : ''}`
  })
}

/** Precision and recall on all sources but one. */
export function withoutTable({ policies }) {
  const names = sourceNames(policies)
  return acrossPolicies('without', names, policies, ({ without }, key) => {
    return `${two(without[key].precision)} ${two(without[key].recall)}`
  })
}

function sourceNames([{ sources }]) {
  return Object.entries(sources).map(([key, { hits, misses, falseAlarms, quiet }]) => {
    return { key, title: `${key} (${hits + misses + falseAlarms + quiet})` }
  })
}
