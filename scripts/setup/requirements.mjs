// What cannot be installed from here: Node and Rust themselves.
import { Failure } from '../support/failure.mjs'
import { capture } from '../support/process.mjs'
import { isAtLeast, oldestNode, oldestRust } from './versions.mjs'

export function requireNode() {
  const wanted = oldestNode()
  if (isAtLeast(process.versions.node, wanted)) return
  throw new Failure(
    `Node ${wanted} or newer is needed; this is ${process.versions.node}.`,
    'Get it from https://nodejs.org or with your version manager (`nvm install 22`).',
  )
}

/** Rust's version, the folder it is installed in, and the platform it runs on. */
export async function requireRust() {
  const [version, sysroot, cargo] = await Promise.all([
    capture('rustc', ['--version', '--verbose']),
    capture('rustc', ['--print', 'sysroot']),
    capture('cargo', ['--version']),
  ])
  if (!version || !cargo) {
    throw new Failure(
      'Rust is needed, and cargo or rustc is not on the PATH.',
      'Install it as https://rustup.rs says (about a minute), then run the same command again.',
    )
  }
  if (version.code !== 0 || sysroot.code !== 0 || cargo.code !== 0) {
    throw new Failure(
      'Rust is installed but does not start.',
      'Try `rustup default stable`, then run the same command again.',
      version.output,
    )
  }
  const found = /rustc (\S+)/.exec(version.output)?.[1] ?? '0'
  const wanted = oldestRust()
  if (!isAtLeast(found, wanted)) {
    throw new Failure(
      `Rust ${wanted} or newer is needed; this is ${found}.`,
      'Run `rustup update stable`, then the same command again.',
    )
  }
  return {
    version: version.output.split('\n')[0].trim(),
    sysroot: sysroot.output.trim(),
    host: /^host: (\S+)/m.exec(version.output)?.[1] ?? '',
  }
}
