// Everything that is checked; with `rust` or `js`, only that part.
import { buildAll } from './build/all.mjs'
import { Failure, main } from './support/failure.mjs'
import { runSteps } from './support/steps.mjs'
import { check, js, rust } from './support/suites.mjs'

const SUITES = { rust, js }

await main(async () => {
  const [part] = process.argv.slice(2)
  if (part && !SUITES[part]) {
    throw new Failure(`There is no part "${part}"; there are: ${Object.keys(SUITES).join(', ')}.`)
  }
  await buildAll()
  await runSteps(part ? SUITES[part] : [...check, ...rust, ...js])
})
