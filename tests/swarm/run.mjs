// Runs the stores of shared swarms on real servers: what each must do, what happens when servers fail,
// and the examples of the documentation.
import { inspect } from 'node:util'
import { markdownTable } from 'markdown-table'
import { buildAll } from '../../scripts/build/all.mjs'
import {
  bold,
  duration,
  Failure,
  main,
  readOptions,
  red,
  write,
} from '../../scripts/support/cli.mjs'
import { installClients } from './packages.mjs'
import { stopServers } from './servers.mjs'

const HELP = `Runs the stores of shared swarms on real servers, on this machine.

  npm run test:swarm [-- <options>]

  --only <words>   only rows whose names contain one of these: redis,workerd
  --help           print this text

REDIS_SERVER, VALKEY_SERVER and POSTGRES_BIN name programs to use instead of what is found. What is
missing is unpacked into .tools. All rows take about 6 minutes, and 300 MB.
`

await main(async () => {
  const options = readOptions(HELP, { only: '' })
  if (options === undefined) return
  await buildAll()
  await installClients()
  // The rows import the built package and the clients.
  const { rows } = await import('./rows.mjs')
  const words = options.only.toLowerCase().split(',').filter(Boolean)
  const results = []
  try {
    for await (const row of rows((name) => matches(name, words))) {
      results.push(row)
      const mark = row.failures.length > 0 ? red('✗') : '✓'
      const count = `${row.passed} of ${row.passed + row.failures.length}`
      write(`${mark} ${row.name.padEnd(44)} ${count.padEnd(9)} ${duration(row.took)}\n`)
      for (const note of row.notes) write(`    ${note}\n`)
      for (const { name, error } of row.failures) {
        write(`  ${red('✗')} ${bold(name)}\n${inspect(error).replace(/^/gm, '    ')}\n`)
      }
    }
  } finally {
    await stopServers()
  }
  report(results)
})

function matches(name, words) {
  return words.length === 0 || words.some((word) => name.toLowerCase().includes(word))
}

function report(results) {
  const lines = results.map(({ name, passed, failures, took }) => [
    name,
    String(passed),
    String(failures.length),
    duration(took),
  ])
  write(`\n${markdownTable([['what', 'passed', 'failed', 'time'], ...lines])}\n`)
  const passed = results.reduce((sum, row) => sum + row.passed, 0)
  const failed = results.reduce((sum, row) => sum + row.failures.length, 0)
  write(`\n${passed} passed, ${failed} failed\n`)
  if (failed > 0) throw new Failure(`${failed} checks failed.`)
  if (passed === 0) throw new Failure('No row matches --only.')
  // Clients that reconnect would delay the end.
  process.exit(0)
}
