// Fixture apps: a fresh copy each, with the tarball installed by npm.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/cli.mjs'
import { capture } from '../support/process.mjs'
import { allApps, apps, suite } from './places.mjs'
import { tarball } from './tarball.mjs'

const made = new Map()

/** The folder of an app; made when it is first asked for. */
export function app(fixture, name = fixture) {
  if (!made.has(name)) made.set(name, makeApp(fixture, name))
  return made.get(name)
}

async function makeApp(fixture, name) {
  const folder = path.join(apps, name)
  cpSync(path.join(suite, 'fixtures', fixture), folder, { recursive: true })
  writeManifest(folder, name)
  // Bundlers look for one in the folders above, and must not find the workspace's, which leads to
  // the sources.
  writeFileSync(path.join(apps, 'tsconfig.json'), '{}\n')
  writeScenario(folder)
  const how = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--offline']
  const args = ['install', tarball(), ...how]
  const { code, output } = await capture('npm', args, { cwd: folder })
  if (code !== 0) throw new Failure('npm cannot install the tarball.', '', output)
  return folder
}

/** Enough for npm; a fixture may bring its own, to say what its runtime wants. */
function writeManifest(folder, name) {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) writeFileSync(file, `{ "name": "fixture-${name}", "private": true }\n`)
}

/**
 * The events as JavaScript, since not every bundler and runtime imports JSON in
 * the same way. Parsed, not as a literal: there, `__proto__` is not a key.
 */
function writeScenario(folder) {
  const events = readFileSync(path.join(suite, 'events.json'), 'utf8')
  const text = JSON.stringify(JSON.stringify(JSON.parse(events)))
  writeFileSync(path.join(folder, 'events.mjs'), `export const { runs } = JSON.parse(${text})\n`)
  cpSync(path.join(suite, 'scenario.mjs'), path.join(folder, 'scenario.mjs'))
}

/** What earlier runs left: one that failed leaves its apps to look at. */
export function removeOldApps() {
  if (!existsSync(allApps)) return
  for (const name of readdirSync(allApps)) {
    const pid = Number(name)
    const isOld = pid === process.pid || !isRunning(pid)
    if (isOld) rmSync(path.join(allApps, name), { recursive: true, force: true })
  }
}

export const removeApps = () => rmSync(apps, { recursive: true, force: true })

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
