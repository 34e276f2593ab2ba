// Framework × check. A fixture's line grows as its checks end; what went wrong
// is told below the table.
import { bold, dim, green, red, write } from '../support/cli.mjs'

/** The checks that every adapter has, in order. What a driver adds is counted in the last column. */
export const COLUMNS = [
  ...['types', 'loop', 'stream', 'healthy', 'hooks', 'parallel', 'throws', 'apart', 'resume'],
  ...['observe', 'chant', 'example'],
]

export class Table {
  #columns
  #width
  #outcomes = new Map()

  constructor(fixtures, columns) {
    this.#columns = columns
    this.#width = Math.max(...fixtures.map(({ title }) => title.length)) + 2
    const heads = [...columns, 'own'].map((name) => name.padEnd(name.length + 2)).join('')
    write(`\n${bold(''.padEnd(this.#width) + heads)}\n`)
  }

  add(fixture, outcome) {
    const outcomes = this.#outcomes.get(fixture) ?? []
    if (outcomes.length === 0) this.#begin(fixture)
    this.#outcomes.set(fixture, [...outcomes, outcome])
    const column = this.#columns.indexOf(outcome.id)
    if (column >= 0) write(mark(outcome) + ' '.repeat(outcome.id.length + 1))
  }

  #begin(fixture) {
    this.#finishLine()
    write(fixture.title.padEnd(this.#width))
  }

  /** The driver's own checks, as a count. */
  #finishLine() {
    const last = [...this.#outcomes.values()].at(-1)
    if (!last) return
    const own = last.filter(({ id }) => !this.#columns.includes(id))
    const passed = own.filter(({ ok }) => ok).length
    const text = own.length === 0 ? '–' : `${passed}/${own.length}`
    write(`${passed === own.length ? text : red(text)}\n`)
  }

  /** Closes the table; gives back how many checks failed. */
  end() {
    this.#finishLine()
    let failed = 0
    const notes = new Map()
    for (const [{ title }, outcomes] of this.#outcomes) {
      for (const { id, ok, note, error } of outcomes) {
        if (note) notes.set(`${id}: ${note}`, [...(notes.get(`${id}: ${note}`) ?? []), title])
        if (ok) continue
        failed += 1
        write(`\n${red('✗')} ${bold(`${title}, ${id}`)}\n${indented(error)}\n`)
      }
    }
    if (notes.size > 0) write('\n')
    for (const [note, titles] of notes) write(dim(`– ${note} (${titles.join(', ')})\n`))
    const all = [...this.#outcomes.values()].flat().length
    write(`\n${all - failed} of ${all} checks passed.\n`)
    return failed
  }
}

const mark = ({ ok, note }) => (ok ? (note ? dim('–') : green('✓')) : red('✗'))

const indented = (text) =>
  String(text).trimEnd().split('\n').slice(0, 40).join('\n').replace(/^/gm, '    ')
