// The studies of the default preset in the terminal.
import { dim, write } from '../support/cli.mjs'
import {
  breadthTable,
  costText,
  intervalsTable,
  leftOutTable,
  neverTable,
  onlyTable,
  thresholdsTable,
  withoutTable,
} from './study-tables.mjs'
import { section } from './terminal-table.mjs'
import { one, two } from './texts.mjs'

const LEGEND =
  'A dot is what does not change. strong: runs of strong models with a false alarm; agreed, beyond:\n' +
  "runs with an alarm in which the corpus' rules see a loop, or none at all."

export function reportAblation(ablation) {
  section('What goes without a detector', withoutTable(ablation))
  section('What a detector finds alone', onlyTable(ablation))
  section('What goes when a patience never ends', neverTable(ablation))
  write(`\n${dim(LEGEND)}\n`)
}

export function reportThresholds(thresholds) {
  section('Every number of balanced, lower and higher', thresholdsTable(thresholds))
  write(`\n${dim(LEGEND)}\n`)
}

export function reportValidation(validation) {
  const { alarmed, calls, rate, most } = validation.intervals.strong
  section('Between what 95 of 100 draws of the labelled runs lie', intervalsTable(validation))
  write(
    `\n${alarmed} false alarms in ${calls} calls of strong models, ${two(rate)} for each 1,000: ` +
      `with 95 % confidence, no more than ${two(most)}.\n`,
  )
  section('What would be chosen without a source', leftOutTable(validation))
}

export function reportBreadth(breadth) {
  if (!breadth) return write('This corpus has no labels by rules: oracle_labels.jsonl.gz.\n')
  section(
    "Agreement with the corpus' rules on all trajectories",
    breadthTable('policy', breadth.policies),
  )
  section(
    `The same by source, for ${breadth.source.of}`,
    breadthTable('source', breadth.source.rows),
  )
  write(
    `\n${dim('agreed: both see a loop; silent: only the rules do; beyond: an alarm, and not even a loose rule.')}\n` +
      `${dim('The rules see the whole run, and are wrong in places.')}\n`,
  )
}

export function reportCost(cost) {
  const { balanced, nudge } = cost.microseconds
  write(
    `record() and recordResult() with balanced take ${costText(cost)} the processor time of nudge:\n` +
      `${one(balanced)} and ${one(nudge)} µs for a call and its result on this machine, ` +
      `${cost.calls} calls, ${cost.rounds} rounds.\n`,
  )
}
