// The engine without JavaScript: timed by criterion, and its instructions counted by valgrind. Counts
// are the same on a busy machine, so a change of one percent shows.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, thousands, write, writeError } from '../scripts/support/cli.mjs'
import { build, inRoot, replaceSections } from '../scripts/support/files.mjs'
import { capture, run } from '../scripts/support/process.mjs'
import { PRESETS } from './contestants.mjs'
import { instructionsTable, table } from './tables.mjs'
import { callsOf, OUTPUTS, outputsOf, SIZES } from './workload.mjs'

const COUNTS = 'bench/instructions.json'
/** Bytes of arguments where the size of the output is what is measured. */
const ARGUMENTS = 300
// Separate target folders: benchmarks unwind, releases do not, and cargo names both libraries alike.
const TIMED = 'target/bench-timed'
const COUNTED = 'target/bench-counted'

/** Returns the same calls and results that the package gets. */
function nativeJobs() {
  const steps = (size) => callsOf(size).map(({ name, text, id }) => ({ name, args: text, id }))
  const answered = (size) => {
    const outputs = outputsOf(size)
    return steps(ARGUMENTS).map((step, index) => ({ ...step, output: outputs[index] }))
  }
  return [
    ...PRESETS.flatMap((preset) =>
      SIZES.map((size) => ({ name: `call/${preset}/${size}`, preset, steps: steps(size) })),
    ),
    ...['nudge', 'balanced'].flatMap((preset) =>
      OUTPUTS.map((size) => ({ name: `result/${preset}/${size}`, preset, steps: answered(size) })),
    ),
  ]
}

/** Writes the jobs to a file; returns the environment that names it. */
function writeJobs(jobs) {
  const file = path.join(build, 'bench/jobs.json')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(jobs))
  return { LOOPHOUND_JOBS: file }
}

/** @returns {Promise<Record<string, number>>} Nanoseconds per call, for each job. */
export async function timeNative() {
  const jobs = nativeJobs()
  await run(
    'cargo',
    [
      ...['bench', '--package', 'loophound-bench', '--bench', 'engine'],
      ...['--target-dir', TIMED, '--', '--noplot'],
    ],
    { env: { ...writeJobs(jobs), CRITERION_HOME: inRoot(TIMED, 'criterion') } },
  )
  const estimate = ({ name, steps }) => {
    const folder = `${TIMED}/criterion/engine/${name.replaceAll('/', '-')}/new`
    const { median } = JSON.parse(readFileSync(inRoot(folder, 'estimates.json'), 'utf8'))
    return median.point_estimate / steps.length
  }
  return Object.fromEntries(jobs.map((job) => [job.name, estimate(job)]))
}

/** Counts instructions and compares them with the committed counts; `writes` commits the new ones. */
export async function compareInstructions({ writes }) {
  if ((await capture('valgrind', ['--version'])) === null) {
    throw new Failure('valgrind is not on the PATH.', 'On Debian: sudo apt-get install valgrind')
  }
  const before = JSON.parse(readFileSync(inRoot(COUNTS), 'utf8'))
  const counts = await countInstructions()
  const rows = Object.entries(counts).map(([name, count]) => [
    ...[name, before[name] ? thousands(before[name]) : '–', thousands(count)],
    before[name] ? `${((100 * count) / before[name] - 100).toFixed(1)} %` : 'new',
  ])
  write(`\n${table(['instructions per call', 'committed', 'now', 'change'], rows)}\n`)
  if (!writes) return
  writeFileSync(inRoot(COUNTS), `${JSON.stringify(counts, null, 2)}\n`)
  replaceSections('docs/performance.md', { instructions: instructionsTable(counts) })
}

async function countInstructions() {
  await run('cargo', [
    ...['build', '--release', '--package', 'loophound-bench', '--example', 'count'],
    ...['--target-dir', COUNTED],
  ])
  const counts = {}
  for (const job of nativeJobs()) {
    writeError(`  counting ${job.name}\n`)
    // Few steps: under valgrind, reading them takes most of the time. More than a detector
    // remembers, since their repetition would be a cycle.
    const steps = job.steps.slice(0, 160)
    const env = writeJobs([{ ...job, steps }])
    // The difference of the two leaves out starting up and reading the jobs.
    const once = await instructionsOf(job.name, 1, env)
    const thrice = await instructionsOf(job.name, 3, env)
    counts[job.name] = Math.round((thrice - once) / (2 * steps.length))
  }
  return counts
}

async function instructionsOf(name, passes, env) {
  const file = path.join(build, 'bench/callgrind.out')
  const program = inRoot(COUNTED, 'release/examples/count')
  const options = ['--tool=callgrind', `--callgrind-out-file=${file}`]
  const output = await run('valgrind', [...options, program, name, String(passes)], { env })
  rmSync(file, { force: true })
  const collected = /Collected : (\d+)/.exec(output)
  // A loop costs a message, which is not what is counted here.
  if (collected && output.includes(', 0 alarms')) return Number(collected[1])
  throw new Failure(`valgrind could not count ${name}.`, undefined, output)
}
