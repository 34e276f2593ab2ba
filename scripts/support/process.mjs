// Starting other programs.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure } from './failure.mjs'
import { inRoot, root, tools } from './paths.mjs'
import { isLive } from './terminal.mjs'

/**
 * The environment for children. Our own tools come first; rustup's folder comes
 * last, for shells that were opened before Rust was installed. node_modules/.bin
 * stays out: a package there may shadow `node` itself.
 */
export function environment(extra = {}) {
  const cargoBin = path.join(process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo'), 'bin')
  const inherited = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
  const PATH = [path.join(tools, 'bin'), ...inherited, cargoBin].join(path.delimiter)
  // Some test runners colour their output whoever reads it.
  const plain = isLive || process.env.FORCE_COLOR ? {} : { NO_COLOR: '1' }
  return { ...process.env, ...plain, PATH, ...extra }
}

/**
 * Runs a command, shows its output as it comes, and gives back its exit code.
 */
export function show(command, args, { env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: environment(env), stdio: 'inherit' })
    child.on('error', (error) => reject(unavailable(command, error)))
    child.on('close', (code, signal) => resolve(signal ? 1 : code))
  })
}

/**
 * Runs a command quietly. `onOutput` sees each piece of output as it comes.
 * Gives back `{ code, output }`, or null if there is no such program.
 */
export function capture(command, args, { env, cwd = root, signal, onOutput } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment(env),
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (piece) => {
      output += piece
      onOutput?.(piece)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.on('error', (error) => {
      if (error.code === 'ENOENT') resolve(null)
      else reject(error)
    })
    child.on('close', (code, killed) => resolve({ code: killed ? 1 : code, output }))
  })
}

/** npm as a command that works on every platform, whichever program started us. */
export function npm(...args) {
  const started = process.env.npm_execpath
  if (started && path.basename(started) === 'npm-cli.js' && existsSync(started)) {
    return [process.execPath, [started, ...args]]
  }
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/** A program of an installed package, started with this very Node. */
export function packaged(file, ...args) {
  return [process.execPath, [inRoot('node_modules', file), ...args]]
}

function unavailable(command, error) {
  return error.code === 'ENOENT' ? new Failure(`${command} is not on the PATH.`) : error
}
