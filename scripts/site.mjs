// Builds the documentation site into build/site; with --serve, also shows it.
import { buildSite, serveSite } from './build/site.mjs'
import { main, readOptions, write } from './support/cli.mjs'

const HELP = `Builds the documentation site into build/site.

  npm run site [-- <options>]

  --serve          afterwards serve it on localhost, until Ctrl-C
  --port <number>  where; 4173 if absent
  --help           print this text
`

await main(async () => {
  const options = readOptions(HELP, { serve: false, port: 4173 })
  if (options === undefined) return
  await buildSite()
  write('build/site is up to date.\n')
  if (options.serve) write(`${(await serveSite(options.port)).address}\n`)
})
