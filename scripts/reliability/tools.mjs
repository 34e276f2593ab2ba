// The tools that only the reliability commands need, installed when one of them is first run.
import { tool } from '../setup/cargo-tools.mjs'
import { runInstaller } from '../setup/installer.mjs'
import { Failure } from '../support/failure.mjs'
import { capture } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'

export const FUZZ = '0.13.2'
export const LLVM_COV = '0.9.1'

export async function needCargoFuzz() {
  await install(tool('cargo-fuzz', FUZZ, ['cargo-fuzz']))
}

export async function needCoverage() {
  await install({
    ...tool('cargo-llvm-cov', LLVM_COV, ['cargo-llvm-cov']),
    isMissing: async () => {
      const found = await capture('cargo-llvm-cov', ['llvm-cov', '--version'])
      return found?.output.trim().split(' ')[1] !== LLVM_COV
    },
  })
  await rustup(['component', 'add', 'llvm-tools'], 'llvm-tools, into your Rust toolchain')
}

export async function needMiri() {
  const found = await capture('cargo', ['+nightly', 'miri', '--version'])
  if (found?.code === 0) return
  const parts = ['--profile', 'minimal', '--component', 'miri,rust-src']
  await rustup(['toolchain', 'install', 'nightly', ...parts], 'nightly Rust with miri, by rustup')
}

async function install(task) {
  if (!(await task.isMissing())) return
  write(`Installing ${task.name} (${task.why}; once, about ${task.about}).\n`)
  await task.install({ report: () => {} })
}

async function rustup(args, what) {
  if (!(await capture('rustup', ['--version']))) {
    throw new Failure(`rustup is needed for ${what}.`, 'Install Rust as https://rustup.rs says.')
  }
  write(`Making sure of ${what}.\n`)
  await runInstaller(['rustup', args], { report: () => {} })
}
