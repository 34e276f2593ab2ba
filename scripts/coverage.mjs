// How many lines of the core its Rust tests reach.

import { publish } from './reliability/page.mjs'
import { needCoverage } from './reliability/tools.mjs'
import { Failure, main } from './support/failure.mjs'
import { capture } from './support/process.mjs'
import { write } from './support/terminal.mjs'

const GOAL = 95

await main(async () => {
  await needCoverage()
  write('Running the Rust tests with coverage (a few minutes).\n')
  const args = ['llvm-cov', '--json', '--summary-only', '--quiet']
  const { code, output } = await capture('cargo', args)
  if (code !== 0) throw new Failure('The tests fail.', '', output.slice(-8000))
  const { files } = JSON.parse(output.slice(output.indexOf('{"data"'))).data[0]
  const rows = files
    .map(({ filename, summary }) => ({ name: /src\/.*$/.exec(filename)?.[0], ...summary.lines }))
    .filter(({ name }) => name)
    .sort((a, b) => a.percent - b.percent)
  const [covered, count] = ['covered', 'count'].map((key) =>
    rows.reduce((sum, row) => sum + row[key], 0),
  )
  const percent = (100 * covered) / count
  publish('coverage', [
    `\`npm run coverage -- --write\`: **${percent.toFixed(2)} %** of ${count} lines; the goal is ${GOAL} %. The least covered files:`,
    '',
    '| file | lines | covered |',
    '|---|---|---|',
    ...rows
      .slice(0, 8)
      .map(
        ({ name, count: lines, percent: part }) =>
          `| \`${name}\` | ${lines} | ${part.toFixed(1)} % |`,
      ),
  ])
  if (percent < GOAL) throw new Failure(`Coverage is below ${GOAL} %.`)
})
