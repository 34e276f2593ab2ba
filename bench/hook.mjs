// Measures what a hook costs: a process that is started for each event of an agent,
// compared with one that only starts Node. The runs are interleaved, so that other load
// affects both alike. The minimum of each counts: the rest is other programs' work. On a
// busy machine, CPU time and its ratio to Node's own are more reliable.
//
//   npm run bench:hook [-- --runs 40] [-- --json] [-- --write]
//
// --write updates docs/hooks.md.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { buildAll } from '../scripts/build/all.mjs'
import { write } from '../scripts/support/cli.mjs'
import { inRoot, writeFigures } from '../scripts/support/files.mjs'

/** Milliseconds above starting Node. */
const GOAL = 40

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '30' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
  },
})
await buildAll()

const folder = mkdtempSync(path.join(tmpdir(), 'loophound-bench-'))
const cli = inRoot('pkg/dist/cli.js')

/** The recorded calls and results: other events need no state, and cost less. */
const recorded = (name) =>
  readFileSync(inRoot(`tests/cli/recordings/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => /"(tool_input|toolArgs|tool_calls)"/.test(line))

/** A process that prints the CPU time it used when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('\\ncpu ' + (user + system)) })`,
)}`

/** The contestants: how each is started, and the events it is sent, one in each run. */
const contestants = [
  { name: 'Node alone', args: ['-e', "process.stdout.write('{}')"], events: [''] },
  ...['claude-code', 'codex', 'qwen-code', 'gemini-cli', 'copilot', 'cursor'].map((host) => ({
    name: host,
    args: [cli, 'hook', '--host', host, '--state-dir', path.join(folder, host)],
    events: recorded({ 'claude-code': 'loop', cursor: 'cursor-made' }[host] ?? host),
  })),
]

/** @type {{ wall: number[], cpu: number[] }[]} */
const samples = contestants.map(() => ({ wall: [], cpu: [] }))
const runs = Number(values.runs)
for (let run = -2; run < runs; run++) {
  for (const [index, { args, events }] of contestants.entries()) {
    const result = await measure(args, events[(run + 2) % events.length])
    // The first runs warm the disk up.
    if (run < 0) continue
    samples[index].wall.push(result.wall)
    samples[index].cpu.push(result.cpu)
  }
}
rmSync(folder, { recursive: true, force: true })

const times = samples.map(({ wall, cpu }, index) => ({
  name: contestants[index].name,
  median: median(wall),
  least: Math.min(...wall),
  cpu: Math.min(...cpu),
}))
const [node] = times
const rows = times.map((time) => ({
  ...time,
  above: time.least - node.least,
  cpuAbove: time.cpu - node.cpu,
  ratio: time.cpu / node.cpu,
}))
if (values.json) write(`${JSON.stringify(rows, null, 2)}\n`)
else {
  const cells = rows.map((row) => [
    row.name,
    ...[row.median, row.least, row.above, row.cpu, row.cpuAbove].map((time) => time.toFixed(1)),
    row.ratio.toFixed(2),
  ])
  const head = ['', 'median ms', 'least ms', 'above Node', 'CPU ms', 'above Node', 'times Node']
  const worst = Math.max(...rows.map(({ above }) => above))
  writeFigures('docs/hooks.md', 'figures', values.write === true, [
    `${runs} runs of each, Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}:`,
    '',
    markdownTable([head, ...cells], { align: ['l', ...head.slice(1).map(() => 'r')] }),
    '',
    `The goal, at most ${GOAL} ms above starting Node, is ${worst <= GOAL ? 'met' : 'not met'}: ${worst.toFixed(1)} ms.`,
  ])
}

/** Starts a process, feeds it, and waits for its end. */
function measure(args, input) {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT, ...args])
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  child.stdout.resume()
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      const wall = performance.now() - start
      const cpu = Number(/cpu (\d+)$/.exec(told)?.[1]) / 1000
      if (code !== 0 || Number.isNaN(cpu)) reject(new Error(`It failed: ${told}`))
      else resolve({ wall, cpu })
    })
  })
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
