// What was aimed at, beside what was measured: the worst figure decides.
import { STRINGIFY_AND_MAP } from './names.mjs'
import { shortly, table } from './tables.mjs'

const worst = (values) => Math.max(...values)

/** For each size: ours as a multiple of another contestant. */
function against(mine, theirs) {
  return mine.cells.map(
    (cell, index) => cell.nanoseconds.median / theirs.cells[index].nanoseconds.median,
  )
}

/** @returns {{ goal: string, where: string, limit: number, measured: number }[]} */
export function goals({ calls, answers, length, crowds }) {
  const found = []
  for (const [runtime, rows] of Object.entries(calls)) {
    const named = (name) => rows.find((row) => row.name === name)
    for (const mine of rows.filter(({ ours }) => ours)) {
      const where = `${runtime}, \`${mine.ours.preset}\`, ${mine.ours.form}`
      if (runtime === 'Node') {
        const limit = mine.ours.form === 'string' ? 0.5 : 1.5
        const measured = worst(mine.cells.map(({ ratio }) => ratio.median))
        found.push({
          goal: `${mine.ours.form}s against \`JSON.stringify\``,
          where,
          limit,
          measured,
        })
        for (const peer of rows.filter(({ isPeer }) => isPeer)) {
          const measured = worst(against(mine, peer))
          found.push({ goal: `against ${peer.name}`, where, limit: 1, measured })
        }
      } else {
        const measured = worst(against(mine, named(STRINGIFY_AND_MAP)))
        found.push({ goal: 'against `stringify + Map`', where, limit: 1, measured })
      }
    }
  }
  const balanced = answers.find(({ name }) => name === 'balanced')
  const ratio = worst(balanced.cells.map((cell) => cell.ratio.median))
  found.push({
    goal: '`balanced` against `nudge`',
    where: 'Node, calls and results',
    limit: 1.5,
    measured: ratio,
  })
  for (const [where, { rows }] of [
    ['Node, ten million calls', length],
    ['Node, ten thousand detectors', crowds],
  ]) {
    found.push({ goal: 'growth', where, limit: 1, measured: rows.at(-1).ratio.median })
  }
  return found
}

/** A ratio within a twentieth of its goal meets it: medians differ by that much between runs. */
const TOLERANCE = 1.05

export const isMet = ({ limit, measured }) => measured <= limit * TOLERANCE

export function goalsTable(found) {
  const rows = found.map((goal) => [
    goal.goal,
    goal.where,
    `≤ ${shortly(goal.limit)}`,
    shortly(goal.measured),
    isMet(goal) ? 'met' : `missed ${shortly(goal.measured / goal.limit)}×`,
  ])
  const met = found.filter(isMet).length
  const count = `${met} of ${found.length} are met.`
  return `${table(['goal', 'where', 'at most', 'at the worst size', ''], rows)}\n\n${count}`
}
