// The runtimes and bundlers, pinned by tests/runtimes/package-lock.json.
//
// The programs themselves are in packages for each platform, and are started from there.
import { existsSync } from 'node:fs'
import { installPinned, LOCK_FILE } from '../setup/packages.mjs'
import { Failure } from '../support/cli.mjs'
import { inPackages, installed, suite } from './places.mjs'

const task = {
  name: 'runtimes',
  why: 'Node, Bun, Deno, workerd, edge-runtime and bundlers, some 900 MB; into .tools/runtimes',
  about: '60 s',
  from: suite,
  to: installed,
}

export const installTools = () => installPinned([task])

/** The Node of that major version: the one that runs this, or a pinned one. */
export function node(major) {
  if (process.versions.node.split('.')[0] === String(major)) return process.execPath
  return program(`node${major}-${process.platform}-${process.arch}/bin/node`, `Node ${major}`)
}

export function bun() {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  return program(`@oven/bun-${process.platform}-${arch}/bin/bun`, 'Bun')
}

export function deno() {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  return program(`@deno/${process.platform}-${process.arch}${libc}/deno`, 'Deno')
}

function program(file, name) {
  const found = inPackages(file)
  if (existsSync(found)) return found
  throw new Failure(
    `${name} is not to be had: there is no ${file}.`,
    `tests/runtimes/${LOCK_FILE} has it for Linux; add the package for ${process.platform}-${process.arch}.`,
  )
}

/** A program that is a script of an installed package, for this Node. */
export const script = (file, ...args) => [process.execPath, [inPackages(file), ...args]]
