// The parts of Rust that rustup's default installation may lack.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { capture } from '../support/process.mjs'
import { runInstaller } from './installer.mjs'

const TARGETS = ['wasm32-unknown-unknown', 'wasm32v1-none']
const COMPONENTS = { rustfmt: 'rustfmt', clippy: 'cargo-clippy' }

/** The compilation targets: the published one, and the one that proves `no_std`. */
export const targets = (rust) => ({
  name: 'Rust targets',
  why: `${TARGETS.join(', ')}; into your Rust toolchain`,
  about: '10 s',
  isMissing: () => missingTargets(rust).length > 0,
  install: (context) => rustup(['target', 'add', ...missingTargets(rust)], context),
})

/** The formatter and the linter. */
export const components = (rust) => ({
  name: 'Rust components',
  why: 'rustfmt, clippy; into your Rust toolchain',
  about: '10 s',
  isMissing: () => missingComponents(rust).length > 0,
  install: (context) => rustup(['component', 'add', ...missingComponents(rust)], context),
})

const missingTargets = ({ sysroot }) =>
  TARGETS.filter((target) => !existsSync(path.join(sysroot, 'lib/rustlib', target, 'lib')))

function missingComponents({ sysroot }) {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return Object.entries(COMPONENTS)
    .filter(([, program]) => !existsSync(path.join(sysroot, 'bin', program + suffix)))
    .map(([component]) => component)
}

async function rustup(args, context) {
  if (!(await capture('rustup', ['--version']))) {
    throw new Failure(
      `This Rust was not installed by rustup, and lacks: ${args.slice(2).join(', ')}.`,
      'Install them with the package manager that Rust came from, or install Rust as https://rustup.rs says.',
    )
  }
  return runInstaller(['rustup', args], context)
}
