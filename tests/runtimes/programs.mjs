// The pinned runtimes and bundlers, and how their programs are started.
import { existsSync } from 'node:fs'
import path from 'node:path'
import spawn from 'nano-spawn'
import { installPinned, LOCK_FILE } from '../../scripts/setup/packages.mjs'
import { Failure } from '../../scripts/support/cli.mjs'
import { environment, inRoot, tools } from '../../scripts/support/files.mjs'

export const suite = inRoot('tests/runtimes')

/** Where the runtimes and bundlers are installed. */
export const installed = path.join(tools, 'runtimes')

/** Returns the path of a file in an installed package. */
export const inPackages = (...parts) => path.join(installed, 'node_modules', ...parts)

export const installRuntimes = () =>
  installPinned([
    {
      name: 'runtimes',
      why: 'Node, Bun, Deno, workerd, edge-runtime and bundlers, about 900 MB; into .tools/runtimes',
      about: '60 s',
      from: suite,
      to: installed,
    },
  ])

/** Returns the program of that major version of Node: this process's own, or a pinned one. */
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
    `${name} is not installed: ${file} is missing.`,
    `tests/runtimes/${LOCK_FILE} lists it for Linux; add the package for ${process.platform}-${process.arch}.`,
  )
}

/** Returns the command that runs a script of an installed package with this Node. */
export const script = (file, ...args) => [process.execPath, [inPackages(file), ...args]]

/** Runs a program and returns its standard output, without the last newline. */
export async function printed(command, args, options) {
  try {
    // A program that hangs fails.
    return (await start(command, args, { timeout: 5 * 60_000, ...options })).stdout
  } catch (error) {
    throw new Failure(error.message, '', error.output)
  }
}

const servers = new AbortController()

/** Starts a server and returns the address it prints, without a path. */
export function serving(command, args, options) {
  return new Promise((resolve, reject) => {
    const server = start(command, args, { signal: servers.signal, ...options })
    const read = async () => {
      for await (const line of server) {
        const address = /http:\/\/localhost:\d+/.exec(line)
        if (address) resolve(address[0])
      }
    }
    const fail = (error) =>
      reject(new Failure(`${command} ended without serving.`, '', error?.message))
    read().then(fail, fail)
  })
}

/** Stops what `serving()` started. */
export const stopServers = () => servers.abort()

function start(command, args, { cwd = inRoot(), env = {}, ...options }) {
  const variables = environment({ NO_COLOR: '1', ...env })
  return spawn(command, args, { cwd, env: variables, stdin: 'ignore', ...options })
}
