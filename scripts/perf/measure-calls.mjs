// What a call costs, for each size and contestant.
import { callsOf, SIZES } from './calls.mjs'
import { processorTime as clock } from './clock.mjs'
import { contestants } from './contestants.mjs'
import { BASE } from './names.mjs'
import { ratios, repeatsFor, spread, takeTurns } from './statistics.mjs'

const ROUNDS = 31
const WARM_UP = 4
/** Microseconds that one run of a job takes at least. */
const AT_LEAST = 4000

/** @returns One row for each contestant, with a cell for each size. */
export function measureCalls() {
  const rows = []
  for (const size of SIZES) {
    const calls = callsOf(size)
    const bytes = calls.reduce((sum, { text }) => sum + text.length, 0) / calls.length
    for (const [index, cell] of measure(contestants(), calls).entries()) {
      rows[index] ??= { ...cell.who, cells: [] }
      rows[index].cells.push({ ...cell.figures, bytes })
    }
  }
  return rows
}

function measure(field, calls) {
  const alarms = field.map(() => 0)
  const jobs = field.map(({ take }, index) => {
    const once = () => {
      for (const call of calls) if (take(call)) alarms[index]++
    }
    const repeats = repeatsFor(once, { atLeast: AT_LEAST, clock })
    const run = () => {
      for (let done = 0; done < repeats; done++) once()
    }
    return { run, work: repeats * calls.length }
  })
  const times = takeTurns(jobs, { rounds: ROUNDS, warmUp: WARM_UP, clock })
  const base = times[field.findIndex(({ name }) => name === BASE)]
  return field.map(({ take: _, ...who }, index) => ({
    who,
    figures: {
      alarms: alarms[index],
      nanoseconds: spread(times[index]),
      ratio: ratios(times[index], base),
    },
  }))
}
