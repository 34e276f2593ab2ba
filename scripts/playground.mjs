// Builds the playground and serves it on this machine; with --build, only builds it.

import { serve } from '../tests/runtimes/browser.mjs'
import { buildAll, buildPage } from './build/all.mjs'
import { PLAYGROUND, pageSize } from './build/playground.mjs'
import { main, readOptions, write } from './support/cli.mjs'
import { inRoot } from './support/files.mjs'

const HELP = `Builds the playground into ${PLAYGROUND}/index.html, and serves it on this machine.

  npm run playground              build and serve
  npm run playground -- --build   only build
`

await main(async () => {
  const options = readOptions(HELP, { build: false })
  if (!options) return
  await buildAll()
  await buildPage()
  const size = `${(pageSize() / 1000).toFixed(1)} kB gzipped beside the engine`
  write(`${PLAYGROUND}/index.html is up to date: ${size}.\n`)
  if (options.build) return
  write(`The playground is at ${await serve(inRoot(PLAYGROUND))} until you press Ctrl+C.\n`)
})
