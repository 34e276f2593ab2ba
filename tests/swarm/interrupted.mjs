// Interrupts a run of the suite: the servers that it started stop, and their data goes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { askRedis, data, until } from './servers.mjs'

const servers = fileURLToPath(new URL('servers.mjs', import.meta.url))

const PROGRAM = `
const { startRedis } = await import(${JSON.stringify(pathToFileURL(servers).href)})
const { port } = await startRedis(JSON.parse(process.env.FOUND))
console.log(port)
setInterval(() => {}, 1000)
`

/** Checks that each way to interrupt a run ends its servers. */
export function interruptChecks(found) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  return Object.fromEntries(signals.map((signal) => [signal, () => interrupt(found, signal)]))
}

/** @param {import('./servers.mjs').Found} found @param {NodeJS.Signals} signal */
async function interrupt(found, signal) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    env: { ...process.env, FOUND: JSON.stringify(found) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
  assert.match(await askRedis(port, 'PING'), /PONG/)
  const folder = path.join(path.dirname(data), String(child.pid))
  assert(existsSync(folder))
  child.kill(signal)
  assert((await ended) > 128)
  await until('the server has stopped', async () => (await askRedis(port, 'PING')) === '')
  assert(!existsSync(folder))
}
