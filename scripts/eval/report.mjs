// The figures of all policies in the terminal.
import { bold, dim, green, red, write } from '../support/cli.mjs'
import { BASELINE_TITLES } from './baselines.mjs'
import { baselinesTable } from './study-tables.mjs'
import { kindsTable, mainTable, sourcesTable, withoutTable, wordsTable } from './tables.mjs'
import { checkTargets } from './targets.mjs'
import { section, writeTable } from './terminal-table.mjs'

export function writeReport(figures, baselines) {
  const { labelled, stuck, trajectories } = figures
  write(
    `\n${bold(`${labelled} labelled trajectories, ${stuck} of them stuck`)} ` +
      `${dim(`(${trajectories} replayed)`)}\n` +
      `${dim('delay in calls, median and 90th percentile; saved: calls in loops after the first alarm;')}\n` +
      `${dim('strong, not stuck: runs with a false alarm for each 1,000 calls')}\n`,
  )
  writeTable(mainTable(figures))
  section(
    'Any alarm inside a loop is a hit, also after one that came too early',
    wordsTable(figures),
  )
  section('Loops caught, by their kind', kindsTable(figures))
  section('Loops caught and false alarms, by source', sourcesTable(figures))
  section('Precision and recall with one source left out', withoutTable(figures))
  writeBaselines(baselines)
  writeTargets(figures)
  write('\n')
}

function writeBaselines(baselines) {
  if (baselines.length === 0) return
  section(
    "The corpus' own figures, and ours after an arrow where they differ",
    baselinesTable(BASELINE_TITLES, baselines),
  )
  for (const { id, agrees, differs } of baselines) {
    if (!agrees) write(`${dim(`${id}: ${differs ?? UNEXPLAINED}`)}\n`)
  }
}

/** What a difference means that nobody has looked into. */
export const UNEXPLAINED = 'Why it differs is not known.'

function writeTargets({ policies }) {
  const balanced = policies.find(({ id }) => id === 'balanced')
  if (!balanced) return
  write(`\n${bold('What balanced is meant to reach')}\n\n`)
  for (const { name, goal, value, met } of checkTargets(balanced)) {
    write(`${met ? green('✓') : red('✗')} ${name}: ${value}, ${goal}\n`)
  }
}
