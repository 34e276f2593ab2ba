// The core's unit tests under Miri, which notices undefined behaviour. Property tests are left to the
// other commands: Miri is a few hundred times slower.
import { needMiri } from './reliability/tools.mjs'
import { Failure, main } from './support/failure.mjs'
import { show } from './support/process.mjs'

await main(async () => {
  await needMiri()
  const env = { MIRIFLAGS: '-Zmiri-disable-isolation', PROPTEST_CASES: '1' }
  const filter = process.argv.slice(2)
  const skipped = ['proptests', 'linear', 'megabyte'].flatMap((name) => ['--skip', name])
  const args = ['+nightly', 'miri', 'test', '--lib', '--', ...skipped, ...filter]
  if ((await show('cargo', args, { env })) !== 0) throw new Failure('Miri found something.')
})
