/**
 * The figures as tables, and tables as text for the terminal and for Markdown.
 *
 * @typedef {{ title: string, isText?: boolean }} Column Numbers stand to the right, text to the left.
 * @typedef {{ columns: Column[], rows: string[][] }} Table
 */
import { markdownTable } from 'markdown-table'

const known = (text) => (value) => (value === null || value === undefined ? '–' : text(value))

export const two = known((value) => value.toFixed(2))
export const one = known((value) => value.toFixed(1))
export const short = known((value) => String(Math.round(10 * value) / 10))
export const percent = known((value) => `${Math.round(100 * value)} %`)
export const thousands = known((value) => value.toLocaleString('en'))
const count = known(String)
const interval = ({ low, high }) => (low === null ? '–' : `${two(low)}–${two(high)}`)

const PRECISIONS = [
  ['precision', ({ precisions }) => two(precisions.alarm)],
  ['of blocks', ({ precisions }) => two(precisions.block)],
  ['of stops', ({ precisions }) => two(precisions.stop)],
]

const LABELS = [
  ...PRECISIONS,
  ['recall', ({ recall }) => two(recall)],
  ['F1', ({ f1 }) => two(f1)],
  ['delay', ({ delay }) => short(delay.median)],
  ['p90', ({ delay }) => short(delay.p90)],
  ['saved', ({ saved }) => percent(saved)],
  ['strong', ({ strong }) => two(strong.rate)],
  ['95 %', ({ strong }) => interval(strong)],
  ['not stuck', ({ notStuck }) => one(notStuck.rate)],
  ['hits', ({ hits }) => count(hits)],
  ['misses', ({ misses }) => count(misses)],
  ['false', ({ falseAlarms }) => count(falseAlarms)],
  ['too early', ({ early }) => count(early)],
]

const MODERN = [
  ['work alarmed', ({ today }) => count(today.alarmed)],
  ['blocked', ({ today }) => count(today.blocked)],
  ['stopped', ({ today }) => count(today.stopped)],
  ['per 1,000', ({ today }) => two(today.rate)],
  ['95 %', ({ today }) => interval(today)],
  ['loops found', ({ loops }) => count(loops.found)],
  ['blocked', ({ loops }) => count(loops.blocked)],
  ['stopped', ({ loops }) => count(loops.stopped)],
  ['too early', ({ loops }) => count(loops.early)],
  ['delay', ({ loops }) => short(loops.delay)],
  ...PRECISIONS,
  ['unread alarmed', ({ unread }) => count(unread.alarmed)],
]

const SCENARIOS = [
  ...['clear', 'contested'].flatMap((group) => [
    [`${group} alarmed`, (row) => count(row[group].alarmed)],
    ['blocked', (row) => count(row[group].blocked)],
    ['stopped', (row) => count(row[group].stopped)],
  ]),
  ['loops alarmed', ({ realistic }) => count(realistic.alarmed)],
  ['blocked', ({ realistic }) => count(realistic.blocked)],
  ['stopped', ({ realistic }) => count(realistic.stopped)],
  ['delay', ({ realistic }) => short(realistic.delay)],
  ['adversarial', ({ adversarial }) => count(adversarial.alarmed)],
  ...PRECISIONS,
]

const COLUMNS = {
  labels: LABELS,
  'modern-turns': MODERN,
  'modern-calls': MODERN,
  scenarios: SCENARIOS,
}

/** A row for each policy of a view. */
export function viewTable({ id, policies }) {
  return table(
    ['policy', ...COLUMNS[id].map(([title]) => title)],
    policies.map((row) => [row.id, ...COLUMNS[id].map(([, cell]) => cell(row))]),
  )
}

/** Describe the sessions of a view in one sentence. */
export function viewTitle({ id, sessions, calls, policies: [row] }) {
  const size = `${thousands(sessions)} sessions, ${thousands(calls)} calls`
  switch (id) {
    case 'labels': {
      const { hits, misses, falseAlarms, quiet, early, notStuck } = row
      const labelled = hits + misses + falseAlarms + quiet
      const stuck = hits + misses + early
      return `labels: ${labelled} labelled sessions, ${stuck} of them stuck (${size}, those of strong models included; ${notStuck.sessions} not stuck)`
    }
    case 'scenarios': {
      const { clear, contested, realistic, adversarial } = row
      return `scenarios: ${clear.sessions} healthy and clear, ${contested.sessions} contested, ${realistic.sessions} realistic loops, ${adversarial.sessions} adversarial`
    }
    default: {
      const { today, loops, unread } = row
      const way = id.endsWith('turns') ? 'by turn' : 'call by call'
      return `modern, ${way}: ${today.sessions} sessions of today's agents (${thousands(today.calls)} calls), ${loops.sessions} older ones that are stuck, ${unread.sessions} that nobody read`
    }
  }
}

/** For each kind of loop, how many stretches have an alarm inside, by policy. */
export function kindsTable({ policies }) {
  const { kinds } = policies[0]
  const names = Object.keys(kinds).sort(
    (a, b) => kinds[b].total - kinds[a].total || a.localeCompare(b),
  )
  return table(
    ['kind', ...policies.map(({ id }) => id)],
    names.map((name) => [
      `${name} (${kinds[name].total})`,
      ...policies.map((row) => count(row.kinds[name]?.caught)),
    ]),
  )
}

/** For each source and policy: hits of all loops and, after a plus, false alarms. */
export function sourcesTable({ policies }) {
  const names = Object.keys(policies[0].sources)
  return table(
    ['source', ...policies.map(({ id }) => id)],
    names.map((name) => [
      name,
      ...policies.map(({ sources }) => {
        if (!sources[name]) return '–'
        const { hits, misses, falseAlarms } = sources[name]
        return `${hits}/${hits + misses}${falseAlarms > 0 ? ` +${falseAlarms}` : ''}`
      }),
    ]),
  )
}

/** A row for each policy and simulated agent. */
export function closedLoopTable(rows) {
  const cells = ({ from, policy, agent, loops, hardest, nudges, blocked, stopped }) => [
    ...[policy, agent, `${loops} ${from}`, count(hardest.silent)],
    ...[short(nudges.median), count(nudges.most)],
    ...[count(blocked.loops), short(blocked.turn), count(stopped.loops), short(stopped.turn)],
  ]
  return table(
    ['policy', 'agent', 'loops', 'silent', 'nudges', 'most', 'blocked', 'at', 'stopped', 'at'],
    rows.map(cells),
    3,
  )
}

export function targetsTable(targets) {
  return table(
    ['set', 'figure', 'target', 'measured', 'reached'],
    targets.map(({ view, name, goal, value, isMet }) => {
      return [view, name, goal, value, isMet ? 'yes' : 'no']
    }),
    2,
  )
}

/** Make a table whose first columns are text. */
export function table(titles, rows, texts = 1) {
  return { columns: titles.map((title, index) => ({ title, isText: index < texts })), rows }
}

/** Columns are aligned for reading in a terminal. */
export function toTerminal({ columns, rows }) {
  const titles = columns.map(({ title }) => title)
  return `${markdownTable([titles, ...rows], { align: alignment(columns) })}\n`
}

/** Cells are not padded, and the names of policies are code. */
export function toMarkdown({ columns, rows }) {
  const cell = (text, index) => (columns[index].title === 'policy' ? `\`${text}\`` : text)
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(cell))]
  return markdownTable(lines, { align: alignment(columns), alignDelimiters: false })
}

const alignment = (columns) => columns.map(({ isText }) => (isText ? 'l' : 'r'))
