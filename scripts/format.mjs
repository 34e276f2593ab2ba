// Formats everything, Rust and the rest, and applies the linter's safe fixes.
import { setup } from './setup/all.mjs'
import { main } from './support/failure.mjs'
import { packaged } from './support/process.mjs'
import { runSteps } from './support/steps.mjs'

await main(async () => {
  await setup()
  await runSteps([
    { name: 'rustfmt', command: ['cargo', ['fmt', '--all']] },
    { name: 'biome', command: packaged('@biomejs/biome/bin/biome', 'check', '--write') },
  ])
})
