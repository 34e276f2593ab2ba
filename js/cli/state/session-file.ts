/**
 * What is known of one session, or of one subagent in it, in a file.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoopGuard } from 'loophound'
import { acquire } from './lock.js'
import { sweep } from './sweep.js'

const FORMAT = 'loophound-hook'
const VERSION = 1

type Warn = (problem: unknown) => void

export class SessionFile {
  readonly #folder: string
  readonly #file: string

  constructor(folder: string, sessionId: string, agentId: string | undefined) {
    // Names come from outside: as a hash, they cannot lead out of the folder.
    const name = createHash('sha256').update(JSON.stringify([sessionId, agentId ?? null]))
    this.#folder = folder
    this.#file = join(folder, `${name.digest('hex').slice(0, 32)}.json`)
  }

  /**
   * Brings the guard to where the session is, does the work, and keeps where it is then. One process
   * at a time; what is written is written whole or not at all.
   *
   * @throws Error when the folder cannot be used, or when others take too long.
   */
  update<T>(guard: LoopGuard, work: () => T, warn: Warn): T {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const lock = acquire(`${this.#file}.lock`)
    try {
      this.#restore(guard, warn)
      const outcome = work()
      const state = JSON.stringify({ format: FORMAT, version: VERSION, guard: guard.snapshot() })
      const draft = `${this.#file}.${process.pid}.tmp`
      writeFileSync(draft, state, { mode: 0o600 })
      // Whoever took the lock over meanwhile knows better.
      if (lock.isHeld()) renameSync(draft, this.#file)
      else rmSync(draft, { force: true })
      return outcome
    } finally {
      lock.release()
    }
  }

  #restore(guard: LoopGuard, warn: Warn): void {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Once for each session is often enough.
      sweep(this.#folder)
      return
    }
    try {
      const { format, version, guard: snapshot } = JSON.parse(text)
      if (format !== FORMAT || version !== VERSION) throw new TypeError('it is of another version')
      guard.restore(snapshot)
    } catch (error) {
      const aside = `${this.#file}.${Date.now()}.unread`
      renameSync(this.#file, aside)
      const reason = error instanceof Error ? error.message : String(error)
      warn(`The state of this session cannot be read, and is set aside as ${aside}: ${reason}`)
    }
  }
}
