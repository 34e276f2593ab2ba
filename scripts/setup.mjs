// Installs what is missing, and nothing else.
import { setup } from './setup/all.mjs'
import { main } from './support/failure.mjs'
import { write } from './support/terminal.mjs'

await main(async () => {
  await setup()
  write('Everything is set up.\n')
})
