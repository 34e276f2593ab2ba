// The fuzzers that run through the built package, and the property tests against naive detectors.
import fc from 'fast-check'
import { buildNative, compareNative, makeRuns } from '../../tests/fuzz/differential.mjs'
import { facadeProperty } from '../../tests/fuzz/facade.mjs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { capture } from '../support/process.mjs'

const built = () => import(inRoot('pkg/dist/index.js'))

export async function fuzzFacade(milliseconds, seed) {
  const details = fc.check(facadeProperty(await built()), {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  })
  if (details.failed) {
    throw new Failure(
      'The façade did something it must not.',
      'Put the counterexample into tests/js.',
      fc.defaultReportMessage(details),
    )
  }
  return { inputs: details.numRuns, what: 'lists of calls' }
}

export async function fuzzNative(milliseconds, seed) {
  const library = await built()
  await buildNative()
  const end = Date.now() + milliseconds
  let inputs = 0
  for (let round = 0; inputs === 0 || Date.now() < end; round++) {
    try {
      inputs += await compareNative(library, makeRuns(seed + round, 100, 300))
    } catch (error) {
      const next = `\`npm run fuzz -- --only native --seed ${seed + round}\` begins with it.`
      throw new Failure('The native engine and the published one differ.', next, error.message)
    }
  }
  return { inputs, what: 'answers' }
}

/** Each run of the property tests tries other streams. */
export async function fuzzOracle(milliseconds) {
  const end = Date.now() + milliseconds
  let inputs = 0
  do {
    const args = ['test', '--quiet', '--test', 'detectors_equal_naive_ones']
    const { code, output } = await capture('cargo', args)
    if (code !== 0) {
      const next = 'The stream is above, and kept in tests/rust: `cargo test` replays it.'
      throw new Failure('The engine and its naive twin differ.', next, output.slice(-8000))
    }
    inputs += Number(/(\d+) passed/.exec(output)?.[1] ?? 0)
  } while (Date.now() < end)
  return { inputs, what: 'properties (thousands of streams each)' }
}
