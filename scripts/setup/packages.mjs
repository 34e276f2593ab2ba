// Installs packages that only a suite or a benchmark needs: pinned by a lock file under tests/, into
// a folder that git ignores.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { exclusively, show } from '../support/process.mjs'

export const LOCK_FILE = 'package-lock.json'

/** No links: packages of Node would put a `node` into node_modules/.bin, which shadows the real one. */
export const QUIETLY = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']

/**
 * Installs what is missing of these.
 *
 * @param {{ name: string, why: string, about: string, from: string, to: string, lock?: string }[]} all
 *   `from` is the folder that pins the packages, `to` where they go; `lock` is the command that
 *   writes a missing lock file. The rest is printed: what they are for, how long it takes.
 */
export async function installPinned(all) {
  if (all.every(isInstalled)) return
  await exclusively(async () => {
    // Another command may have installed them while this one waited.
    for (const packages of all.filter((one) => !isInstalled(one))) await install(packages)
  })
}

function isInstalled({ from, to }) {
  // npm writes its own record last.
  if (!existsSync(path.join(to, 'node_modules/.package-lock.json'))) return false
  const [wanted, installed] = [from, to].map((folder) => path.join(folder, LOCK_FILE))
  if (!existsSync(wanted) || !existsSync(installed)) return false
  return readFileSync(installed).equals(readFileSync(wanted))
}

async function install({ name, why, about, from, to, lock = '' }) {
  if (!existsSync(path.join(from, LOCK_FILE))) {
    throw new Failure(`${name} has no ${LOCK_FILE}.`, lock && `${lock} writes it.`)
  }
  write(`Installing ${name}: ${why} (about ${about}).\n`)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  copyFileSync(inRoot('.npmrc'), path.join(to, '.npmrc'))
  for (const file of ['package.json', LOCK_FILE]) {
    copyFileSync(path.join(from, file), path.join(to, file))
  }
  if ((await show('npm', ['ci', ...QUIETLY], { cwd: to })) !== 0) {
    throw new Failure(`The packages of ${name} could not be installed.`, 'The reason is above.')
  }
}
