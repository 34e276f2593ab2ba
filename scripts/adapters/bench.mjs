// Measures one fixture; see tests/adapters/scenario/bench.mjs.
import { ratios, spread } from '../perf/statistics.mjs'
import { Failure } from '../support/cli.mjs'
import { capture } from '../support/process.mjs'
import { nodeFor } from './install.mjs'
import { running } from './places.mjs'

/** Microseconds for a tool call, without and with a guard, and what that is as a ratio. */
export async function measure({ name, node, title }, rounds) {
  const args = [running(name, 'scenario/bench.mjs'), name, ...(rounds ? [String(rounds)] : [])]
  const { code, output } = await capture(nodeFor(node), args, { cwd: running(name) })
  const line = output.split('\n').find((text) => text.startsWith('{"bare":'))
  if (code !== 0 || !line) {
    const next = `Does \`npm run test:adapters -- --only ${name}\` pass?`
    throw new Failure(`${title} could not be measured.`, next, output)
  }
  return figuresOf(title, JSON.parse(line))
}

/** Bare and guarded are compared within each round: what was going on then fell on both. */
export function figuresOf(title, { bare, guarded }) {
  return {
    title,
    rounds: bare.length,
    bare: spread(bare),
    guarded: spread(guarded),
    added: spread(guarded.map((time, round) => time - bare[round])),
    ratio: ratios(guarded, bare),
  }
}
