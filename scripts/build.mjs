// Builds pkg/, ready to publish.
import { buildAll } from './build/all.mjs'
import { main, write } from './support/cli.mjs'

await main(async () => {
  await buildAll()
  write('pkg/ is up to date.\n')
})
