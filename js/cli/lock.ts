/**
 * Lets one process at a time use a file. A lock is a file that names its holder; it is held for
 * milliseconds.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** An older lock was left behind: the work under it takes milliseconds. */
const STALE_AFTER = 10_000

/** The same if its process seems alive: it may be slow, or another one with the same number. */
const STALE_ALIVE_AFTER = 60_000

/** How long to wait at most; Claude Code gives a hook a minute. */
const MAX_WAIT = 30_000

/** The longest pause between two attempts. */
const LONGEST_PAUSE = 100

/** A lock that this process holds until it is released. */
export interface Lock {
  /** Tells whether it is still ours: a process that slept for long may have lost it. */
  isHeld(): boolean
  release(): void
}

/**
 * Waits for a lock.
 *
 * @throws Error when others hold it for too long.
 */
export function acquire(file: string, maxWait = MAX_WAIT): Lock {
  const token = `${hostname()} ${process.pid} ${randomUUID()}`
  const until = Date.now() + maxWait
  for (let tries = 0; !create(file, token); tries++) {
    if (isStale(file)) breakOpen(file)
    else if (Date.now() > until) throw new Error(`${file} is held by another process`)
    // Longer and longer, and not all at the same moments.
    else pause(Math.min(LONGEST_PAUSE, 4 * 1.5 ** tries) * (0.5 + Math.random()))
  }
  const isHeld = () => read(file) === token
  return {
    isHeld,
    release: () => {
      if (isHeld()) rmSync(file, { force: true })
    },
  }
}

function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows says EPERM while a deleted file is still open somewhere.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

/**
 * Removes a lock whose holder is gone. Two processes that do this at once could remove each other's
 * new lock, so it is done under a lock of its own, after a second check.
 */
function breakOpen(file: string): void {
  const breaker = `${file}-break`
  if (!create(breaker, '')) {
    if (isOlder(breaker, STALE_AFTER)) rmSync(breaker, { force: true })
    pause(5)
    return
  }
  try {
    if (isStale(file)) rmSync(file, { force: true })
  } finally {
    rmSync(breaker, { force: true })
  }
}

function isStale(file: string): boolean {
  const [host, pid] = read(file).split(' ')
  if (host !== hostname() || pid === undefined) return isOlder(file, STALE_AFTER)
  return !isAlive(Number(pid)) || isOlder(file, STALE_ALIVE_AFTER)
}

function isOlder(file: string, milliseconds: number): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > milliseconds
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
