// Packages that only a suite or a benchmark needs: pinned by a lock file under tests/, and installed
// into a folder that git ignores. Without scripts and without links: the packages of Node would
// otherwise put a `node` of their own into node_modules/.bin, where it shadows the real one.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { exclusively } from '../support/lock.mjs'
import { inRoot } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'
import { runInstaller } from './installer.mjs'
import { Progress } from './progress.mjs'

export const LOCK_FILE = 'package-lock.json'
export const QUIETLY = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']

/**
 * Installs what is missing of these.
 *
 * @param {readonly { name: string, why: string, about: string, from: string, to: string,
 *   lock?: string }[]} all `from` is the folder that pins them, `to` where they go; `lock` is the
 *   command that writes a missing lock file. The rest is told to who waits.
 */
export async function installPinned(all) {
  if (all.every(isInstalled)) return
  await exclusively(async () => {
    const missing = all.filter((task) => !isInstalled(task))
    if (missing.length === 0) return
    const progress = new Progress()
    progress.announce(missing)
    try {
      for (const task of missing) {
        const started = Date.now()
        progress.start(task)
        await install(task)
        progress.finish(task, Date.now() - started)
      }
    } finally {
      progress.stop()
    }
  })
}

function isInstalled({ from, to }) {
  // npm writes its own record last.
  if (!existsSync(path.join(to, 'node_modules/.package-lock.json'))) return false
  const files = [from, to].map((folder) => path.join(folder, LOCK_FILE))
  if (!files.every((file) => existsSync(file))) return false
  const [wanted, copied] = files.map((file) => readFileSync(file))
  return copied.equals(wanted)
}

async function install({ name, from, to, lock }) {
  if (!existsSync(path.join(from, LOCK_FILE))) {
    throw new Failure(`${name} has no ${LOCK_FILE}.`, lock && `${lock} writes it.`)
  }
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  copyFileSync(inRoot('.npmrc'), path.join(to, '.npmrc'))
  for (const file of ['package.json', LOCK_FILE]) {
    copyFileSync(path.join(from, file), path.join(to, file))
  }
  await runInstaller(npm('ci', '--prefix', to, ...QUIETLY), { report: () => {} })
}
