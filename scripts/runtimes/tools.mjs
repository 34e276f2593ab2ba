// The runtimes and bundlers, pinned by tests/runtimes/package-lock.json.
//
// They are installed without scripts and without links: the packages of Node
// would otherwise put a `node` of their own into node_modules/.bin. The programs
// themselves are in packages for each platform, and are started from there.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runInstaller } from '../setup/installer.mjs'
import { Progress } from '../setup/progress.mjs'
import { Failure } from '../support/failure.mjs'
import { exclusively } from '../support/lock.mjs'
import { inRoot } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'
import { inPackages, installed, suite } from './places.mjs'

const LOCK_FILE = 'package-lock.json'
const task = {
  name: 'runtimes',
  why: 'Node, Bun, Deno, workerd, edge-runtime and bundlers, some 900 MB; into .tools/runtimes',
  about: '60 s',
}

export async function installTools() {
  if (isInstalled()) return
  await exclusively(async () => {
    if (!isInstalled()) await install()
  })
}

function isInstalled() {
  // npm writes its own record last.
  const isComplete = existsSync(inPackages('.package-lock.json'))
  const [wanted, copied] = [suite, installed].map((folder) => path.join(folder, LOCK_FILE))
  return isComplete && existsSync(copied) && readFileSync(copied).equals(readFileSync(wanted))
}

async function install() {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  const progress = new Progress()
  progress.announce([task])
  progress.start(task)
  const started = Date.now()
  try {
    copyFileSync(inRoot('.npmrc'), path.join(installed, '.npmrc'))
    for (const file of ['package.json', LOCK_FILE]) {
      copyFileSync(path.join(suite, file), path.join(installed, file))
    }
    const how = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']
    const command = npm('ci', '--prefix', installed, ...how)
    await runInstaller(command, { report: () => {} })
    progress.finish(task, Date.now() - started)
  } finally {
    progress.stop()
  }
}

/** The Node of that major version: the one that runs this, or a pinned one. */
export function node(major) {
  if (process.versions.node.split('.')[0] === String(major)) return process.execPath
  return program(`node${major}-${process.platform}-${process.arch}/bin/node`, `Node ${major}`)
}

export function bun() {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  return program(`@oven/bun-${process.platform}-${arch}/bin/bun`, 'Bun')
}

export function deno() {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  return program(`@deno/${process.platform}-${process.arch}${libc}/deno`, 'Deno')
}

function program(file, name) {
  const found = inPackages(file)
  if (existsSync(found)) return found
  throw new Failure(
    `${name} is not to be had: there is no ${file}.`,
    `tests/runtimes/${LOCK_FILE} has it for Linux; add the package for ${process.platform}-${process.arch}.`,
  )
}

/** A program that is a script of an installed package, for this Node. */
export const script = (file, ...args) => [process.execPath, [inPackages(file), ...args]]
