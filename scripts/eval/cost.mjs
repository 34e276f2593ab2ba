// What looking at results costs: the default preset against `nudge`, on real calls and results.
import { Failure, writeError } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { capture } from '../support/process.mjs'

/** In a process of its own: nothing else must use its processor time. */
export async function measureCost(folder) {
  writeError('Measuring the cost of a call.\n')
  const { code, output } = await capture(process.execPath, [
    inRoot('scripts/eval/cost-process.mjs'),
    folder,
  ])
  if (code !== 0) throw new Failure('The cost could not be measured.', undefined, output)
  return JSON.parse(output)
}
