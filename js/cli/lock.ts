/**
 * Lets one process at a time use a file.
 *
 * A lock is a folder with one file in it, whose name identifies the holder. It is created under
 * another name and moved into place: moving a folder onto one that is not empty fails, so only one
 * process gets it. A lock that was left behind is removed by the name of its holder, so that no
 * process can remove the lock of another one by mistake; a lock that is one plain file needs a
 * second lock for that, which can be left behind as well. `proper-lockfile` only goes by age, of at
 * least two seconds, which is longer than a hook may wait.
 *
 * @module
 */

import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * How long to wait while the holder does not change, in milliseconds: under 2 s in total, even on a
 * busy machine. Counts the requested pauses, not real time: on a busy machine they take longer, and
 * so does the holder's work.
 */
const PATIENCE = 1_200

/** How long to wait in total while many hooks take turns; Claude Code gives each a minute. */
const MAX_WAIT = 30_000

/**
 * A lock older than this was left behind, even if its process seems alive: the work under it takes
 * milliseconds, and process ids are reused. So was one with a time in the future.
 */
const STALE_AFTER = 5_000

/** The longest pause between two attempts. */
const LONGEST_PAUSE = 20

/** A lock that this process holds until it is released. */
export interface Lock {
  /** Returns whether this process still holds it: it may have lost it while it was suspended. */
  isHeld(): boolean
  release(): void
}

/**
 * Waits for the lock on a file.
 *
 * @throws Error when others hold it for too long, or when nothing can be written.
 */
export function acquire(file: string, patience = PATIENCE): Lock {
  const place = `${file}.lock`
  const random = randomBytes(8).toString('hex')
  const draft = `${file}.${random}.lock`
  const holder = `${thisHost()}.${process.pid}.${random}`
  try {
    mkdirSync(draft, { mode: 0o700 })
    writeFileSync(join(draft, holder), '', { flag: 'wx', mode: 0o600 })
    // Not by the clock, which can be set.
    const start = performance.now()
    let current = { holder: '', waited: 0 }
    for (let tries = 0; !move(draft, place, holder); tries++) {
      const other = holderOf(place)
      if (other !== current.holder) current = { holder: other, waited: 0 }
      if (current.waited > patience || performance.now() - start > MAX_WAIT) {
        throw new Error(`${place} is held by another process`)
      }
      if (removeStale(place, other)) continue
      // Longer each time, and random, so that processes do not retry at the same moments.
      const milliseconds = Math.min(LONGEST_PAUSE, 2 + tries) * (0.5 + Math.random())
      current.waited += milliseconds
      pause(milliseconds)
    }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return {
    isHeld: () => existsSync(join(place, holder)),
    release: () => remove(place, holder),
  }
}

/** Moves the draft into place; `false` if something is there. */
function move(draft: string, place: string, holder: string): boolean {
  try {
    // Its age counts from now, not from the beginning of the wait.
    const now = new Date()
    utimesSync(join(draft, holder), now, now)
    renameSync(draft, place)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const taken = process.platform === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : ['ENOTDIR']
    if (['ENOTEMPTY', 'EEXIST', ...taken].includes(code)) return false
    throw error
  }
}

/**
 * Returns the name of the holder of a lock; an empty one if there is no holder, or if it is not a
 * lock.
 */
function holderOf(place: string): string {
  try {
    return (lstatSync(place).isDirectory() && readdirSync(place)[0]) || ''
  } catch {
    return ''
  }
}

/** Removes a lock whose holder is gone, or something else that has been in its place for long. */
function removeStale(place: string, holder: string): boolean {
  try {
    if (lstatSync(place).isDirectory()) {
      if (holder !== '' && isAlive(holder) && !isOld(join(place, holder))) return false
      return remove(place, holder)
    }
    if (!isOld(place)) return false
    rmSync(place)
    return true
  } catch {
    // Another process was faster.
    return false
  }
}

/** Removes the lock of this holder only: a folder that is not empty stays. */
function remove(place: string, holder: string): boolean {
  try {
    if (holder !== '') rmSync(join(place, holder), { force: true })
    rmdirSync(place)
    return true
  } catch {
    return false
  }
}

function isOld(file: string): boolean {
  return Math.abs(Date.now() - lstatSync(file).mtimeMs) > STALE_AFTER
}

/** Returns whether the holder's process may be alive. Processes of other machines are unknown. */
function isAlive(holder: string): boolean {
  const [host, pid] = holder.split('.')
  if (host !== thisHost() || !/^\d+$/.test(pid ?? '')) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns a short name for this machine, without a dot. */
function thisHost(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
