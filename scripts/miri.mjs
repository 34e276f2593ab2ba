// The core's unit tests under Miri, which notices undefined behaviour. Property tests, which try
// thousands of inputs, and tests of long ones are left to the other commands: Miri is a few hundred times slower.
import { readdirSync, readFileSync } from 'node:fs'
import { needMiri } from './reliability/tools.mjs'
import { Failure, main } from './support/failure.mjs'
import { inRoot } from './support/paths.mjs'
import { show } from './support/process.mjs'

await main(async () => {
  await needMiri()
  const skipped = slowTests().flatMap((name) => ['--skip', name])
  const args = ['+nightly', 'miri', 'test', '--lib', '--', ...skipped, ...process.argv.slice(2)]
  const env = { MIRIFLAGS: '-Zmiri-disable-isolation' }
  if ((await show('cargo', args, { env })) !== 0) throw new Failure('Miri found something.')
})

/** Known by their form: `fn name(input in strategy)`, or a figure of four digits and more. */
function slowTests() {
  const files = readdirSync(inRoot('src'), { recursive: true }).filter((name) => /\.rs$/.test(name))
  return files.flatMap((name) => {
    const [, ...tests] = readFileSync(inRoot('src', name), 'utf8').split('#[test]')
    const slow = tests.filter((text) => /fn \w+\(\s*\w+ in |\d_000|\(\d{4,}\)/.test(text))
    return slow.map((text) => /fn (\w+)/.exec(text)[1])
  })
}
