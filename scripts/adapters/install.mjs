// The frameworks, pinned by a lock file in each fixture.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { installPinned, LOCK_FILE, QUIETLY } from '../setup/packages.mjs'
import { Failure } from '../support/cli.mjs'
import { run } from '../support/process.mjs'
import { declared, installed, suite } from './places.mjs'

/** Where package.json and lock file stand: of a fixture, or of the Node that some need. */
const source = (name) => (name === 'node' ? path.join(suite, 'node') : declared(name))

/** Installs what is missing of these. */
export function install(names) {
  return installPinned(
    names.map((name) => ({
      name,
      why: `into .tools/adapters/${name}`,
      about: '10 s',
      from: source(name),
      to: installed(name),
      lock: `npm run test:adapters -- --lock ${name}`,
    })),
  )
}

/** Writes the lock file of a fixture anew, after its package.json was changed. */
export async function writeLock(name) {
  const folder = source(name)
  const file = path.join(folder, LOCK_FILE)
  rmSync(file, { force: true })
  const how = ['--package-lock-only', '--omit-lockfile-registry-resolved', ...QUIETLY]
  await run('npm', ['install', '--prefix', folder, ...how])
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
