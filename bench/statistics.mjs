// Medians, quartiles, and jobs that are timed in turn.
//
// Benchmark libraries run one job to its end before the next. Here all jobs run once in each round,
// so that whatever else the machine does affects them alike and each round gives a ratio.
import process from 'node:process'

/** @typedef {{ median: number, low: number, high: number }} Spread The median and both quartiles. */

/**
 * Returns the value that this share of the values is below, interpolated between neighbours.
 *
 * @param {readonly number[]} values
 * @param {number} share
 */
function quantile(values, share) {
  if (values.length === 0) throw new RangeError('no values to take a quantile of')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values) => quantile(values, 0.5)

/** @returns {Spread} */
export const spread = (values) => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
})

/** Returns the spread of the ratios within each round. */
export const ratios = (mine, theirs) => spread(mine.map((time, round) => time / theirs[round]))

/** Returns the processor time of this process and all its threads, in microseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Times jobs in turn. Each round runs every job once and starts with a different one, so that no job
 * always follows the same neighbour.
 *
 * @param {readonly { run: () => void, work: number }[]} jobs `work` is the number of units in one run.
 * @param {{ rounds: number, warmUp: number, clock?: () => number }} options
 * @returns {number[][]} Nanoseconds per unit, for each job and round.
 */
export function takeTurns(jobs, { rounds, warmUp, clock = processorTime }) {
  const times = jobs.map(() => /** @type {number[]} */ ([]))
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < jobs.length; turn++) {
      const index = (turn + round + warmUp) % jobs.length
      const { run, work } = jobs[index]
      const started = clock()
      run()
      const took = clock() - started
      if (round >= 0) times[index].push((took * 1000) / work)
    }
  }
  return times
}

/**
 * Makes a job that repeats short work until one run takes long enough for the clock.
 *
 * @param {() => void} once
 * @param {number} units The number of units that `once` does.
 * @param {{ atLeast?: number, clock?: () => number }} [options] Microseconds.
 */
export function repeated(once, units, { atLeast = 4000, clock = processorTime } = {}) {
  const repeat = (count) => {
    for (let done = 0; done < count; done++) once()
  }
  let count = 1
  let took = 0
  for (; took < atLeast; count *= 2) {
    const started = clock()
    repeat(count)
    took = clock() - started
  }
  const enough = Math.max(1, Math.ceil(((count / 2) * atLeast) / took))
  return { run: () => repeat(enough), work: enough * units }
}

/**
 * Times work in turn and compares each with the first.
 *
 * @param {readonly (() => void)[]} field
 * @param {number} units The number of units that one run of each does.
 * @returns {{ nanoseconds: Spread, ratio: Spread }[]}
 */
export function compare(field, units) {
  const jobs = field.map((once) => repeated(once, units))
  const times = takeTurns(jobs, { rounds: 31, warmUp: 4 })
  return times.map((own) => ({ nanoseconds: spread(own), ratio: ratios(own, times[0]) }))
}
