// The sections of docs/performance.md, from the figures that there are.
import os from 'node:os'
import { OUTPUTS, SIZES } from './calls.mjs'
import { goals, goalsTable } from './goals.mjs'
import { readBaseline } from './instructions.mjs'
import { NODE, runtimeNames, versionOf } from './runtimes.mjs'
import * as tables from './tables.mjs'

export async function sectionsOf(figures) {
  const sections = { machine: await machine() }
  for (const [runtime, rows] of Object.entries(figures.calls ?? {})) {
    sections[`calls in ${runtime}`] = tables.callsTable(rows)
  }
  if (figures.answers) sections.answers = tables.answersTable(figures.answers, OUTPUTS)
  if (figures.rest) sections.rest = tables.restTable(figures.rest)
  if (figures.starts) sections.start = tables.startTable(figures.starts)
  if (figures.length) {
    sections.length = tables.lengthTable(figures.length)
    sections.crowds = tables.crowdsTable(figures.crowds)
  }
  if (figures.native && figures.calls) {
    sections.native = tables.nativeTable(figures.native, figures.calls[NODE], SIZES)
  }
  if (isComplete(figures)) {
    sections.instructions = tables.instructionsPageTable(readBaseline())
    sections.goals = goalsTable(goals(figures))
  }
  return sections
}

const isComplete = (figures) =>
  ['calls', 'answers', 'length', 'crowds'].every((part) => part in figures)

/** What kind of machine, and which versions; neither its name nor where things are on it. */
async function machine() {
  const versions = await Promise.all(
    runtimeNames.map(async (name) => `${name} ${await versionOf(name)}`),
  )
  const [load] = os.loadavg()
  return [
    `${os.cpus().length} cores (${os.arch()}), ${os.type()}; ${versions.join(', ')}.`,
    `The machine was ${load > os.cpus().length / 2 ? `busy with other work as well (load ${load.toFixed(1)})` : 'otherwise idle'} when the run ended.`,
  ].join('\n')
}
