// Formatters, linters and type checkers. The types of the façade come out of
// the build, so it is brought up to date first.
import { buildAll } from './build/all.mjs'
import { main } from './support/failure.mjs'
import { runSteps } from './support/steps.mjs'
import { check } from './support/suites.mjs'

await main(async () => {
  await buildAll()
  await runSteps(check)
})
