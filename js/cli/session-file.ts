/**
 * Keeps what a guard knows of one session, or of one subagent in it, in a file.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { LoopGuard } from 'loophound'
import { acquire } from './lock.js'

const FORMAT = 'loophound-hook'
const VERSION = 1
const WEEK = 7 * 24 * 60 * 60 * 1000

/** Our files: state, drafts of it, locks, and state that could not be read. */
const OURS = /^[0-9a-f]{32}\.json(\.lock(-break)?|\.\d+\.(tmp|unread))?$/

type Warn = (problem: unknown) => void

/** The file of one session. */
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
   * Restores the guard, does the work, and saves the guard. One process at a time; the file is
   * written whole or not at all.
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
      // A process that took the lock over meanwhile has newer state.
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
      removeOldFiles(this.#folder)
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

/** Removes the files of old sessions. Never fails: what cannot be removed now can be removed later. */
function removeOldFiles(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (OURS.test(name) && Date.now() - statSync(file).mtimeMs > WEEK) {
        rmSync(file, { force: true })
      }
    }
  } catch {
    // Another process removed them at the same time.
  }
}

/** Returns where programs keep state that should outlive them and need not be backed up. */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env
  // The specification says that a relative path is to be ignored.
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'loophound')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'loophound')
  return join(homedir(), '.local', 'state', 'loophound')
}
