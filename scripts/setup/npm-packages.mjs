// The pinned npm packages: bundling, types, tests, linting.
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'
import { runInstaller } from './installer.mjs'

export const npmPackages = {
  name: 'npm packages',
  why: 'bundler, type checker, test runner, wasm-opt; into node_modules',
  about: '20 s',

  isMissing() {
    if (!existsSync(inRoot('node_modules/.package-lock.json'))) return true
    const wanted = packagesIn('package-lock.json')
    const installed = packagesIn('node_modules/.package-lock.json')
    // Optional ones are other platforms' binaries.
    return Object.entries(wanted).some(
      ([folder, { version, optional }]) =>
        folder !== '' && !optional && installed[folder]?.version !== version,
    )
  },

  install(context) {
    // No package here needs its install script.
    return runInstaller(npm('ci', '--ignore-scripts', '--include=dev'), context)
  },
}

const packagesIn = (lockFile) => JSON.parse(readFileSync(inRoot(lockFile), 'utf8')).packages
