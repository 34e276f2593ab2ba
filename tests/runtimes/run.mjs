// Runs the packed package in every runtime and bundler, and compares its verdicts with the native
// engine's.
import path from 'node:path'
import { Listr, PRESET_TIMER } from 'listr2'
import { buildAll } from '../../scripts/build/all.mjs'
import { bold, Failure, main, readOptions, red, write } from '../../scripts/support/cli.mjs'
import { run } from '../../scripts/support/process.mjs'
import { packTarball, removeApps, removeOldApps } from './apps.mjs'
import { closeBrowser, locateBrowser } from './browser.mjs'
import { installRuntimes, printed, stopServers, suite } from './programs.mjs'
import { coreRows, rows } from './rows.mjs'

const HELP = `Runs the packed package in every runtime and bundler.

  npm run test:runtimes [-- <options>]

  --only <names>   only rows of these runtimes: node,bun; "next edge" also matches how it is used
  --core           only rows that need nothing but this Node
  --help           print this text
`

await main(async () => {
  const options = readOptions(HELP, { only: '', core: false })
  if (options === undefined) return
  const selected = select(options.core ? coreRows : rows, options.only.toLowerCase())
  await buildAll()
  removeOldApps()
  if (!options.core) await installRuntimes()
  // Without a browser only its rows fail, and say why.
  if (selected.some(({ browser }) => browser)) await locateBrowser().catch(() => {})
  write('Running the scenario on the native engine.\n')
  const expected = await runNative()
  const { name, size } = await packTarball()
  write(`Packed ${name}, ${(size / 1000).toFixed(1)} kB.\n\n`)
  const failures = await runRows(selected, expected)
  stopServers()
  await closeBrowser()
  const passed = selected.length - failures.length
  write(`\n${passed} of ${selected.length} rows equal the native engine.\n`)
  if (failures.length > 0) throw new Failure(`${failures.length} rows failed.`)
  removeApps()
  // Static servers and kept-alive connections would delay the end.
  process.exit(0)
})

/** Selects rows by runtime; a word with a space also matches how the package is used. */
function select(all, list) {
  const words = list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  const matches = ({ runtime, how }, word) =>
    (word.includes(' ') ? `${runtime} ${how}` : runtime).toLowerCase().includes(word)
  const selected = all.filter(
    (row) => words.length === 0 || words.some((word) => matches(row, word)),
  )
  if (selected.length > 0) return selected
  const names = new Set(all.map(({ runtime }) => runtime))
  throw new Failure('No row matches --only.', `The runtimes are ${[...names].join(', ')}.`)
}

/** Builds and runs the native scenario; returns its text. */
async function runNative() {
  const example = ['--quiet', '--example', 'runtime_expectation']
  await run('cargo', ['build', ...example])
  return printed('cargo', ['run', ...example, '--', path.join(suite, 'events.json')])
}

/** Runs the rows one after the other and prints how each ended; returns the errors. */
async function runRows(selected, expected) {
  const failures = []
  const tasks = selected.map((row) => {
    const title = `${row.runtime.padEnd(13)} ${row.how}`
    const task = async () => {
      try {
        const outcome = await row.run()
        if (row.check) row.check(outcome)
        else requireEqual(outcome, expected)
      } catch (error) {
        failures.push({ title, error })
        throw error
      }
    }
    return { title, task }
  })
  const options = { timer: PRESET_TIMER }
  const list = new Listr(tasks, {
    exitOnError: false,
    rendererOptions: { ...options, showErrorMessage: false },
    fallbackRendererOptions: options,
  })
  await list.run()
  for (const { title, error } of failures)
    write(`\n${red('✗')} ${bold(title)}\n${details(error)}\n`)
  return failures
}

function requireEqual(actual, expected) {
  if (actual === expected) return
  const [theirs, ours] = [actual, expected].map((text) => String(text).split('\n'))
  let line = 0
  while (ours[line] === theirs[line]) line++
  throw new Failure(
    `The verdicts differ from the native engine's, first in line ${line + 1}.`,
    '',
    `native:  ${ours[line] ?? '(nothing)'}\nruntime: ${theirs[line] ?? '(nothing)'}`,
  )
}

function details(error) {
  const expected = error instanceof Failure
  const parts = expected ? [error.message, error.next, error.output] : [error.stack ?? error]
  const lines = parts.filter(Boolean).join('\n').trimEnd().split('\n')
  return lines.slice(-60).join('\n').replace(/^/gm, '      ')
}
