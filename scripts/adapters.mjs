// Proves the adapters with the real frameworks, in every supported major.
//   npm run test:adapters                       all of them
//   npm run test:adapters -- --only ai,mcp-1    only fixtures whose names begin so
//   npm run test:adapters -- --lock ai-7        writes a fixture's lock file first

import { checksOf } from './adapters/checks.mjs'
import { fixtures, readOptions } from './adapters/fixtures.mjs'
import { writeLock } from './adapters/install.mjs'
import { prepare } from './adapters/prepare.mjs'
import { COLUMNS, Table } from './adapters/table.mjs'
import { buildAll } from './build/all.mjs'
import { Failure, main } from './support/cli.mjs'

await main(async () => {
  const { only, lock } = readOptions(process.argv.slice(2), { only: [], lock: [] })
  for (const name of lock) await writeLock(name)
  const selected = fixtures(only.length > 0 ? only : lock)
  await buildAll()
  await prepare(selected)
  const table = new Table(selected, COLUMNS)
  for (const fixture of selected) {
    for await (const outcome of checksOf(fixture)) table.add(fixture, outcome)
  }
  const failed = table.end()
  if (failed > 0) throw new Failure(`${failed} checks failed.`, 'What they said is above.')
})
