// Runtime × result. A terminal shows the whole table from the start and keeps it
// up to date; a log gets a line for each row as it ends, and the table at the end.
import { bold, clock, dim, duration, Failure, green, isLive, red, write } from '../support/cli.mjs'

export class Table {
  #rows
  #results = new Map()
  #started = Date.now()
  #timer
  #drawn = 0

  constructor(rows) {
    this.#rows = rows
    write(`\n${bold(`${rows.length} rows`)}\n`)
    if (!isLive) return
    this.#draw()
    this.#timer = setInterval(() => this.#draw(), 1000)
  }

  start(row) {
    this.#results.set(row, { since: Date.now() })
    if (isLive) this.#draw()
  }

  finish(row, error) {
    const { since } = this.#results.get(row)
    this.#results.set(row, { since, took: Date.now() - since, error })
    if (isLive) return this.#draw()
    write(`${this.#line(row)}\n`)
    if (error) write(`${details(error)}\n`)
  }

  /** Closes the table; gives back how many rows failed. */
  end() {
    clearInterval(this.#timer)
    const failed = this.#rows.filter((row) => this.#results.get(row)?.error)
    if (isLive) {
      // All of it, also where the terminal was too low.
      write(
        `\u001b[${this.#drawn}A\u001b[J${this.#rows.map((row) => this.#line(row)).join('\n')}\n`,
      )
      for (const row of failed) {
        write(`\n${red('✗')} ${bold(title(row))}\n${details(this.#results.get(row).error)}\n`)
      }
    } else {
      write(`\n${this.#rows.map((row) => this.#line(row)).join('\n')}\n`)
    }
    const passed = this.#rows.length - failed.length
    const took = clock(Date.now() - this.#started)
    write(`\n${passed} of ${this.#rows.length} as the native engine says, in ${took}.\n`)
    return failed.length
  }

  #draw() {
    const lines = this.#rows.map((row) => `\u001b[2K${this.#line(row)}\n`)
    // Only what fits: what has scrolled away cannot be drawn over.
    const height = Math.max((process.stdout.rows || 24) - 3, 3)
    const at = this.#rows.findLastIndex((row) => this.#results.has(row))
    const from = Math.min(Math.max(at - height + 3, 0), Math.max(lines.length - height, 0))
    const shown = lines.slice(from, from + height)
    if (this.#drawn > 0) write(`\u001b[${this.#drawn}A`)
    write(shown.join(''))
    this.#drawn = shown.length
  }

  #line(row) {
    const result = this.#results.get(row)
    const name = `${row.runtime.padEnd(13)} ${row.how.padEnd(34)}`
    if (!result) return dim(`  · ${name}`)
    if (result.took === undefined) return `  … ${name} ${clock(Date.now() - result.since)}`
    return `  ${result.error ? red('✗') : green('✓')} ${name} ${duration(result.took)}`
  }
}

const title = ({ runtime, how }) => `${runtime}, ${how}`

function details(error) {
  const told = error instanceof Failure
  const parts = told ? [error.message, error.next, error.output] : [error.stack ?? String(error)]
  const lines = parts.filter(Boolean).join('\n').trimEnd().split('\n')
  return lines.slice(-60).join('\n').replace(/^/gm, '      ')
}
