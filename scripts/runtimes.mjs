// Proves the packed package in every runtime and bundler.
//   npm run test:runtimes                         all of them
//   npm run test:runtimes -- --only node,bun      only these runtimes
//   node scripts/runtimes.mjs --core              those that need nothing but this Node
import { buildAll } from './build/all.mjs'
import { readOptions } from './runtimes/options.mjs'
import { prepare } from './runtimes/prepare.mjs'
import { coreRows, rows } from './runtimes/rows.mjs'
import { runRows } from './runtimes/run.mjs'
import { Failure, main } from './support/cli.mjs'

await main(async () => {
  const { core, selects } = readOptions(process.argv.slice(2))
  const selected = (core ? coreRows : rows).filter(selects)
  if (selected.length === 0) {
    const names = [...new Set(rows.map(({ runtime }) => runtime))].join(', ')
    throw new Failure('No row has that name.', `There are: ${names}.`)
  }
  await buildAll()
  await prepare({ tools: !core, rows: selected })
  const failed = await runRows(selected)
  if (failed > 0) throw new Failure(`${failed} of ${selected.length} rows failed.`)
  process.exit(0)
})
