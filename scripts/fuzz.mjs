// All fuzzers, one after the other, for as many minutes as asked for. What they find interesting is
// kept in fuzz/corpus, and the next run goes on from there.
import * as random from 'node:crypto'
import { buildAll } from './build/all.mjs'
import { fuzzFacade, fuzzNative, fuzzOracle } from './fuzz/javascript.mjs'
import { buildTargets, fuzzTarget, TARGETS } from './fuzz/targets.mjs'
import { readOptions } from './reliability/options.mjs'
import { publish, thousands } from './reliability/page.mjs'
import { needCargoFuzz } from './reliability/tools.mjs'
import { Failure, main } from './support/failure.mjs'
import { bold, dim, green, red, write } from './support/terminal.mjs'

const HELP = `Fuzzes the engine and the façade: with random input that learns what reaches more code, with all
that JavaScript can hold, and against slow and obviously right twins.

  npm run fuzz [-- <options>]

  --minutes <number>   how long, for all fuzzers together; 2 if absent
  --only <part,…>      only the fuzzers whose names contain one of these
  --seed <number>      to see the same again
  --write              the figures in docs/reliability.md
  --help               this text
`

await main(async () => {
  const usual = { minutes: 2, seed: random.randomInt(1, 2 ** 31), only: '', write: false }
  const options = readOptions(HELP, usual)
  if (options === undefined) return
  const { minutes, only } = options
  const seed = Math.floor(options.seed)
  await buildAll()
  await needCargoFuzz()
  await buildTargets()
  const all = [
    ...TARGETS.map((target) => [
      `${target} (cargo-fuzz)`,
      (time) => fuzzTarget(target, time, seed),
    ]),
    ['façade, all of JavaScript (fast-check)', (time) => fuzzFacade(time, seed)],
    ['native against WebAssembly', (time) => fuzzNative(time, seed)],
    ['engine against naive oracle (proptest)', fuzzOracle],
  ]
  const wanted = only.split(',')
  const fuzzers = all.filter(([name]) => wanted.some((part) => name.includes(part)))
  if (fuzzers.length === 0) {
    throw new Failure(`No fuzzer is called ${only}.`, all.map(([name]) => name).join('; '))
  }
  const share = (minutes * 60_000) / fuzzers.length
  write(`${bold('Fuzzing')} for about ${minutes} min, seed ${seed}: `)
  write(`${fuzzers.length} fuzzers, ${(share / 1000).toFixed(0)} s each.\n`)
  const rows = []
  const found = []
  for (const [name, run] of fuzzers) {
    write(`  ${name} ${dim('…')} `)
    try {
      const { inputs, what = 'inputs', coverage = '–' } = await run(share)
      write(`${green('✓')} ${thousands(inputs)} ${what}, coverage ${coverage}\n`)
      rows.push(`| ${name} | ${thousands(inputs)} ${what} | ${coverage} |`)
    } catch (error) {
      // The others still get their time: what they find is another thing.
      if (!(error instanceof Failure)) throw error
      write(`${red('✗')} ${error.message}\n`)
      found.push(error)
    }
  }
  if (found.length > 0) {
    throw new Failure(
      found.map(({ message }) => message).join(' '),
      found.map(({ next }) => next).join('\n  '),
      found.map(({ output }) => output).join('\n\n'),
    )
  }
  publish('fuzz', options.write, [
    `\`npm run fuzz -- --minutes ${minutes}${only ? ` --only ${only}` : ''} --write\`: nothing was found.`,
    '',
    '| fuzzer | tried | code edges reached |',
    '|---|---|---|',
    ...rows,
  ])
})
