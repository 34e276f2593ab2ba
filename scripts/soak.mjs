// Records ten million mixed events in one process: memory stays flat, and a detector that is saved
// and restored again and again gives the same verdicts as one that never is.
import { buildAll } from './build/all.mjs'
import { main, readOptions, thousands, write } from './support/cli.mjs'
import { inRoot, writeFigures } from './support/files.mjs'
import { run } from './support/process.mjs'

const USUAL = 10_000_000

const HELP = `Records mixed events in one process: memory must stay flat, and restoring must change no verdict.

  npm run soak [-- <options>]

  --events <number>    how many events, more than 100,000; ten million if absent
  --write              write the figures into docs/reliability.md
  --help               print this text
`

await main(async () => {
  const options = readOptions(HELP, { events: USUAL, write: false })
  if (options === undefined) return
  const events = Math.floor(options.events)
  await buildAll()
  write(`Recording ${thousands(events)} events, twice.\n`)
  const args = ['--expose-gc', inRoot('tests/soak/run.mjs'), String(events)]
  const output = await run('node', args, { failure: 'The soak failed.' })
  const report = JSON.parse(output.slice(output.lastIndexOf('{')))
  const kibibytes = (bytes) => `${bytes / 1024} KiB`
  const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  const figures = [
    ...[report.events, report.hops, report.spoken].map(thousands),
    ...report.engine.map(kibibytes),
    ...report.heap.map(mebibytes),
  ]
  writeFigures('docs/reliability.md', 'soak', options.write, [
    `\`npm run soak${events === USUAL ? '' : ` -- --events ${events}`} -- --write\`: verdicts equal at every event, memory flat.`,
    '',
    '| events | restored | verdicts other than continue | engine after 100,000 | engine at the end | JavaScript heap after 100,000 | at the end |',
    '|---|---|---|---|---|---|---|',
    `| ${figures.join(' | ')} |`,
  ])
})
