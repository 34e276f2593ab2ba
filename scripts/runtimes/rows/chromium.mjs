// Chromium without a bundler: on a page, in a worker, and under a policy that
// allows WebAssembly or does not.
import { Failure } from '../../support/cli.mjs'
import { app } from '../apps.mjs'
import { outcomeOf, verdictsOf } from '../page.mjs'
import { serve } from '../server.mjs'

const row = (how, page, read = verdictsOf, check = undefined) => ({
  runtime: 'Chromium',
  how,
  browser: true,
  run: async () => read((await serve(await app('browser'))) + page),
  check,
})

export const chromiumRows = [
  row('<script type=module>', 'index.html'),
  row('Web Worker', 'worker.html'),
  row("CSP with 'wasm-unsafe-eval'", 'allowed.html'),
  row('CSP without it: says what to add', 'forbidden.html', outcomeOf, saysWhatToAdd),
]

function saysWhatToAdd({ verdicts, failure }) {
  if (verdicts !== undefined) throw new Failure('The policy forbids WebAssembly, and it ran.')
  if (!/add 'wasm-unsafe-eval' to its script-src/.test(failure)) {
    throw new Failure(`The error does not say what to add: ${failure}`)
  }
}
