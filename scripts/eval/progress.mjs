// How far the evaluation is, on stderr: one line that moves, or a line every ten seconds in a log.
import { clock, writeError } from '../support/cli.mjs'

const isLive = Boolean(process.stderr.isTTY)

export class Progress {
  #done = 0
  #started = Date.now()
  #timer

  constructor(total, policies) {
    const tell = () => {
      const text = `${clock(Date.now() - this.#started)}  ${this.#done} of ${total} trajectories, by ${policies} policies`
      writeError(isLive ? `\r\u001b[2K${text}` : `${text}\n`)
    }
    this.#timer = setInterval(tell, isLive ? 200 : 10_000)
    tell()
  }

  add(count) {
    this.#done += count
  }

  end() {
    clearInterval(this.#timer)
    if (isLive) writeError('\r\u001b[2K')
  }
}
