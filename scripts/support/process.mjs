// Runs other programs.
import { mkdirSync } from 'node:fs'
import spawn, { SubprocessError } from 'nano-spawn'
import lockfile from 'proper-lockfile'
import { bold, dim, duration, Failure, green, red, write } from './cli.mjs'
import { build, environment, root } from './files.mjs'

/** Runs a command, with its output on the screen. Returns its exit code. */
export async function show(command, args, options) {
  const result = await finish(command, args, { stdio: 'inherit', ...options })
  if (!result) throw new Failure(`${command} is not on the PATH.`)
  return result.code
}

/** Runs a command quietly. Returns `{ code, output }`, or null if there is no such program. */
export function capture(command, args, options) {
  return finish(command, args, { ...options, stdin: 'ignore' })
}

/**
 * Runs a command quietly and returns its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ failure?: string, next?: string, cwd?: string, env?: object }} [options] What to say
 *   if it fails: what that means, and what to do.
 */
export async function run(command, args, { failure, next, ...options } = {}) {
  const result = await capture(command, args, options)
  if (!result) throw new Failure(`${command} is not on the PATH.`)
  if (result.code === 0) return result.output
  throw new Failure(
    failure ?? `\`${command} ${args[0]}\` failed.`,
    next,
    result.output.slice(-8000),
  )
}

async function finish(command, args, { cwd = root, env = {}, ...options }) {
  try {
    const { output } = await spawn(command, args, { cwd, env: environment(env), ...options })
    return { code: 0, output }
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error
    const cause = /** @type {NodeJS.ErrnoException | undefined} */ (error.cause)
    if (cause?.code === 'ENOENT') return null
    return { code: error.exitCode ?? 1, output: error.output }
  }
}

/**
 * Runs steps one after the other, with their output on the screen, and closes with a list of how
 * each ended. Stops at the first that fails.
 *
 * @param {{ name: string, what: string, command: string[] }[]} steps
 */
export async function runSteps(steps) {
  const ended = []
  let failed
  for (const step of steps) {
    if (failed) {
      ended.push(dim(`- ${step.name}: not run`))
      continue
    }
    write(`\n${bold(`── ${step.name}`)} ${dim(step.what)}\n`)
    const started = Date.now()
    const [command, ...args] = step.command
    if ((await show(command, args)) !== 0) failed = step
    const mark = failed ? red('✗') : green('✓')
    ended.push(`${mark} ${step.name.padEnd(16)} ${duration(Date.now() - started)}`)
  }
  write(`\n${ended.map((line) => `  ${line}\n`).join('')}`)
  if (failed) throw new Failure(`${failed.name} failed.`, 'Its output is above the list.')
}

/** Runs `work` while no other command of this checkout installs or builds. */
export async function exclusively(work) {
  mkdirSync(build, { recursive: true })
  // A lock that is not renewed for this long belongs to a process that is gone.
  const options = { lockfilePath: `${build}/.lock`, stale: 20_000 }
  if (await lockfile.check(build, options)) {
    write('Another command is installing or building in this checkout; waiting for it.\n')
  }
  const retries = { forever: true, minTimeout: 500, maxTimeout: 500 }
  const release = await lockfile.lock(build, { ...options, retries })
  try {
    return await work()
  } finally {
    await release()
  }
}
