// The frameworks, pinned by a lock file in each fixture. They are installed
// without scripts and without links: a `node` in node_modules/.bin would shadow
// the real one.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runInstaller } from '../setup/installer.mjs'
import { Progress } from '../setup/progress.mjs'
import { Failure } from '../support/failure.mjs'
import { exclusively } from '../support/lock.mjs'
import { inRoot } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'
import { declared, installed, suite } from './places.mjs'

const LOCK_FILE = 'package-lock.json'
const QUIET = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']

/** Where package.json and lock file stand: of a fixture, or of the Node that some need. */
const source = (name) => (name === 'node' ? path.join(suite, 'node') : declared(name))

/** Installs what is missing of these. */
export async function install(names) {
  if (names.every(isInstalled)) return
  await exclusively(async () => {
    const missing = names.filter((name) => !isInstalled(name))
    const tasks = missing.map((name) => ({
      name,
      why: `into .tools/adapters/${name}`,
      about: '10 s',
    }))
    if (tasks.length === 0) return
    const progress = new Progress()
    progress.announce(tasks)
    try {
      for (const task of tasks) {
        const started = Date.now()
        progress.start(task)
        await installOne(task.name)
        progress.finish(task, Date.now() - started)
      }
    } finally {
      progress.stop()
    }
  })
}

function isInstalled(name) {
  // npm writes its own record last.
  if (!existsSync(installed(name, 'node_modules/.package-lock.json'))) return false
  const files = [path.join(source(name), LOCK_FILE), installed(name, LOCK_FILE)]
  if (!files.every((file) => existsSync(file))) return false
  const [wanted, copied] = files.map((file) => readFileSync(file))
  return copied.equals(wanted)
}

async function installOne(name) {
  if (!existsSync(path.join(source(name), LOCK_FILE))) {
    throw new Failure(
      `${name} has no ${LOCK_FILE}.`,
      `npm run test:adapters -- --lock ${name} writes it.`,
    )
  }
  rmSync(installed(name), { recursive: true, force: true })
  mkdirSync(installed(name), { recursive: true })
  copyFileSync(inRoot('.npmrc'), installed(name, '.npmrc'))
  for (const file of ['package.json', LOCK_FILE]) {
    copyFileSync(path.join(source(name), file), installed(name, file))
  }
  const command = npm('ci', '--prefix', installed(name), ...QUIET)
  await runInstaller(command, { report: () => {} })
}

/** Writes the lock file of a fixture anew, after its package.json was changed. */
export async function writeLock(name) {
  const folder = source(name)
  const file = path.join(folder, LOCK_FILE)
  rmSync(file, { force: true })
  const how = ['--package-lock-only', '--omit-lockfile-registry-resolved', ...QUIET]
  await runInstaller(npm('install', '--prefix', folder, ...how), { report: () => {} })
}

/** A Node of at least that major version: the one that runs this, or a pinned one. */
export function nodeFor(major) {
  if (isRecent(major)) return process.execPath
  const name = `node${major}-${process.platform}-${process.arch}`
  const found = installed('node', 'node_modules', name, 'bin/node')
  if (existsSync(found)) return found
  throw new Failure(
    `Node ${major} is not to be had: there is no ${name}.`,
    `Add it to tests/adapters/node/package.json, or use Node ${major}.`,
  )
}

export const isRecent = (major) => Number(process.versions.node.split('.')[0]) >= major
