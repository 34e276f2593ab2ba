// One setup or build at a time in one checkout.
//
// The lock is a file that its holder touches every second. It is stale when its
// process is gone, or when nobody touched it for a while (another machine or
// container on the same disk, where the process number says nothing).
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from './paths.mjs'
import { write } from './terminal.mjs'

const file = path.join(build, '.lock')
const SILENT_FOR = 20_000
const me = `${os.hostname()} ${process.pid}`

export async function exclusively(work) {
  await acquire()
  const alive = setInterval(touch, 1000)
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(alive)
    process.off('exit', release)
    release()
  }
}

async function acquire() {
  mkdirSync(build, { recursive: true })
  let told = false
  while (!create()) {
    if (isStale()) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) write(`Another setup or build is at work in this checkout (${owner()}); waiting.\n`)
    told = true
    await sleep(500)
  }
}

function create() {
  try {
    writeFileSync(file, me, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isStale() {
  const [host, pid] = owner().split(' ')
  try {
    if (Date.now() - statSync(file).mtimeMs > SILENT_FOR) return true
    if (host === os.hostname() && pid) process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // ESRCH: no such process. EPERM: it is there, and somebody else's.
    return error.code === 'ESRCH'
  }
}

function owner() {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function touch() {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Deleted by hand: the work goes on, unprotected, as was wished.
  }
}

function release() {
  if (owner() === me) rmSync(file, { force: true })
}
