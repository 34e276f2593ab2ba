/**
 * One process at a time. A lock is a file that names its holder; it is held for milliseconds.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A holder that is silent for so long is gone: the work under a lock takes milliseconds. */
const STALE_AFTER = 10_000

/** How long to wait at most; Claude Code gives a hook a minute. */
const PATIENCE = 20_000

/** Held by this process until released. */
export interface Lock {
  /** Whether it is still ours: a process that slept for long may have lost it. */
  isHeld(): boolean
  release(): void
}

/** @throws Error when others hold it for too long. */
export function acquire(file: string): Lock {
  const token = `${hostname()} ${process.pid} ${randomUUID()}`
  const until = Date.now() + PATIENCE
  while (!create(file, token)) {
    if (isStale(file)) breakOpen(file)
    else if (Date.now() > until) throw new Error(`${file} is held by another process`)
    // Not all at the same moments.
    else pause(2 + Math.random() * 20)
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
 * Removes a lock whose holder is gone. Two that do it at once could remove each other's new lock;
 * so it is done under a lock of its own, by whoever gets that one, after a second look.
 */
function breakOpen(file: string): void {
  const breaker = `${file}-break`
  if (!create(breaker, '')) {
    if (isSilent(breaker)) rmSync(breaker, { force: true })
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
  if (isSilent(file)) return true
  const [host, pid] = read(file).split(' ')
  return host === hostname() && pid !== undefined && !isAlive(Number(pid))
}

function isSilent(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_AFTER
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, and somebody else's.
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
