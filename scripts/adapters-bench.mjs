// What each adapter costs against the bare framework, as a ratio.
//   npm run bench:adapters                   prints the table
//   npm run bench:adapters -- --write        also writes it into docs/adapters/README.md
//   npm run bench:adapters -- --only ai-7    only fixtures whose names begin so
import { measure } from './adapters/bench.mjs'
import { fixtures, readOptions } from './adapters/fixtures.mjs'
import { writeFigures } from './adapters/page.mjs'
import { prepare } from './adapters/prepare.mjs'
import { buildAll } from './build/all.mjs'
import { Failure, main } from './support/failure.mjs'
import { bold, write } from './support/terminal.mjs'

await main(async () => {
  const { only, write: writes } = readOptions(process.argv.slice(2))
  if (writes && only.length > 0) throw new Failure('--write needs all fixtures: leave out --only.')
  const selected = fixtures(only)
  await buildAll()
  await prepare(selected)
  const width = Math.max(...selected.map(({ title }) => title.length))
  const row = (cells) =>
    `${cells[0].padEnd(width)}${cells
      .slice(1)
      .map((c) => c.padStart(12))
      .join('')}\n`
  write(`\n${bold(row(['', 'bare', 'guarded', 'ratio']))}`)
  const figures = []
  for (const fixture of selected) {
    const { bare, guarded } = await measure(fixture)
    figures.push({ title: fixture.title, bare, guarded })
    write(row([fixture.title, `${bare} µs`, `${guarded} µs`, (guarded / bare).toFixed(2)]))
  }
  write('\nOne step with one tool call, mock model included; the fastest tenth of 140 runs.\n')
  if (writes) writeFigures(figures)
})
