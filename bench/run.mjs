// Measures what a call costs: loophound, what hosts write themselves, and peers, in one run.
import { mkdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildAll } from '../scripts/build/all.mjs'
import { bold, Failure, main, readOptions, write, writeError } from '../scripts/support/cli.mjs'
import { build, inRoot, replaceSections } from '../scripts/support/files.mjs'
import { bun, deno, installRuntimes, printed } from '../tests/runtimes/programs.mjs'
import { goalsOf, goalsTable } from './goals.mjs'
import { compareInstructions, timeNative } from './native.mjs'
import { installPeers } from './peers.mjs'
import * as tables from './tables.mjs'
import { OUTPUTS, SIZES } from './workload.mjs'

const HELP = `Measures what a call costs, and prints which goals are met.

  npm run bench [-- <options>]

  --only <parts>     only these parts: native,calls,results,other,start,growth
  --baseline <dir>   compare with another build of the package, in the same run
  --instructions     count instructions per call instead, and compare with the committed counts
  --write            also write the figures into docs/performance.md
  --help             print this text
`

const PARTS = ['native', 'calls', 'results', 'other', 'start', 'growth']
/** Each process starts only once. */
const STARTS = 21

const DENO = ['run', '--allow-all', '--no-prompt', '--no-remote', '--node-modules-dir=manual']
const RUNTIMES = {
  Node: () => [process.execPath, ['--expose-gc']],
  Bun: () => [bun(), []],
  Deno: () => [deno(), DENO],
}

await main(async () => {
  const defaults = { only: '', baseline: '', instructions: false, write: false }
  const options = readOptions(HELP, defaults)
  if (options === undefined) return
  if (options.instructions) return compareInstructions({ writes: options.write })
  const parts = partsOf(options.only)
  if (options.write && (options.only || options.baseline)) {
    throw new Failure('--write needs all parts and no other build.')
  }
  await buildAll()
  await installRuntimes()
  await installPeers()
  const figures = await measure(parts, options.baseline)
  const sections = { machine: await machine(), ...sectionsOf(figures) }
  for (const [name, text] of Object.entries(sections)) write(`\n${bold(name)}\n\n${text}\n`)
  if (options.write) replaceSections('docs/performance.md', sections)
})

function partsOf(list) {
  const parts = list ? list.split(',') : PARTS
  const unknown = parts.find((part) => !PARTS.includes(part))
  if (unknown === undefined) return parts
  throw new Failure(`There is no part "${unknown}".`, `The parts are ${PARTS.join(', ')}.`)
}

/**
 * @typedef {{
 *   native?: Record<string, number>, calls?: Record<string, any[]>, results?: any[], other?: any,
 *   starts?: Record<string, number[][]>, length?: any[], crowds?: any[],
 * }} Figures The figures of the parts that were measured.
 */

/** Measures the given parts. */
async function measure(parts, baseline) {
  /** @type {Figures} */
  const figures = {}
  // npm runs in the project's root; the path was typed elsewhere.
  const other = baseline && path.resolve(process.env.INIT_CWD ?? '', baseline)
  for (const part of PARTS.filter((name) => parts.includes(name))) {
    writeError(`Measuring ${part}.\n`)
    // First, because what does not compile is known before the long parts.
    if (part === 'native') figures.native = await timeNative()
    else if (part === 'calls') {
      figures.calls = {}
      for (const runtime of Object.keys(RUNTIMES)) {
        figures.calls[runtime] = await measureIn(runtime, 'calls', other)
        for (const row of figures.calls[runtime]) requireSilence(row.name, row.cells)
      }
    } else if (part === 'results') {
      figures.results = await measureIn('Node', 'results')
      for (const row of figures.results) requireSilence(row.name, row.cells)
    } else if (part === 'other') figures.other = await measureIn('Node', 'other')
    else if (part === 'start') figures.starts = await measureStarts()
    else {
      for (const growth of ['length', 'crowds']) {
        figures[growth] = await measureIn('Node', growth)
        requireSilence(growth, figures[growth])
      }
    }
  }
  return figures
}

async function measureIn(runtime, part, ...args) {
  const file = path.join(build, 'bench', `${part}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  const [command, flags] = RUNTIMES[runtime]()
  await printed(
    command,
    [...flags, inRoot('bench/worker.mjs'), part, file, ...args.filter(Boolean)],
    { env: { DENO_NO_UPDATE_CHECK: '1' } },
  )
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function measureStarts() {
  const starts = Object.fromEntries(Object.keys(RUNTIMES).map((runtime) => [runtime, []]))
  for (let round = 0; round < STARTS; round++) {
    for (const runtime of Object.keys(RUNTIMES)) {
      starts[runtime].push(await measureIn(runtime, 'start'))
    }
  }
  return starts
}

/** A detector that sees a loop does other work than one that does not: they cannot be compared. */
function requireSilence(name, cells) {
  if (cells.every(({ alarms }) => alarms === 0)) return
  throw new Failure(`${name}: loops were seen in calls that do not repeat.`)
}

/**
 * Returns the sections of docs/performance.md that the figures fill.
 *
 * @param {Figures} figures
 */
function sectionsOf(figures) {
  const { native, calls, results, other, starts, length, crowds } = figures
  /** @type {Record<string, string>} */
  const sections = {}
  for (const [runtime, rows] of Object.entries(calls ?? {})) {
    sections[`calls in ${runtime}`] = tables.callsTable(rows)
  }
  if (results) sections.results = tables.resultsTable(results, OUTPUTS)
  if (other) sections.other = tables.otherTable(other)
  if (starts) sections.start = tables.startTable(starts)
  if (length) sections.length = tables.lengthTable(length)
  if (crowds) sections.crowds = tables.crowdsTable(crowds)
  if (native && calls) sections.native = tables.nativeTable(native, calls.Node, SIZES)
  const goals = goalsOf(figures)
  if (goals.length > 0) sections.goals = goalsTable(goals)
  return sections
}

/** Describes the kind of machine and the versions, without its name or paths. */
async function machine() {
  const versions = []
  for (const [name, command] of Object.entries(RUNTIMES)) {
    versions.push(
      `${name} ${/\d+\.\d+\.\d+/.exec(await printed(command()[0], ['--version'], {}))?.[0]}`,
    )
  }
  const [load] = os.loadavg()
  const busy = load > os.cpus().length / 2
  return [
    `${os.cpus().length} cores (${os.arch()}), ${os.type()}; ${versions.join(', ')}.`,
    busy
      ? `The machine was also busy with other work (load ${load.toFixed(1)} at the end).`
      : 'The machine was otherwise idle.',
  ].join('\n')
}
