// Measures one fixture; see tests/adapters/scenario/bench.mjs.
import { Failure } from '../support/failure.mjs'
import { capture } from '../support/process.mjs'
import { nodeFor } from './install.mjs'
import { running } from './places.mjs'

/** Microseconds for a tool call, without and with a guard. */
export async function measure({ name, node, title }) {
  const args = [running(name, 'scenario/bench.mjs'), name]
  const { code, output } = await capture(nodeFor(node), args, { cwd: running(name) })
  const line = output.split('\n').find((text) => text.startsWith('{"bare":'))
  if (code !== 0 || !line) throw new Failure(`${title} could not be measured.`, '', output)
  const { bare, guarded } = JSON.parse(line)
  return { bare: Math.round(bare), guarded: Math.round(guarded) }
}
