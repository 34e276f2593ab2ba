// Streams every text of the corpus through the detector and counts the alarms. `npm run eval:text --
// --help` tells what else it can do.
import { parseArgs } from 'node:util'
import { findCorpus } from '../eval/sets.mjs'
import { buildAll } from './build/all.mjs'
import { Failure, main } from './support/failure.mjs'
import { write } from './support/terminal.mjs'
import { readTexts } from './text/corpus.mjs'
import { evaluate } from './text/evaluate.mjs'
import { replaceSection } from './text/page.mjs'
import { evaluationTable, listAlarms, writeEvaluation } from './text/report.mjs'

const HELP = `Measures what the text detectors say to real texts.

  npm run eval:text [-- <options>]

  --corpus <dir>   where the trajectories are; ../shared/corpus if absent
  --alarms         each alarm, with what was repeated
  --write          also write the figures into docs/text.md
  --help           this text
`

await main(async () => {
  const options = read(process.argv.slice(2))
  if (options.help) return write(HELP)
  const folder = findCorpus(options.corpus)
  if (folder === null) return
  await buildAll()
  const engine = await import('../pkg/dist/index.js')
  const figures = evaluate(engine, readTexts(folder))
  writeEvaluation(figures)
  if (options.alarms) listAlarms(figures)
  if (options.write) replaceSection('evaluation', evaluationTable(figures))
})

function read(args) {
  const flag = { type: 'boolean' }
  try {
    const options = { corpus: { type: 'string' }, alarms: flag, write: flag, help: flag }
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new Failure(error.message, 'See --help.')
  }
}
