// What a call costs: ours, what hosts write themselves, and peers, in one run.
//   npm run bench                                prints the tables
//   npm run bench -- --write                     also writes them into docs/performance.md
//   npm run bench -- --only calls,start          only these parts
//   npm run bench -- --instructions              instructions a call, against the committed ones
//   npm run bench -- --instructions --write      and commits to the new ones
import { buildAll } from './build/all.mjs'
import { compareInstructions } from './perf/instructions.mjs'
import { readOptions } from './perf/options.mjs'
import { measureParts } from './perf/parts.mjs'
import { installPeers } from './perf/peers.mjs'
import { sectionsOf } from './perf/sections.mjs'
import { installTools } from './runtimes/tools.mjs'
import { bold, main, write } from './support/cli.mjs'
import { replaceSections } from './support/files.mjs'
import { installPeers as installTextPeers } from './text/peers.mjs'

await main(async () => {
  const { instructions, only, writes } = readOptions(process.argv.slice(2))
  if (instructions) return compareInstructions({ writes })
  await buildAll()
  await installTools()
  await installTextPeers()
  await installPeers()
  const sections = await sectionsOf(await measureParts(only))
  for (const [name, text] of Object.entries(sections)) write(`\n${bold(name)}\n\n${text}\n`)
  if (writes) replaceSections('docs/performance.md', sections)
})
