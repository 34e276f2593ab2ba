// What each adapter costs against the bare framework.
//   npm run bench:adapters                   prints the table
//   npm run bench:adapters -- --write        also writes it into docs/adapters/README.md
//   npm run bench:adapters -- --only ai-7    only fixtures whose names begin so
//   npm run bench:adapters -- --rounds 10    fewer rounds, for a first look
import { measure } from './adapters/bench.mjs'
import { fixtures, readOptions } from './adapters/fixtures.mjs'
import { describe, HEADER, rowOf, writeFigures } from './adapters/page.mjs'
import { prepare } from './adapters/prepare.mjs'
import { buildAll } from './build/all.mjs'
import { bold, Failure, main, write } from './support/cli.mjs'

const WIDTHS = [10, 10, 22, 20]

await main(async () => {
  const {
    only,
    rounds,
    write: writes,
  } = readOptions(process.argv.slice(2), {
    only: [],
    rounds: 0,
    write: false,
  })
  if (writes && (only.length > 0 || rounds > 0)) {
    throw new Failure(
      '--write needs every fixture and every round.',
      'Leave out --only and --rounds.',
    )
  }
  const selected = fixtures(only)
  await buildAll()
  await prepare(selected)
  const width = Math.max(...selected.map(({ title }) => title.length))
  const line = ([title, ...cells]) =>
    `${title.padEnd(width)}${cells.map((cell, at) => cell.padStart(WIDTHS[at])).join('')}\n`
  write(`\n${bold(line(['', ...HEADER.slice(1)]))}`)
  const figures = []
  for (const fixture of selected) {
    const measured = await measure(fixture, rounds)
    figures.push(measured)
    write(line(rowOf(measured)))
  }
  write(`\n${describe(figures)}\n`)
  if (writes) writeFigures(figures)
})
