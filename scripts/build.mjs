// Builds pkg/, ready to publish.
import { buildAll } from './build/all.mjs'
import { main } from './support/failure.mjs'
import { write } from './support/terminal.mjs'

await main(async () => {
  await buildAll()
  write('pkg/ is up to date.\n')
})
