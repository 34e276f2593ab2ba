// How many lines of the core its Rust tests reach.
import { measureCoverage } from './reliability/coverage.mjs'
import { readOptions } from './reliability/options.mjs'
import { publish, thousands } from './reliability/page.mjs'
import { needCoverage } from './reliability/tools.mjs'
import { Failure, main } from './support/failure.mjs'
import { write } from './support/terminal.mjs'

const GOAL = 95

const HELP = `Measures how many lines of the core its Rust tests reach.

  npm run coverage [-- <options>]

  --lines              name those that they do not reach
  --write              the figures in docs/reliability.md
  --help               this text
`

await main(async () => {
  const options = readOptions(HELP, { lines: false, write: false })
  if (options === undefined) return
  const files = await measureCoverage(await needCoverage(), (text) => write(`${text}\n`))
  const rows = files
    .map(({ name, lines }) => {
      const missed = lines.filter(({ count }) => count === 0).map(({ line }) => line)
      return { name, count: lines.length, missed }
    })
    .sort((a, b) => share(a) - share(b))
  if (options.lines) {
    for (const { name, missed } of rows) {
      if (missed.length > 0) write(`${name}: ${missed.join(' ')}\n`)
    }
  }
  const whole = { count: 0, missed: [] }
  for (const { count, missed } of rows) {
    whole.count += count
    whole.missed.push(...missed)
  }
  const percent = share(whole)
  publish('coverage', options.write, [
    `\`npm run coverage -- --write\`: **${percent.toFixed(1)} %** of ${thousands(whole.count)} lines in ${rows.length} files; the goal is ${GOAL} %. The least covered files:`,
    '',
    '| file | lines | covered |',
    '|---|---|---|',
    ...rows
      .slice(0, 8)
      .map((row) => `| \`${row.name}\` | ${row.count} | ${share(row).toFixed(1)} % |`),
  ])
  if (percent < GOAL) {
    throw new Failure(
      `Coverage is below ${GOAL} %.`,
      '`npm run coverage -- --lines` names the lines that no test reaches.',
    )
  }
})

function share({ count, missed }) {
  return (100 * (count - missed.length)) / count
}
