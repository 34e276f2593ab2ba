// Ten million mixed events in one process: memory stays flat, and a detector that is saved and
// restored every thousand events says the same as one that never is.
import { buildAll } from './build/all.mjs'
import { readOptions } from './reliability/options.mjs'
import { publish, thousands } from './reliability/page.mjs'
import { Failure, main } from './support/failure.mjs'
import { inRoot } from './support/paths.mjs'
import { capture } from './support/process.mjs'
import { isLive, write } from './support/terminal.mjs'

const HELP = `Records mixed events in one process: memory must stay flat, and hops must change nothing.

  npm run soak [-- <options>]

  --events <number>    how many; ten million if absent
  --write              the figures in docs/reliability.md
  --help               this text
`

await main(async () => {
  const options = readOptions(HELP, { events: 10_000_000, write: false })
  if (options === undefined) return
  const events = Math.floor(options.events)
  await buildAll()
  write(`Soaking: ${thousands(events)} events, twice.\n`)
  const args = ['--expose-gc', inRoot('tests/soak/run.mjs'), String(events)]
  const { code, output } = await capture(process.execPath, args, {
    onOutput: (piece) => (isLive ? write(piece) : undefined),
  })
  if (code !== 0) throw new Failure('The soak failed.', 'What it said is above.', output)
  const report = JSON.parse(output.slice(output.lastIndexOf('{')))
  publish('soak', options.write, [
    `\`npm run soak${events === 10_000_000 ? '' : ` -- --events ${events}`} -- --write\`: verdicts equal at every event, memory flat.`,
    '',
    '| events | hops | verdicts other than continue | engine after a tenth | engine at the end | JavaScript heap after a tenth | at the end |',
    '|---|---|---|---|---|---|---|',
    `| ${[
      thousands(report.events),
      thousands(report.hops),
      thousands(report.spoken),
      `${report.engine[0] / 1024} KiB`,
      `${report.engine[1] / 1024} KiB`,
      `${(report.heap[0] / 2 ** 20).toFixed(1)} MiB`,
      `${(report.heap[1] / 2 ** 20).toFixed(1)} MiB`,
    ].join(' | ')} |`,
  ])
})
