// Runs all checks; with `check`, `rust` or `js`, only that part.
import { locateBrowser } from '../tests/runtimes/browser.mjs'
import { buildAll } from './build/all.mjs'
import { Failure, isLive, main } from './support/cli.mjs'
import { runSteps } from './support/process.mjs'

const tsc = (project) => ['tsc', '--noEmit', '--project', project]

const SUITES = {
  check: [
    {
      name: 'rustfmt',
      what: 'the Rust is formatted',
      command: ['cargo', 'fmt', '--all', '--check', '--', '--color', isLive ? 'auto' : 'never'],
    },
    {
      name: 'clippy',
      what: 'every target and feature, no warning allowed',
      command: [
        ...['cargo', 'clippy', '--workspace', '--all-targets', '--all-features'],
        ...['--', '--deny', 'warnings'],
      ],
    },
    {
      name: 'biome',
      what: 'the rest is formatted and has no lint',
      command: ['biome', 'check', '--error-on-warnings'],
    },
    {
      name: 'tsc (js)',
      what: 'types of the façade, without those of any runtime',
      command: tsc('tsconfig.json'),
    },
    {
      name: 'tsc (command)',
      what: "types of the command, with Node's",
      command: tsc('js/cli/tsconfig.json'),
    },
    {
      name: 'tsc (tests)',
      what: 'types of the tests, against the built package',
      command: tsc('tests/tsconfig.json'),
    },
    {
      name: 'tsc (playground)',
      what: 'types of the page, against the built package',
      command: tsc('playground/tsconfig.json'),
    },
    {
      name: 'tsc (react)',
      what: "types of the React example, with React's",
      command: tsc('tests/react/tsconfig.json'),
    },
    {
      name: 'tsc (scripts)',
      what: 'types of scripts, benchmarks and suites, which are JavaScript',
      command: tsc('scripts/tsconfig.json'),
    },
  ],
  rust: [
    {
      name: 'cargo test',
      what: 'unit, property and documentation tests',
      command: ['cargo', 'test'],
    },
    {
      name: 'no_std',
      what: 'a crate that depends on the library, with core and alloc alone',
      command: [
        ...['cargo', 'build', '--package', 'loophound-dependent'],
        ...['--target', 'wasm32v1-none', '--target', 'wasm32-unknown-unknown'],
      ],
    },
    {
      name: 'cargo publish',
      what: 'without the upload: the crate builds from its packed files alone',
      command: ['node', 'scripts/release.mjs', '--crate', '--dry-run'],
    },
  ],
  js: [
    {
      name: 'vitest',
      what: 'façade and conformance, on the built package',
      command: ['vitest', 'run'],
    },
    {
      name: 'publint',
      what: 'pkg/ is a sound package',
      command: ['publint', 'pkg', '--strict'],
    },
    {
      name: 'attw',
      what: 'its types resolve everywhere',
      command: [
        // core.wasm is a file for bundlers, without types.
        ...['attw', '--pack', 'pkg', '--exclude-entrypoints', './core.wasm'],
        ...(isLive ? [] : ['--format', 'ascii', '--no-color']),
      ],
    },
    {
      name: 'npm publish',
      what: 'without the upload: what the package would hold',
      command: ['node', 'scripts/release.mjs', '--npm', '--dry-run'],
    },
    {
      name: 'runtimes (core)',
      what: 'the packed package in this Node; npm run test:runtimes has the others',
      command: ['node', 'tests/runtimes/run.mjs', '--core'],
    },
    {
      name: 'leaks',
      what: 'detectors that are disposed of or dropped leave no memory behind',
      command: ['node', 'tests/leaks/run.mjs'],
    },
    {
      name: 'soak (short)',
      what: 'memory and verdicts over 300,000 events; npm run soak has ten million',
      command: ['node', '--expose-gc', 'tests/soak/run.mjs', '300000'],
    },
    {
      name: 'size',
      what: 'the package is within its size budgets',
      command: ['node', 'scripts/size.mjs', '--budgets'],
    },
    {
      name: 'first detector',
      what: 'the time that import and the first detector take (printed only)',
      command: ['node', 'tests/size/first-detector.mjs'],
    },
  ],
}

await main(async () => {
  const [part] = process.argv.slice(2)
  if (part && !(part in SUITES)) {
    throw new Failure(`There is no part "${part}", only ${Object.keys(SUITES).join(', ')}.`)
  }
  await buildAll()
  // Not by the tests: several files need it, and would install it at the same time. What is missing, they say.
  if (part === undefined || part === 'js') await locateBrowser().catch(() => {})
  await runSteps(part ? SUITES[part] : Object.values(SUITES).flat())
})
