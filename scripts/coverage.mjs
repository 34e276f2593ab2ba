// Measures how many lines of the core its Rust tests reach. The tests are compiled with
// counters; the compiler's own tools do the rest.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installCoverageTools } from './setup/rust.mjs'
import { Failure, main, readOptions, thousands, write } from './support/cli.mjs'
import { build, inRoot, writeFigures } from './support/files.mjs'
import { run } from './support/process.mjs'

const GOAL = 95

const HELP = `Measures how many lines of the core its Rust tests reach.

  npm run coverage [-- <options>]

  --lines              print the lines that no test reaches
  --write              write the figures into docs/reliability.md
  --help               print this text
`

const folder = path.join(build, 'coverage')
const counters = path.join(folder, 'counters')

const env = {
  RUSTFLAGS: '-C instrument-coverage',
  // Separate from the usual builds, which other flags would invalidate.
  CARGO_TARGET_DIR: path.join(folder, 'target'),
  // One file for each process, so that none overwrites another's.
  LLVM_PROFILE_FILE: path.join(counters, '%m-%p.profraw'),
}

const share = (count, missed) => (100 * (count - missed)) / count

/** Runs the tests. Returns the files of `src/`, the least covered first. */
async function measure() {
  const { profdata, cov } = installCoverageTools()
  rmSync(counters, { recursive: true, force: true })
  mkdirSync(counters, { recursive: true })
  write('Compiling the Rust tests with counters (the first time, about a minute).\n')
  const programs = await compileTests()
  write(`Running ${programs.length} test programs (a minute or two).\n`)
  for (const program of programs) {
    await run(program, ['--quiet'], { env, failure: 'A test failed.', next: 'Try `cargo test`.' })
  }
  // A list in a file: there may be more names than a command line holds.
  const list = path.join(folder, 'counters.txt')
  writeFileSync(
    list,
    readdirSync(counters)
      .map((name) => path.join(counters, name))
      .join('\n'),
  )
  const merged = path.join(folder, 'merged.profdata')
  await run(profdata, ['merge', '-sparse', '-f', list, '-o', merged])
  const [first, ...others] = programs
  const report = await run(cov, [
    ...['export', '-format=lcov', `-instr-profile=${merged}`, first],
    ...others.flatMap((program) => ['-object', program]),
    ...['-sources', inRoot('src')],
  ])
  return readLcov(report).sort((a, b) => a.percent - b.percent)
}

async function compileTests() {
  const output = await run(
    'cargo',
    ['test', '--lib', '--tests', '--no-run', '--message-format=json'],
    {
      env,
      failure: 'The tests do not compile.',
      next: 'Try `cargo test`.',
    },
  )
  const messages = output.split('\n').filter((line) => line.startsWith('{'))
  return messages.map((line) => JSON.parse(line).executable).filter(Boolean)
}

/** How many lines each file has, and which were missed, without the unit tests at its end. */
function readLcov(text) {
  return text.split('end_of_record').flatMap((record) => {
    const file = /^SF:(.*)$/m.exec(record)?.[1]
    if (!file) return []
    const end = firstLineOfTests(file)
    const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)]
      .map(([, line, hits]) => ({ line: Number(line), hits: Number(hits) }))
      .filter(({ line }) => line < end)
    if (lines.length === 0) return []
    const missed = lines.filter(({ hits }) => hits === 0).map(({ line }) => line)
    const name = path.relative(inRoot(), file).split(path.sep).join('/')
    return [{ name, count: lines.length, missed, percent: share(lines.length, missed.length) }]
  })
}

/** Unit tests are at the end of a file, or in one called `tests.rs`. They reach themselves. */
function firstLineOfTests(file) {
  if (path.basename(file) === 'tests.rs') return 0
  const at = readFileSync(file, 'utf8').split('\n').indexOf('#[cfg(test)]')
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}

await main(async () => {
  const options = readOptions(HELP, { lines: false, write: false })
  if (options === undefined) return
  const files = await measure()
  if (options.lines) {
    for (const { name, missed } of files) {
      if (missed.length > 0) write(`${name}: ${missed.join(' ')}\n`)
    }
  }
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const count = sum(files.map((file) => file.count))
  const percent = share(count, sum(files.map(({ missed }) => missed.length)))
  writeFigures('docs/reliability.md', 'coverage', options.write, [
    `\`npm run coverage -- --write\`: **${percent.toFixed(1)} %** of ${thousands(count)} lines in ${files.length} files; the goal is ${GOAL} %. The least covered files:`,
    '',
    '| file | lines | covered |',
    '|---|---|---|',
    ...files
      .slice(0, 8)
      .map(({ name, count, percent }) => `| \`${name}\` | ${count} | ${percent.toFixed(1)} % |`),
  ])
  if (percent < GOAL) {
    throw new Failure(
      `Coverage is below ${GOAL} %.`,
      '`npm run coverage -- --lines` prints the lines that no test reaches.',
    )
  }
})
