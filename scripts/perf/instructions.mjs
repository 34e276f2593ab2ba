// Instructions a call, counted by valgrind: unlike times, they are the same on a busy machine, so
// that a change of one percent shows. They are compared with those that were last committed.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bold, dim, Failure, write, writeError } from '../support/cli.mjs'
import { build, inRoot, replaceSections } from '../support/files.mjs'
import { capture } from '../support/process.mjs'
import { nativeJobs, writeJobs } from './jobs.mjs'
import { instructionsPageTable } from './tables.mjs'

const BASELINE = 'tests/perf/instructions.json'
// Folders of their own: benchmarks unwind and releases do not, and cargo gives the library the same
// file name in both.
const TARGET = 'target/perf-count'
const PROGRAM = `${TARGET}/release/examples/count`
const STEPS = 48
/** The difference of the two leaves out starting, and reading the jobs. */
const PASSES = [1, 3]

/** Prints the counts beside the committed ones; `write` makes them the committed ones. */
export async function compareInstructions({ writes }) {
  const valgrind = await capture('valgrind', ['--version'])
  if (valgrind?.code !== 0) {
    writeError(
      'valgrind is not on the PATH, so no instructions are counted. On Debian and Ubuntu:\n' +
        '  sudo apt-get install valgrind\n',
    )
    return
  }
  const counts = await count()
  const before = readBaseline()
  write(`\n${instructionsTable(counts, before)}\n`)
  if (!writes) return
  writeFileSync(inRoot(BASELINE), `${JSON.stringify(counts, null, 2)}\n`)
  write(`${BASELINE} is written.\n`)
  replaceSections('docs/performance.md', { instructions: instructionsPageTable(counts) })
}

export function readBaseline() {
  return existsSync(inRoot(BASELINE)) ? JSON.parse(readFileSync(inRoot(BASELINE), 'utf8')) : {}
}

async function count() {
  const jobs = nativeJobs()
  const built = await capture('cargo', [
    ...['build', '--release', '--package', 'loophound-bench', '--example', 'count'],
    ...['--target-dir', TARGET],
  ])
  if (built?.code !== 0) throw new Failure('The build failed.', undefined, built?.output)
  const counts = {}
  for (const job of jobs) {
    const { name } = job
    writeError(`${dim(`  counting ${name}`)}\n`)
    // A file for each, and fewer steps: under valgrind, reading is what takes the time.
    const steps = job.steps.slice(0, STEPS)
    const env = writeJobs([{ ...job, steps }])
    const [few, many] = [
      await instructions(name, PASSES[0], env),
      await instructions(name, PASSES[1], env),
    ]
    counts[name] = Math.round((many - few) / ((PASSES[1] - PASSES[0]) * steps.length))
  }
  return counts
}

async function instructions(name, passes, env) {
  const file = path.join(build, 'perf', 'callgrind.out')
  const args = ['--tool=callgrind', `--callgrind-out-file=${file}`]
  const result = await capture('valgrind', [...args, inRoot(PROGRAM), name, String(passes)], {
    env,
  })
  rmSync(file, { force: true })
  const collected = /Collected : (\d+)/.exec(result?.output ?? '')
  // A verdict costs a message: then it would be that which is counted.
  const isSilent = /, 0 alarms/.test(result?.output ?? '')
  if (result?.code === 0 && collected && isSilent) return Number(collected[1])
  throw new Failure(`valgrind could not count ${name}.`, undefined, result?.output)
}

/** One line for each job: what it was, what it is, and by how much it changed. */
export function instructionsTable(counts, before) {
  const rows = Object.entries(counts).map(([name, now]) => {
    const was = before[name]
    return [name, was === undefined ? '–' : shown(was), shown(now), change(was, now)]
  })
  const header = ['instructions a call', 'committed', 'now', 'change']
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column].length)),
  )
  const line = (cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
      .join('  ')
  return [bold(line(header)), ...rows.map(line)].join('\n')
}

function change(was, now) {
  if (was === undefined) return 'new'
  const percent = (100 * (now - was)) / was
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`
}

const shown = (value) => value.toLocaleString('en')
