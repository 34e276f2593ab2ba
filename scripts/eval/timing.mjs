// Compares how much processor time two jobs take. They take turns, so that whatever else the machine
// does falls on both, and each pair gives one ratio.
import { quantile } from './score.mjs'

/** Rounds until what is compiled while it runs is compiled. */
const WARM_UP = 3

/**
 * @param {() => void} job
 * @param {() => void} other What it is compared with.
 * @param {{ rounds: number, clock?: () => number }} how The clock gives microseconds.
 * @returns {{ job: number, other: number, ratio: { median: number, low: number, high: number } }}
 *   Microseconds for each, the medians; the ratio's quartiles.
 */
export function compare(job, other, { rounds, clock = processorTime }) {
  const timed = (work) => {
    const started = clock()
    work()
    return clock() - started
  }
  const pairs = []
  for (let round = -WARM_UP; round < rounds; round++) {
    // Neither is always the first.
    const isTurned = round % 2 === 0
    const first = timed(isTurned ? other : job)
    const second = timed(isTurned ? job : other)
    if (round >= 0) pairs.push(isTurned ? [second, first] : [first, second])
  }
  const ratios = pairs.map(([mine, theirs]) => mine / theirs)
  return {
    job: quantile(
      pairs.map(([mine]) => mine),
      0.5,
    ),
    other: quantile(
      pairs.map(([, theirs]) => theirs),
      0.5,
    ),
    ratio: {
      median: quantile(ratios, 0.5),
      ...{ low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) },
    },
  }
}

/** Of this process, all its threads, in microseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}
