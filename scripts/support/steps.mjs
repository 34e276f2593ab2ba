// Runs steps one after the other, shows each one's own output, and closes with
// a table. The first failure ends it.
import { Failure } from './failure.mjs'
import { show } from './process.mjs'
import { bold, dim, duration, green, red, write } from './terminal.mjs'

export async function runSteps(steps) {
  const results = new Map()
  for (const step of steps) {
    const [command, args] = step.command
    write(`\n${bold(`── ${step.name}`)} ${dim(step.what ?? '')}\n`)
    const started = Date.now()
    const code = await show(command, args, { env: step.env })
    results.set(step, { passed: code === 0, took: Date.now() - started })
    if (code !== 0) break
  }
  writeTable(steps, results)
  const failed = steps.find((step) => results.get(step)?.passed === false)
  if (failed) throw new Failure(`${failed.name} failed.`, 'Its output is above the table.')
}

function writeTable(steps, results) {
  write('\n')
  for (const step of steps) {
    const result = results.get(step)
    const name = step.name.padEnd(16)
    if (!result) write(`  ${dim(`- ${name} not run`)}\n`)
    else if (result.passed) write(`  ${green('✓')} ${name} ${duration(result.took)}\n`)
    else write(`  ${red('✗')} ${name} ${duration(result.took)}\n`)
  }
}
