// The studies of the default preset as tables of texts.
import { change, one, short, three, two, whole } from './texts.mjs'

/** What a study shows of a variant. */
const FIGURES = [
  { title: 'precision', of: ({ precision }) => precision, text: two },
  { title: 'recall', of: ({ recall }) => recall, text: two },
  { title: 'F1', of: ({ f1 }) => f1, text: two },
  { title: 'hits', of: ({ hits }) => hits, text: whole },
  { title: 'false', of: ({ falseAlarms }) => falseAlarms, text: whole },
  { title: 'delay', of: ({ delay }) => delay.median, text: short },
  { title: 'p90', of: ({ delay }) => delay.p90, text: short },
  { title: 'strong', of: ({ strong }) => strong.alarmed, text: whole },
  { title: 'agreed', of: ({ breadth }) => breadth?.agreed ?? null, text: whole },
  { title: 'beyond', of: ({ breadth }) => breadth?.beyond ?? null, text: whole },
]

const titles = FIGURES.map(({ title }) => ({ title }))

/** The figures themselves. */
const plain = (row) => FIGURES.map(({ of, text }) => text(of(row)))

/** What is different, and a dot for what is not. */
const changed = (row, base) => FIGURES.map(({ of, text }) => change(text)(of(row), of(base)))

/** Every detector off in turn: the differences that makes. */
export function withoutTable({ base, without }) {
  return ablationTable('without', base, without)
}

/** Every patience without end. */
export function neverTable({ base, never }) {
  return ablationTable('never', base, never)
}

function ablationTable(corner, base, variants) {
  return {
    ...{ corner, columns: titles },
    rows: [
      { name: '(all of it)', cells: plain(base) },
      ...variants.map((row) => ({ name: row.name, cells: changed(row, base) })),
    ],
  }
}

/** Every detector alone. */
export function onlyTable({ base, only }) {
  return {
    ...{ corner: 'only', columns: titles },
    rows: [...only, { ...base, name: '(all of it)' }].map((row) => ({
      name: row.name,
      cells: plain(row),
    })),
  }
}

/** Every number and its neighbours; the row of the number itself has the figures. */
export function thresholdsTable(knobs) {
  const rows = knobs.flatMap(({ name, value, rows }) => {
    const base = rows.find((row) => row.value === value)
    return rows.map((row) => ({
      name: `${name} ${row.value}`,
      cells: row === base ? plain(row) : changed(row, base),
    }))
  })
  return { corner: 'value', columns: titles, rows }
}

const BREADTH = [
  { title: 'runs', of: ({ runs }) => String(runs) },
  { title: 'loops by the rules', of: ({ strict }) => String(strict) },
  { title: 'agreed', of: ({ agreed }) => String(agreed) },
  { title: 'silent', of: ({ silent }) => String(silent) },
  { title: 'beyond', of: ({ beyond }) => String(beyond) },
]

/** @param {Record<string, object>} rows A policy's or a source's agreement with the rules. */
export function breadthTable(corner, rows) {
  return {
    corner,
    columns: BREADTH.map(({ title }) => ({ title })),
    rows: Object.entries(rows).map(([name, row]) => ({
      name,
      cells: BREADTH.map(({ of }) => of(row)),
    })),
  }
}

export function intervalsTable({ intervals: { precision, recall, f1 } }) {
  const row = (name, { value, low, high }) => ({ name, cells: [value, low, high].map(two) })
  return {
    corner: 'figure',
    columns: ['measured', 'low', 'high'].map((title) => ({ title })),
    rows: [row('precision', precision), row('recall', recall), row('F1', f1)],
  }
}

/** What would be chosen without each source, and what it would do there. */
export function leftOutTable({ left }) {
  const found = ({ hits, misses, falseAlarms }) =>
    `${hits}/${hits + misses}${falseAlarms > 0 ? ` +${falseAlarms}` : ''}`
  return {
    corner: 'left out',
    columns: [
      ...['F1 of the rest', 'found there', 'with the changes'].map((title) => ({ title })),
      { title: 'changes, with the F1 of the rest', words: true },
    ],
    rows: left.map(({ source, f1, changes, own, other }) => ({
      name: source,
      cells: [
        ...[three(f1), found(own), other ? found(other) : '–'],
        changes.map(told).join(', ') || 'none',
      ],
    })),
  }
}

const told = ({ name, from, to, f1 }) => `${name} ${from} → ${to} (${three(f1)})`

export function costText({ ratio }) {
  return `${one(ratio.median)} times (quartiles ${one(ratio.low)} and ${one(ratio.high)})`
}

/** The corpus' own figures; ours after an arrow where they differ. */
export function baselinesTable(titles, rows) {
  return {
    corner: 'policy',
    columns: titles.map((title) => ({ title })),
    rows: rows.map(({ id, cells }) => ({
      name: id,
      cells: cells.map(({ theirs, ours }) => (theirs === ours ? ours : `${theirs} → ${ours}`)),
    })),
  }
}
