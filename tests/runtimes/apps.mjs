// The fixture apps: the package is packed as npm would publish it, and each app is a fresh copy with
// the tarball installed by npm.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { published } from '../../scripts/support/files.mjs'
import { run } from '../../scripts/support/process.mjs'
import { installed, suite } from './programs.mjs'

/** Inside the folder the bundlers are installed in, so that apps resolve them as their own. */
const allApps = path.join(installed, 'apps')
/** Two runs at the same time do not share apps. */
const apps = path.join(allApps, String(process.pid))

/** Packs `pkg/`; returns the tarball's name and size. */
export async function packTarball() {
  mkdirSync(apps, { recursive: true })
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', apps]
  await run('npm', ['pack', ...options], { cwd: published })
  return { name: path.basename(tarball()), size: statSync(tarball()).size }
}

function tarball() {
  const { name, version } = JSON.parse(readFileSync(path.join(published, 'package.json'), 'utf8'))
  return path.join(apps, `${name}-${version}.tgz`)
}

const made = new Map()

/** Returns the folder of an app, which is made on first use. */
export function app(fixture, name = fixture) {
  if (!made.has(name)) made.set(name, makeApp(fixture, name))
  return made.get(name)
}

async function makeApp(fixture, name) {
  const folder = path.join(apps, name)
  cpSync(path.join(suite, 'fixtures', fixture), folder, { recursive: true })
  const manifest = `{ "name": "fixture-${name}", "private": true }\n`
  writeFileSync(path.join(folder, 'package.json'), manifest)
  // Bundlers search the parent folders for one and must not find the workspace's, which maps the
  // package to its sources.
  writeFileSync(path.join(apps, 'tsconfig.json'), '{}\n')
  writeScenario(folder)
  const options = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--offline']
  await run('npm', ['install', tarball(), ...options], { cwd: folder })
  return folder
}

/**
 * Writes the events as JavaScript, since not every bundler and runtime imports JSON the same way.
 * They are parsed from a string: in an object literal, `__proto__` would not be a key.
 */
function writeScenario(folder) {
  const events = readFileSync(path.join(suite, 'events.json'), 'utf8')
  const text = JSON.stringify(JSON.stringify(JSON.parse(events)))
  writeFileSync(path.join(folder, 'events.mjs'), `export const { runs } = JSON.parse(${text})\n`)
  cpSync(path.join(suite, 'scenario.mjs'), path.join(folder, 'scenario.mjs'))
}

export const removeApps = () => rmSync(apps, { recursive: true, force: true })

/** Removes the apps of earlier runs, which are kept when a row fails. */
export function removeOldApps() {
  if (!existsSync(allApps)) return
  for (const name of readdirSync(allApps)) {
    if (!isRunning(Number(name))) rmSync(path.join(allApps, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
