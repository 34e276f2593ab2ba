// Runs the checks of one fixture, each outcome as it comes: `{ id, ok, note, error }`.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { environment } from '../support/files.mjs'
import { capture } from '../support/process.mjs'
import { nodeFor } from './install.mjs'
import { running } from './places.mjs'

export async function* checksOf(fixture) {
  yield await typesOf(fixture)
  yield* scenarioOf(fixture)
}

/** Do the examples compile against the framework's own types? */
async function typesOf({ name }) {
  const { code, output } = await capture('tsc', ['--project', running(name, 'examples')])
  return { id: 'types', ok: code === 0, error: output }
}

async function* scenarioOf({ name, node }) {
  const child = spawn(nodeFor(node), [running(name, 'scenario/main.mjs'), name], {
    cwd: running(name),
    // The AI SDK and others warn about what the checks do on purpose.
    env: environment({ NO_COLOR: '1', NODE_NO_WARNINGS: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    said += piece
  })
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  for await (const line of createInterface({ input: child.stdout })) {
    // A framework may print lines of its own.
    if (line.startsWith('{"id":')) yield JSON.parse(line)
    else said += `${line}\n`
  }
  const code = await ended
  if (code !== 0) yield { id: 'end', ok: false, error: `It ended with code ${code}.\n${said}` }
}
