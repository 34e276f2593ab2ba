// The engine without JavaScript around it, timed by criterion.
import { readFileSync } from 'node:fs'
import { Failure } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { capture } from '../support/process.mjs'
import { nativeJobs, writeJobs } from './jobs.mjs'

const TARGET = 'target/perf-native'

/** @returns {Promise<Record<string, { median: number, low: number, high: number }>>} Nanoseconds a call. */
export async function measureNative() {
  const jobs = nativeJobs()
  const args = [
    ...['bench', '--package', 'loophound-bench', '--bench', 'engine'],
    ...['--target-dir', TARGET, '--', '--noplot'],
  ]
  const result = await capture('cargo', args, {
    env: { ...writeJobs(jobs), CRITERION_HOME: inRoot(TARGET, 'criterion') },
  })
  if (result?.code !== 0) {
    throw new Failure('The native benchmark failed.', 'Its output is above.', result?.output)
  }
  return Object.fromEntries(jobs.map(({ name, steps }) => [name, estimate(name, steps.length)]))
}

/** What criterion wrote about a job: the median, and how sure it is of it. */
function estimate(name, calls) {
  const folder = `${TARGET}/criterion/engine/${name.replaceAll('/', '-')}/new`
  const { median } = JSON.parse(readFileSync(inRoot(folder, 'estimates.json'), 'utf8'))
  const { lower_bound: low, upper_bound: high } = median.confidence_interval
  return { median: median.point_estimate / calls, low: low / calls, high: high / calls }
}
