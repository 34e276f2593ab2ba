// Measures what each adapter adds to a tool call of the bare framework.
import { buildAll } from '../scripts/build/all.mjs'
import { Failure, main, readOptions, write, writeError } from '../scripts/support/cli.mjs'
import { replaceSections } from '../scripts/support/files.mjs'
import { run } from '../scripts/support/process.mjs'
import { copyOf, nodeFor, prepare, selectFixtures } from '../tests/adapters/fixtures.mjs'
import { ratios, spread } from './statistics.mjs'
import { table } from './tables.mjs'

const HELP = `Measures what each adapter adds to a tool call of the bare framework.

  npm run bench:adapters [-- <options>]

  --only <names>   only fixtures whose names begin so: ai-7,mcp
  --rounds <n>     this many rounds, for a first look
  --write          also write the figures into docs/adapters/README.md
  --help           print this text
`

await main(async () => {
  const options = readOptions(HELP, { only: '', rounds: 0, write: false })
  if (options === undefined) return
  const { only, rounds, write: writes } = options
  if (writes && (only || rounds)) throw new Failure('--write needs every fixture and every round.')
  const fixtures = selectFixtures(only)
  await buildAll()
  await prepare(fixtures)
  const figures = []
  for (const fixture of fixtures) {
    writeError(`Measuring ${fixture.title}.\n`)
    figures.push(await measure(fixture, rounds))
  }
  const header = ['framework', 'bare', 'guarded', 'added', 'ratio']
  const result = `${describe(figures)}\n\n${table(header, figures.map(rowOf))}`
  write(`\n${result}\n`)
  if (writes) replaceSections('docs/adapters/README.md', { figures: result })
})

/** Runs the rounds of one fixture; bare and guarded are compared within each round. */
async function measure({ name, node, title }, rounds) {
  const args = [copyOf(name, 'scenario/bench.mjs'), name, ...(rounds ? [String(rounds)] : [])]
  const output = await run(nodeFor(node), args, {
    cwd: copyOf(name),
    failure: `${title} could not be measured.`,
    next: `Does \`npm run test:adapters -- --only ${name}\` pass?`,
  })
  // A framework may print lines of its own.
  const line = output.split('\n').find((text) => text.startsWith('{"bare":'))
  const { bare, guarded } = JSON.parse(line ?? '{}')
  return {
    title,
    rounds: bare.length,
    bare: spread(bare),
    guarded: spread(guarded),
    added: spread(guarded.map((time, round) => time - bare[round])),
    ratio: ratios(guarded, bare),
  }
}

/** Medians, and the quartiles of what the guard adds. */
function rowOf({ title, bare, guarded, added, ratio }) {
  return [
    title,
    microseconds(bare.median),
    microseconds(guarded.median),
    withQuartiles(added, microseconds),
    withQuartiles(ratio, (value) => value.toFixed(2)),
  ]
}

function describe(figures) {
  const most = Math.max(...figures.map(({ rounds }) => rounds))
  const fewer = figures
    .filter(({ rounds }) => rounds < most)
    .map(({ title, rounds }) => `${rounds} for ${title}`)
  const count = `${most} rounds${fewer.length > 0 ? ` (${fewer.join(', ')})` : ''}`
  return `Microseconds of processor time for one step with one tool call, mock model included: the medians of ${count}. "added" and "ratio" compare within each round; quartiles are in brackets.`
}

function withQuartiles({ median, low, high }, print) {
  return `${print(median)} (${print(low)}–${print(high)})`
}

function microseconds(value) {
  return Math.abs(value) < 10 ? value.toFixed(1) : String(Math.round(value))
}
