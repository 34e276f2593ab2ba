// The main job, from a fresh clone: sets up, builds, and replays the sample
// transcripts. Arguments are handed on to the replay.
import { buildAll } from './build/all.mjs'
import { main } from './support/failure.mjs'
import { inRoot } from './support/paths.mjs'
import { show } from './support/process.mjs'

await main(async () => {
  await buildAll()
  const replay = [inRoot('examples/replay.mjs'), ...process.argv.slice(2)]
  process.exitCode = await show(process.execPath, replay)
})
