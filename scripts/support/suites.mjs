// What `npm run check` and `npm test` consist of.
import { packaged } from './process.mjs'
import { isLive } from './terminal.mjs'

const cargo = (...args) => ['cargo', args]
const node = (...args) => [process.execPath, args]
const tsc = (project) => packaged('typescript/bin/tsc', '--noEmit', '--project', project)

export const check = [
  {
    name: 'rustfmt',
    what: 'is the Rust formatted?',
    command: cargo('fmt', '--all', '--check', '--', '--color', isLive ? 'auto' : 'never'),
  },
  {
    name: 'clippy',
    what: 'every target and feature, no warning allowed',
    command: cargo(
      ...['clippy', '--workspace', '--all-targets', '--all-features', '--', '--deny', 'warnings'],
    ),
  },
  {
    name: 'biome',
    what: 'is the rest formatted and free of lint?',
    command: packaged('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  },
  {
    name: 'tsc (js)',
    what: 'the façade, as any runtime sees it',
    command: tsc('tsconfig.json'),
  },
  {
    name: 'tsc (command)',
    what: 'the command, as Node sees it',
    command: tsc('js/cli/tsconfig.json'),
  },
  {
    name: 'tsc (tests)',
    what: 'the tests, against the built package',
    command: tsc('tests/tsconfig.json'),
  },
]

export const rust = [
  {
    name: 'cargo test',
    what: 'unit, property and documentation tests',
    command: cargo('test'),
  },
  {
    name: 'no_std',
    what: 'the core, where there is nothing but core and alloc',
    // A library only: the crate's cdylib would need a panic handler of its own.
    command: cargo(
      ...['rustc', '--lib', '--crate-type', 'rlib'],
      ...['--target', 'wasm32v1-none', '--no-default-features'],
    ),
  },
]

export const js = [
  {
    name: 'vitest',
    what: 'façade and conformance, on the built package',
    command: packaged('vitest/vitest.mjs', 'run'),
  },
  {
    name: 'publint',
    what: 'is pkg/ a sound package?',
    command: packaged('publint/src/cli.js', 'pkg', '--strict'),
  },
  {
    name: 'attw',
    what: 'do its types resolve everywhere?',
    // core.wasm is a file for bundlers: no types to resolve.
    command: packaged(
      '@arethetypeswrong/cli/dist/index.js',
      ...['--pack', 'pkg', '--exclude-entrypoints', './core.wasm'],
      ...(isLive ? [] : ['--format', 'ascii', '--no-color']),
    ),
  },
  {
    name: 'runtimes (core)',
    what: 'the packed package in this Node; npm run test:runtimes has the others',
    command: node('tests/runtimes/run.mjs', '--core'),
  },
  {
    name: 'leaks',
    what: 'detectors that are disposed of or dropped leave no memory behind',
    command: node('tests/leaks/run.mjs'),
  },
  {
    name: 'soak (short)',
    what: 'memory and verdicts over 200,000 events; npm run soak has ten million',
    command: node('--expose-gc', 'tests/soak/run.mjs', '200000'),
  },
  {
    name: 'size',
    what: 'what the package weighs, against its budgets',
    command: node('tests/size/size.mjs'),
  },
  {
    name: 'first detector',
    what: 'what import and the first detector cost (printed only)',
    command: node('tests/size/first-detector.mjs'),
  },
]
