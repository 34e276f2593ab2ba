// Measures every preset and every peer's policy on real trajectories. `npm run eval -- --help`
// tells what else it can show.
import { prepare } from './eval/build.mjs'
import { findCorpus, readCorpus } from './eval/corpus.mjs'
import { evaluate } from './eval/figures.mjs'
import { listAlarms, listMisses } from './eval/lists.mjs'
import { HELP, readOptions } from './eval/options.mjs'
import { writePage } from './eval/page.mjs'
import { judgeAll } from './eval/pool.mjs'
import { writeReport } from './eval/report.mjs'
import { main } from './support/failure.mjs'
import { write } from './support/terminal.mjs'

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

await main(async () => {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return write(HELP)
  const folder = findCorpus(options.corpus)
  if (folder === null) return
  await prepare({ quiet: options.json })

  if (options.show) {
    // It needs the built package, which was not there before.
    const { show } = await import('./eval/show.mjs')
    return show(readCorpus(folder, { id: options.show }), options)
  }

  const corpus = readCorpus(folder)
  const judged = await judgeAll(corpus, options.policies)
  if (options.misses) return listMisses(corpus, judged, options)
  if (options.alarms) return listAlarms(corpus, judged, options)
  const figures = evaluate(corpus, judged, options.policies)
  if (options.json) return write(`${JSON.stringify(figures, null, 2)}\n`)
  writeReport(figures)
  if (options.write) writePage(figures)
})
