// Medians, their spread, and jobs that take turns.

/** The value below which that share of the values lies, between neighbours in proportion. */
export function quantile(values, share) {
  if (values.length === 0) throw new RangeError('there is no quantile of nothing')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = Math.floor(at)
  const high = Math.ceil(at)
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
}

export const median = (values) => quantile(values, 0.5)

/** The median and the two quartiles: half of all rounds lie between them. */
export function spread(values) {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share))
  return { median: middle, low, high }
}

/** Ratios of the same round: what else the machine did then fell on both. */
export const ratios = (mine, theirs) => spread(mine.map((time, round) => time / theirs[round]))

/**
 * Each round runs every job once, and begins with another one, so that none always follows the same
 * neighbour.
 *
 * @param {{ run: () => void, work: number }[]} jobs `work` is how many units one run does.
 * @param {{ rounds: number, warmUp: number, clock: () => number }} how The clock gives microseconds.
 * @returns {number[][]} For each job and round, nanoseconds a unit.
 */
export function takeTurns(jobs, { rounds, warmUp, clock }) {
  const times = jobs.map(() => [])
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
 * Repeats a job until one run of it takes so long that the clock's step does not show.
 *
 * @param {() => void} once
 * @param {{ atLeast: number, clock: () => number }} how Both in microseconds.
 * @returns {number} How often.
 */
export function repeatsFor(once, { atLeast, clock }) {
  for (let repeats = 1; ; repeats *= 2) {
    const started = clock()
    for (let done = 0; done < repeats; done++) once()
    const took = clock() - started
    // By then it is compiled; what it takes now tells how many are enough.
    if (took >= atLeast) return Math.max(1, Math.ceil((repeats * atLeast) / took))
  }
}
