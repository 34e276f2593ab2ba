// The tools that only the reliability commands need, installed when one of them is first run.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { cleanUp, tool } from '../setup/cargo-tools.mjs'
import { runInstaller } from '../setup/installer.mjs'
import { requireRust } from '../setup/requirements.mjs'
import { Failure } from '../support/failure.mjs'
import { exclusively } from '../support/lock.mjs'
import { capture } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'

export const FUZZ = '0.13.2'

export async function needCargoFuzz() {
  await install(tool('cargo-fuzz', FUZZ, ['cargo-fuzz']))
}

/** The programs that read the counters of instrumented tests; they must be those of the compiler. */
export async function needCoverage() {
  const { sysroot, host } = await requireRust()
  const folder = path.join(sysroot, 'lib/rustlib', host, 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const [profdata, cov] = ['llvm-profdata', 'llvm-cov'].map((name) =>
    path.join(folder, name + suffix),
  )
  if (!existsSync(profdata) || !existsSync(cov)) {
    await rustup(['component', 'add', 'llvm-tools'], 'llvm-tools, into your Rust toolchain')
  }
  return { profdata, cov }
}

export async function needMiri() {
  const found = await capture('cargo', ['+nightly', 'miri', '--version'])
  if (found?.code === 0) return
  const parts = ['--profile', 'minimal', '--component', 'miri,rust-src']
  await rustup(['toolchain', 'install', 'nightly', ...parts], 'nightly Rust with miri, by rustup')
}

async function install(task) {
  if (!(await task.isMissing())) return
  await exclusively(async () => {
    // Somebody else may have finished the same work while we waited.
    if (!(await task.isMissing())) return
    write(`Installing ${task.name} (${task.why}; once, about ${task.about}).\n`)
    await task.install({ report: () => {} })
    cleanUp()
  })
}

async function rustup(args, what) {
  if (!(await capture('rustup', ['--version']))) {
    throw new Failure(`rustup is needed for ${what}.`, 'Install Rust as https://rustup.rs says.')
  }
  write(`Making sure of ${what}.\n`)
  await runInstaller(['rustup', args], { report: () => {} })
}
