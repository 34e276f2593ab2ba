/**
 * Keeps the state of one session, or of one subagent in it, in a file.
 *
 * @module
 */

import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LoopGuard } from 'loophound'
import type { HookSteps } from '../adapters/shared/hook-session.js'
import { makeFolder, requirePrivate } from './folders.js'
import { acquire, type Lock } from './lock.js'

const FORMAT = 'loophound-hook'
const VERSION = 2
const WEEK = 7 * 24 * 60 * 60 * 1000

/** A larger file is not ours: state takes up to 100 kB, or a few MB with extreme options. */
const MAX_BYTES = 64 * 1024 * 1024

/** The names of our files: state, drafts of state, unreadable state, locks, drafts of locks. */
const OURS = /^[0-9a-f]{32}\.json(\.lock(-break)?|\.[0-9a-f]+\.(tmp|unread|lock))?$/

const STATE = /^[0-9a-f]{32}\.json$/

/** What is kept of a session besides its guard. */
export interface SessionState {
  /** The host that reports it. */
  readonly host: string
  /** How many events reported calls, and how many reported results. */
  calls: number
  results: number
  /** What is known about its steps. */
  readonly steps: HookSteps
}

/** The file of one session. */
export class SessionFile {
  readonly #folder: string
  readonly #file: string

  /** @param names The names that identify the session. */
  constructor(folder: string, names: readonly (string | null)[]) {
    // Names come from outside: hashed, they cannot lead out of the folder.
    const name = createHash('sha256').update(JSON.stringify(names))
    this.#folder = folder
    this.#file = join(folder, `${name.digest('hex').slice(0, 32)}.json`)
  }

  /** Returns what is known of the session; `null` if there is no state, or none that can be read. */
  read(): RecentSession | null {
    return readSession(this.#file)
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }

  /**
   * Restores the guard, does the work, and saves the guard. One process at a time; the file is
   * written whole or not at all.
   *
   * @param first The state of a new session.
   * @param work Gets the state of the session, and may change it.
   * @param warn Called when state cannot be read and is set aside.
   * @throws Error when the folder cannot be used, or when others take too long.
   */
  update<T>(
    guard: LoopGuard,
    first: SessionState,
    work: (state: SessionState) => T,
    warn: (reason: string) => void,
  ): T {
    makeFolder(this.#folder, 0o700)
    requirePrivate(this.#folder)
    const lock = acquire(this.#file)
    try {
      const state = this.#restore(guard, warn) ?? first
      const outcome = work(state)
      const saved = { format: FORMAT, version: VERSION, ...state, guard: guard.snapshot() }
      this.#replace(JSON.stringify(saved), lock)
      return outcome
    } finally {
      lock.release()
    }
  }

  /** Returns the state of the session; `null` if it is new. */
  #restore(guard: LoopGuard, warn: (reason: string) => void): SessionState | null {
    try {
      const text = readRegularFile(this.#file)
      if (text === null) {
        // Once per session is enough.
        removeOldFiles(this.#folder)
        return null
      }
      const { guard: snapshot, ...state } = readState(text)
      guard.restore(snapshot)
      return state
    } catch (error) {
      const aside = this.#besides('unread')
      renameSync(this.#file, aside)
      const reason = error instanceof Error ? error.message : String(error)
      warn(`The state of this session cannot be read, and is set aside as ${aside}: ${reason}`)
      return null
    }
  }

  /** Replaces the file, or whatever is in its place: a rename does not follow links. */
  #replace(state: string, lock: Lock): void {
    const draft = this.#besides('tmp')
    try {
      // Created or refused: a link in its place is not followed either.
      writeFileSync(draft, state, { flag: 'wx', mode: 0o600 })
      // A process that took over the lock has newer state.
      if (!lock.isHeld()) throw new Error('This took too long, and another process went ahead')
      renameSync(draft, this.#file)
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** Returns an unpredictable name. */
  #besides(kind: 'tmp' | 'unread'): string {
    return `${this.#file}.${randomBytes(8).toString('hex')}.${kind}`
  }
}

/**
 * Reads what a file holds.
 *
 * @throws Error when it is not a session's state.
 */
function readState(text: string): SessionState & { readonly guard: unknown } {
  const { format, version, ...state } = JSON.parse(text)
  if (format !== FORMAT || version !== VERSION) throw new TypeError('it is of another version')
  const { host, calls, results, steps } = state
  const counts = [calls, results].every((count) => Number.isSafeInteger(count))
  if (typeof host !== 'string' || !counts || typeof steps !== 'object' || steps === null) {
    throw new TypeError('something in it is of another type')
  }
  return state
}

/** What {@link recentSessions} returns about a session. */
export interface RecentSession extends SessionState {
  /** When its latest event came, in milliseconds. */
  readonly at: number
}

/** Reads a folder's sessions of the last 7 days, latest first; unreadable ones are left out. */
export function recentSessions(folder: string): readonly RecentSession[] {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => STATE.test(name))
  } catch {
    // There was no session yet.
  }
  const sessions = names.flatMap((name) => readSession(join(folder, name)) ?? [])
  const isRecent = ({ at }: RecentSession) => Date.now() - at < WEEK
  return sessions.filter(isRecent).sort((one, other) => other.at - one.at)
}

function readSession(file: string): RecentSession | null {
  try {
    const text = readRegularFile(file)
    return text === null ? null : { ...readState(text), at: lstatSync(file).mtimeMs }
  } catch {
    return null
  }
}

/**
 * Reads a file; `null` if there is none. Never blocks, as reading a pipe without a writer would.
 *
 * @throws Error when it is not a regular file, or too large.
 */
function readRegularFile(file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return null
  // Checked twice: opening a device may have effects, and the file may be replaced in
  // between.
  if (!found.isFile()) throw new TypeError('it is not a regular file')
  // Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const info = fstatSync(handle)
    if (!info.isFile()) throw new TypeError('it is not a regular file')
    if (info.size > MAX_BYTES) throw new RangeError(`it is too large, ${info.size} bytes`)
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
  }
}

/**
 * Removes the files of old sessions. Never fails: a file that cannot be removed now can be removed
 * later.
 */
function removeOldFiles(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      const age = () => Date.now() - lstatSync(file).mtimeMs
      if (OURS.test(name) && age() > WEEK) rmSync(file, { force: true, recursive: true })
    }
  } catch {
    // Another process removed them at the same time.
  }
}
