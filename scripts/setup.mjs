// Installs what is missing, and prints nothing when nothing is. Every command runs this first, so
// this file and what it imports use Node alone.
import { existsSync, readFileSync } from 'node:fs'
import { install, installRust, isOlder } from './setup/rust.mjs'
import { Failure, main } from './support/cli.mjs'
import { inRoot } from './support/files.mjs'

const readJson = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'))

function requireNode() {
  const needed = readJson('package.json').engines.node.replace('>=', '')
  const found = process.versions.node
  if (!isOlder(found, needed)) return
  throw new Failure(
    `Node ${needed} or newer is needed; this is ${found}.`,
    'Get it from https://nodejs.org or with your version manager (`nvm install 22`).',
  )
}

function installPackages() {
  if (arePackagesInstalled()) return
  // No package needs its install script. A shell, as npm is a script on Windows.
  const command = 'npm ci --ignore-scripts --include=dev'
  install('npm packages into node_modules', command, [], { shell: true })
}

/** Whether node_modules has the versions of the lock file. */
function arePackagesInstalled() {
  const record = 'node_modules/.package-lock.json'
  if (!existsSync(inRoot(record))) return false
  const installed = readJson(record).packages
  const { '': _workspace, ...wanted } = readJson('package-lock.json').packages
  // Optional packages are binaries for other platforms.
  return Object.entries(wanted).every(
    ([folder, { version, optional }]) => optional || installed[folder]?.version === version,
  )
}

await main(async () => {
  requireNode()
  installPackages()
  installRust()
})
