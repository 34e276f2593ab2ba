// Measures in Node, Bun and Deno, each in a process of its own.
import { printed } from '../runtimes/start.mjs'
import { bun, deno } from '../runtimes/tools.mjs'
import { inRoot } from '../support/files.mjs'
import { MARKER } from './names.mjs'

const child = inRoot('scripts/perf/child.mjs')
const DENO = ['run', '--allow-all', '--no-prompt', '--no-remote', '--node-modules-dir=manual']

export const NODE = 'Node'

/** What each is started with; Node also shows when its collector is done. */
const RUNTIMES = {
  [NODE]: () => [process.execPath, ['--expose-gc', child]],
  Bun: () => [bun(), [child]],
  Deno: () => [deno(), [...DENO, child]],
}

export const runtimeNames = Object.keys(RUNTIMES)

export async function measureIn(runtime, what) {
  const [command, args] = RUNTIMES[runtime]()
  const env = { DENO_NO_UPDATE_CHECK: '1' }
  const output = await printed(command, [...args, what], { env })
  return JSON.parse(output.split(MARKER)[1])
}

/** The version, as its program tells it. */
export async function versionOf(runtime) {
  const [command] = RUNTIMES[runtime]()
  return /\d+\.\d+\.\d+/.exec(await printed(command, ['--version'], {}))?.[0]
}
