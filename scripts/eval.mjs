// Measures every preset and every peer's policy on real trajectories. `npm run eval -- --help`
// tells what else it can show.
import { prepare } from './eval/build.mjs'
import { findCorpus, readCorpus } from './eval/corpus.mjs'
import { measureCost } from './eval/cost.mjs'
import { listAlarms, listMisses } from './eval/lists.mjs'
import * as measure from './eval/measure.mjs'
import { HELP, readOptions } from './eval/options.mjs'
import { writePage } from './eval/page.mjs'
import { POLICIES } from './eval/policies.mjs'
import { judgeAll } from './eval/pool.mjs'
import { writeReport } from './eval/report.mjs'
import { planOf } from './eval/study.mjs'
import * as report from './eval/study-report.mjs'
import { main, write } from './support/cli.mjs'

/** What each view shows. The built package is only there when one is asked for. */
const VIEWS = {
  show: async (folder, options) => {
    const { show } = await import('./eval/show.mjs')
    show(readCorpus(folder, { id: options.show }), options)
  },
  misses: (folder, options) => list(listMisses, folder, options),
  alarms: (folder, options) => list(listAlarms, folder, options),
  json: async (folder, { policies }) => {
    const { figures } = await measure.measurePolicies(folder, policies)
    write(`${JSON.stringify(figures, null, 2)}\n`)
  },
  ablation: async (folder) =>
    report.reportAblation(await measure.measureAblation(folder, await plan())),
  thresholds: async (folder) =>
    report.reportThresholds(await measure.measureThresholds(folder, await plan())),
  validation: async (folder) =>
    report.reportValidation(await measure.measureValidation(folder, await plan())),
  breadth: async (folder, { policies }) =>
    report.reportBreadth(await measure.measureBreadth(folder, policies)),
  cost: async (folder) => report.reportCost(await measureCost(folder)),
  write: async (folder) => {
    const all = await measure.measureAll(folder, POLICIES, await plan())
    writeReport(all.figures, all.baselines)
    writePage(all)
  },
  figures: async (folder, { policies }) => {
    const { figures, baselines } = await measure.measurePolicies(folder, policies)
    writeReport(figures, baselines)
  },
}

const plan = async () => planOf(await import('../pkg/dist/index.js'))

async function list(show, folder, options) {
  const corpus = readCorpus(folder)
  show(corpus, await judgeAll(corpus, options.policies), options)
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

await main(async () => {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return write(HELP)
  const folder = findCorpus(options.corpus)
  if (folder === null) return
  await prepare({ quiet: options.json })
  await VIEWS[options.view ?? 'figures'](folder, options)
})
