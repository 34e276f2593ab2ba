// Runs all fuzzers, one after the other, for as many minutes as asked for. Inputs that reach new code
// are kept in fuzz/corpus, and the next run continues from there.
import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import fc from 'fast-check'
import { buildNative, compareNative, makeRuns } from '../tests/fuzz/differential.mjs'
import { facadeProperty } from '../tests/fuzz/facade.mjs'
import { buildAll } from './build/all.mjs'
import { installCargoFuzz } from './setup/rust.mjs'
import {
  bold,
  dim,
  Failure,
  green,
  main,
  readOptions,
  red,
  thousands,
  write,
} from './support/cli.mjs'
import { inRoot, writeFigures } from './support/files.mjs'
import { run } from './support/process.mjs'

const HELP = `Fuzzes the engine and the façade: cargo-fuzz targets, the façade with all that JavaScript can hold,
native against WebAssembly, and the engine against slow, obviously correct implementations.

  npm run fuzz [-- <options>]

  --minutes <number>   how long, for all fuzzers together; 2 if absent
  --only <part,…>      only the fuzzers whose names contain one of these
  --seed <number>      repeat an earlier run
  --write              write the figures into docs/reliability.md
  --help               print this text
`

const TARGETS = ['json', 'shell', 'text', 'events', 'snapshots', 'options']

const FUZZERS = [
  ...TARGETS.map((target) => ({
    name: `${target} (cargo-fuzz)`,
    unit: 'inputs',
    fuzz: (options) => fuzzTarget(target, options),
  })),
  { name: 'façade, all of JavaScript (fast-check)', unit: 'lists of calls', fuzz: fuzzFacade },
  { name: 'native against WebAssembly', unit: 'answers', fuzz: fuzzNative },
  {
    name: 'engine against naive detectors (proptest)',
    unit: 'properties (thousands of streams each)',
    fuzz: fuzzOracle,
  },
]

/** cargo-fuzz needs compiler flags that stable Rust takes only with this. */
const env = { RUSTC_BOOTSTRAP: '1' }
/** The core has no unsafe code, so no sanitizer is used. */
const NO_SANITIZER = ['--sanitizer', 'none']

const builtPackage = () => import(inRoot('pkg/dist/index.js'))

await main(async () => {
  const defaults = { minutes: 2, seed: randomInt(1, 2 ** 31), only: '', write: false }
  const options = readOptions(HELP, defaults)
  if (options === undefined) return
  const { minutes, only } = options
  const seed = Math.floor(options.seed)
  const wanted = only.split(',')
  const fuzzers = FUZZERS.filter(({ name }) => wanted.some((part) => name.includes(part)))
  if (fuzzers.length === 0) {
    throw new Failure(`No fuzzer is called ${only}.`, FUZZERS.map(({ name }) => name).join('; '))
  }
  await buildAll()
  installCargoFuzz()
  await buildTargets()
  const milliseconds = (minutes * 60_000) / fuzzers.length
  write(`${bold('Fuzzing')} for about ${minutes} min with seed ${seed}: `)
  write(`${fuzzers.length} fuzzers, ${(milliseconds / 1000).toFixed(0)} s each.\n`)
  const rows = []
  const failures = []
  for (const { name, unit, fuzz } of fuzzers) {
    write(`  ${name} ${dim('…')} `)
    try {
      const { inputs, coverage = '–' } = await fuzz({ milliseconds, seed })
      write(`${green('✓')} ${thousands(inputs)} ${unit}, coverage ${coverage}\n`)
      rows.push(`| ${name} | ${thousands(inputs)} ${unit} | ${coverage} |`)
    } catch (error) {
      // The others still get their time: they may find something else.
      if (!(error instanceof Failure)) throw error
      write(`${red('✗')} ${error.message}\n`)
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw new Failure(
      failures.map(({ message }) => message).join(' '),
      failures.map(({ next }) => next).join('\n  '),
      failures.map(({ output }) => output).join('\n\n'),
    )
  }
  writeFigures('docs/reliability.md', 'fuzz', options.write, [
    `\`npm run fuzz -- --minutes ${minutes}${only ? ` --only ${only}` : ''} --write\`: nothing was found.`,
    '',
    '| fuzzer | tried | code edges reached |',
    '|---|---|---|',
    ...rows,
  ])
})

async function buildTargets() {
  write('Building the fuzz targets (the first time, about 90 s).\n')
  await run('cargo', ['fuzz', 'build', ...NO_SANITIZER], {
    env,
    failure: 'The fuzz targets do not compile.',
    next: 'libFuzzer needs a C++ compiler (`apt install g++`, `xcode-select --install`).',
  })
}

async function fuzzTarget(target, { milliseconds, seed }) {
  const corpus = inRoot('fuzz/corpus', target)
  mkdirSync(corpus, { recursive: true })
  const args = [
    ...['fuzz', 'run', ...NO_SANITIZER, target, corpus, inRoot('fuzz/seeds', target), '--'],
    `-max_total_time=${Math.max(1, Math.round(milliseconds / 1000))}`,
    ...[`-seed=${seed}`, '-timeout=10', '-print_final_stats=1'],
  ]
  const output = await run('cargo', args, {
    env,
    failure: `The fuzz target ${target} failed.`,
    next: `An input that it found is in fuzz/artifacts/${target}; \`cargo fuzz run ${target} <file>\` replays it.`,
  })
  return {
    inputs: Number(/number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? 0),
    coverage: [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1],
  }
}

async function fuzzFacade({ milliseconds, seed }) {
  const details = fc.check(facadeProperty(await builtPackage()), {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  })
  if (!details.failed) return { inputs: details.numRuns }
  throw new Failure(
    'The façade broke a promise.',
    'Put the counterexample into tests/js.',
    fc.defaultReportMessage(details),
  )
}

async function fuzzNative({ milliseconds, seed }) {
  const library = await builtPackage()
  await buildNative()
  const end = Date.now() + milliseconds
  let inputs = 0
  for (let round = 0; inputs === 0 || Date.now() < end; round++) {
    try {
      inputs += await compareNative(library, makeRuns(seed + round, 100, 300))
    } catch (error) {
      const next = `\`npm run fuzz -- --only native --seed ${seed + round}\` begins with it.`
      throw new Failure('The native engine and the published one differ.', next, error.message)
    }
  }
  return { inputs }
}

/** Each run of the property tests tries other streams. */
async function fuzzOracle({ milliseconds, seed }) {
  const end = Date.now() + milliseconds
  let inputs = 0
  for (let round = 0; round === 0 || Date.now() < end; round++) {
    const output = await run('cargo', ['test', '--quiet', '--test', 'detectors_equal_naive_ones'], {
      env: { PROPTEST_RNG_SEED: String(seed + round) },
      failure: 'The engine and the naive one differ.',
      next: 'The stream is above, and kept in tests/rust: `cargo test` replays it.',
    })
    inputs += Number(/(\d+) passed/.exec(output)?.[1] ?? 0)
  }
  return { inputs }
}
