// Runs the core's unit tests under Miri, which notices undefined behaviour. Miri is a few hundred
// times slower, so property tests and tests of long inputs are left to the other commands.
import { readdirSync, readFileSync } from 'node:fs'
import { installMiri } from './setup/rust.mjs'
import { Failure, main } from './support/cli.mjs'
import { inRoot } from './support/files.mjs'
import { show } from './support/process.mjs'

await main(async () => {
  installMiri()
  const skipped = slowTests().flatMap((name) => ['--skip', name])
  const args = ['+nightly', 'miri', 'test', '--lib', '--', ...skipped, ...process.argv.slice(2)]
  const env = { MIRIFLAGS: '-Zmiri-disable-isolation' }
  if ((await show('cargo', args, { env })) !== 0) throw new Failure('Miri found something.')
})

/** Known by their form: `fn name(input in strategy)`, or a number of four digits or more. */
function slowTests() {
  const files = readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.rs'))
    .flatMap((name) => {
      const [, ...tests] = readFileSync(inRoot('src', name), 'utf8').split('#[test]')
      const slow = tests.filter((text) => /fn \w+\(\s*\w+ in |\d_\d{3}|\(\d{4,}\)/.test(text))
      return slow.flatMap((text) => /fn (\w+)/.exec(text)?.[1] ?? [])
    })
}
