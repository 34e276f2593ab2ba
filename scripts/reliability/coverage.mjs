// The Rust tests, compiled with counters, and what the counters say of each line. The compiler and
// the tools that came with it do all of it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { build, inRoot } from '../support/paths.mjs'
import { capture } from '../support/process.mjs'

const place = path.join(build, 'coverage')
const counters = path.join(place, 'counters')

/** Runs the tests; gives back the lines of each file of `src/` that are code, as `linesIn` does. */
export async function measureCoverage({ profdata, cov }, report) {
  rmSync(counters, { recursive: true, force: true })
  mkdirSync(counters, { recursive: true })
  report('Compiling the Rust tests with counters (the first time, about a minute).')
  const programs = await compile()
  report(`Running ${programs.length} test programs (a minute or two).`)
  for (const program of programs) await runTests(program)
  const merged = path.join(place, 'merged.profdata')
  const files = readdirSync(counters).map((name) => path.join(counters, name))
  // A list in a file: there may be more names than a command line holds.
  const list = path.join(place, 'counters.txt')
  writeFileSync(list, files.join('\n'))
  await need(profdata, ['merge', '-sparse', '-f', list, '-o', merged])
  const [first, ...others] = programs
  const objects = others.flatMap((program) => ['-object', program])
  const sources = ['-sources', inRoot('src')]
  const form = ['export', '-format=lcov', `-instr-profile=${merged}`]
  return readLcov(await need(cov, [...form, first, ...objects, ...sources]))
}

const environment = {
  RUSTFLAGS: '-C instrument-coverage',
  // Apart from the usual builds, which other flags would throw away.
  CARGO_TARGET_DIR: path.join(place, 'target'),
  // One file for each process, so that none writes over another's.
  LLVM_PROFILE_FILE: path.join(counters, '%m-%p.profraw'),
}

async function compile() {
  const args = ['test', '--lib', '--tests', '--no-run', '--message-format', 'json']
  const { code, output } = await capture('cargo', args, { env: environment })
  if (code !== 0) throw new Failure('The tests do not compile.', 'Try `cargo test`.', tail(output))
  const messages = output.split('\n').filter((line) => line.startsWith('{'))
  const programs = messages.map((line) => JSON.parse(line).executable).filter(Boolean)
  if (programs.length > 0) return programs
  throw new Failure('cargo names no test programs.', 'Try `cargo test --no-run`.', tail(output))
}

async function runTests(program) {
  const { code, output } = await capture(program, ['--quiet'], { env: environment })
  if (code !== 0) throw new Failure('The tests fail.', 'Try `cargo test`.', tail(output))
}

async function need(program, args) {
  const { code, output } = await capture(program, args)
  if (code === 0) return output
  throw new Failure(`\`${path.basename(program)} ${args[0]}\` failed.`, '', tail(output))
}

const tail = (output) => output.slice(-8000)

/** `[{ name: 'src/ring.rs', lines: [{ line: 12, count: 4 }, …] }, …]`, without the tests' own. */
function readLcov(text) {
  return text
    .split('end_of_record')
    .map((record) => ({ file: /^SF:(.*)$/m.exec(record)?.[1], record }))
    .filter(({ file }) => file)
    .map(({ file, record }) => {
      const end = firstLineOfTests(file)
      const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)]
        .map(([, line, count]) => ({ line: Number(line), count: Number(count) }))
        .filter(({ line }) => line < end)
      return { name: path.relative(inRoot(), file).split(path.sep).join('/'), lines }
    })
    .filter(({ lines }) => lines.length > 0)
}

/** Unit tests stand at the end of a file, or in one called `tests.rs`. They reach themselves. */
function firstLineOfTests(file) {
  if (path.basename(file) === 'tests.rs') return 0
  const at = readFileSync(file, 'utf8').split('\n').indexOf('#[cfg(test)]')
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}
