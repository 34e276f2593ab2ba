// Shows how far the setup is: on a terminal as one line that moves, in a log as
// a line every ten seconds.
import { bold, clock, dim, duration, green, isLive, write } from '../support/terminal.mjs'

export class Progress {
  #started = Date.now()
  #running = new Map()
  #timer

  announce(tasks) {
    write(`${bold('Setting up')} what is missing (once):\n`)
    for (const { name, why, about } of tasks) {
      write(`  ${name.padEnd(22)} ${dim(`${why}, about ${about}`)}\n`)
    }
    this.#timer = setInterval(() => this.#tick(), isLive ? 200 : 10_000)
  }

  start(task) {
    this.#running.set(task.name, '')
  }

  report(task, text) {
    if (text) this.#running.set(task.name, ` ${text}`)
  }

  finish(task, took) {
    this.#running.delete(task.name)
    this.#clear()
    write(`  ${green('✓')} ${task.name} ${dim(`(${duration(took)})`)}\n`)
  }

  stop() {
    clearInterval(this.#timer)
    this.#clear()
  }

  #tick() {
    const tasks = [...this.#running].map(([name, text]) => name + text).join(' · ')
    const line = `  ${clock(Date.now() - this.#started)}  ${tasks}`
    if (!isLive) return write(`${line}\n`)
    const width = (process.stdout.columns || 80) - 1
    write(`\r\u001b[2K${line.slice(0, width)}`)
  }

  #clear() {
    if (isLive) write('\r\u001b[2K')
  }
}
