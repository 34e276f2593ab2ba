// What each crate and each room costs in the compiled engine. With --write, docs/size.md
// is written anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { buildAll } from './build/all.mjs'
import { measureSizes } from './build/sizes.mjs'
import { readModule } from './size/functions.mjs'
import { crateOf, roomOf, sumBy } from './size/groups.mjs'
import { page } from './size/page.mjs'
import { main } from './support/failure.mjs'
import { inRoot } from './support/paths.mjs'
import { write } from './support/terminal.mjs'

await main(async () => {
  await buildAll()
  // Before wasm-opt, which drops the names.
  const { functions, data } = readModule(readFileSync(inRoot('build/wasm/loophound_bg.wasm')))
  const own = functions.filter(({ name }) => crateOf(name) === 'loophound')
  const text = page({
    crates: [...sumBy(functions, crateOf), ['texts, tables and other data', data]],
    rooms: sumBy(own, roomOf),
    sizes: await measureSizes(),
    budgets: JSON.parse(readFileSync(inRoot('tests/size/budgets.json'), 'utf8')),
  })
  write(text)
  if (process.argv.includes('--write')) writeFileSync(inRoot('docs/size.md'), text)
})
