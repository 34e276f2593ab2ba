// Prints what the first detector costs a process that has just started: it is
// then that the engine is decoded, compiled and started. Nothing is asserted, as
// it says as much about the machine as about the package.
import { execFileSync } from 'node:child_process'

const PROCESSES = 20
const entry = new URL('../../pkg/dist/index.js', import.meta.url)
const program = `
  const start = process.cpuUsage()
  const { LoopDetector } = await import(${JSON.stringify(entry)})
  const imported = process.cpuUsage(start)
  const before = process.cpuUsage()
  new LoopDetector()
  const made = process.cpuUsage(before)
  console.log(JSON.stringify([imported, made].map(({ user, system }) => (user + system) / 1000)))
`

const runs = Array.from({ length: PROCESSES }, () =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    }),
  ),
)

for (const [index, what] of ['import', 'first new LoopDetector()'].entries()) {
  const times = runs.map((run) => run[index]).sort((a, b) => a - b)
  const [least, median, most] = [0, PROCESSES / 2, PROCESSES - 1].map((at) => times[at].toFixed(1))
  console.log(
    `  ${what.padEnd(25)} ${median} ms of CPU time (median of ${PROCESSES}; ${least} to ${most})`,
  )
}
