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
  --baseline <dir>   measure calls and results with another build of the package, too, in the same run
  --instructions     count instructions per call instead, and compare with the committed counts
  --write            also write the figures into docs/performance.md
  --help             print this text
`

/** Each process starts only once. */
const STARTS = 21

const DENO = ['run', '--allow-all', '--no-prompt', '--no-remote', '--node-modules-dir=manual']
const RUNTIMES = {
  Node: () => [process.execPath, ['--expose-gc']],
  Bun: () => [bun(), []],
  Deno: () => [deno(), DENO],
}

const MEASURES = {
  // First, because what does not compile is known before the long parts.
  native: async () => ({ native: await timeNative() }),
  calls: async (baseline) => ({ calls: await measureCalls(baseline) }),
  results: async (baseline) => ({ results: await measureIn('Node', 'results', baseline) }),
  other: async () => ({ other: await measureIn('Node', 'other') }),
  start: async () => ({ starts: await measureStarts() }),
  growth: async () => ({
    length: await measureIn('Node', 'length'),
    crowds: await measureIn('Node', 'crowds'),
  }),
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
  const all = Object.keys(MEASURES)
  const parts = list ? list.split(',') : all
  const unknown = parts.find((part) => !all.includes(part))
  if (unknown === undefined) return parts
  throw new Failure(`There is no part "${unknown}".`, `The parts are ${all.join(', ')}.`)
}

/**
 * @typedef {{
 *   native?: Record<string, number>, calls?: Record<string, any[]>, results?: any[], other?: any,
 *   starts?: Record<string, number[][]>, length?: any[], crowds?: any[],
 * }} Figures The figures of the parts that were measured.
 */

/** Measures the given parts. @returns {Promise<Figures>} */
async function measure(parts, baseline) {
  // npm runs in the project's root; the path was typed elsewhere.
  const other = baseline && path.resolve(process.env.INIT_CWD ?? '', baseline)
  const figures = {}
  for (const [part, run] of Object.entries(MEASURES)) {
    if (!parts.includes(part)) continue
    writeError(`Measuring ${part}.\n`)
    Object.assign(figures, await run(other))
  }
  return figures
}

async function measureCalls(baseline) {
  /** @type {Record<string, any[]>} */
  const calls = {}
  for (const runtime of Object.keys(RUNTIMES)) {
    calls[runtime] = await measureIn(runtime, 'calls', baseline)
  }
  return calls
}

async function measureIn(runtime, part, ...args) {
  const file = path.join(build, 'bench', `${part}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  const [command, flags] = RUNTIMES[runtime]()
  const all = [...flags, inRoot('bench/worker.mjs'), part, file, ...args.filter(Boolean)]
  await printed(command, all, { env: { DENO_NO_UPDATE_CHECK: '1' }, timeout: 60 * 60_000 })
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function measureStarts() {
  /** @type {Record<string, number[][]>} */
  const starts = Object.fromEntries(Object.keys(RUNTIMES).map((runtime) => [runtime, []]))
  for (let round = 0; round < STARTS; round++) {
    for (const runtime of Object.keys(RUNTIMES)) {
      starts[runtime].push(await measureIn(runtime, 'start'))
    }
  }
  return starts
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
