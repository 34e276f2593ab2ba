// What a character of streamed text costs: ours, the peers', and the floor. `npm run bench:text --
// --write` puts the figures into docs/text.md.
import { buildAll } from './build/all.mjs'
import { Failure, main } from './support/failure.mjs'
import { bold, dim, write } from './support/terminal.mjs'
import { benchmarkTable, measure } from './text/bench.mjs'
import { replaceSection } from './text/page.mjs'
import { installPeers } from './text/peers.mjs'
import { proseOfTheDocumentation } from './text/prose.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  const unknown = args.find((arg) => arg !== '--write')
  if (unknown) throw new Failure(`"${unknown}" is not an option.`, 'There is --write only.')
  await buildAll()
  await installPeers()
  const { contestants, absent } = await import('./text/contestants.mjs')
  const text = proseOfTheDocumentation()
  write(`\n${bold('Streamed prose')} ${dim(`${text.length.toLocaleString('en')} characters`)}\n`)
  const figures = measure(contestants, text)
  const table = benchmarkTable(figures, absent, text.length)
  write(`\n${table}\n`)
  if (args.includes('--write')) replaceSection('benchmark', table)
})
