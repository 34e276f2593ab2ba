// The goals of docs/performance.md. The worst size decides.
import { readFileSync } from 'node:fs'
import { inRoot } from '../scripts/support/files.mjs'
import { BASE, REFERENCE } from './contestants.mjs'
import { median } from './statistics.mjs'
import { short, table } from './tables.mjs'

/** The presets that do what a peer does: compare calls, without looking at results. */
const LIKE_PEERS = ['guard', 'window', 'nudge', 'cycles']

/** Ratios differ by this much between runs. Applies to "no slower than", not to "faster than". */
const TOLERANCE = 1.05

/**
 * @typedef {{ goal: string, where: string, limit: number, measured: number, unit?: string,
 *   strict?: boolean }} Goal
 */

/** @param {Pick<Goal, 'limit' | 'measured' | 'unit' | 'strict'>} goal */
export function isMet({ limit, measured, unit, strict }) {
  if (strict) return measured < limit
  return measured <= (unit ? limit : limit * TOLERANCE)
}

/**
 * Returns the goals that the measured parts decide.
 *
 * @param {import('./run.mjs').Figures} figures
 * @returns {Goal[]}
 */
export function goalsOf({ calls, other, starts, length, crowds }) {
  return [
    ...(calls ? callGoals(calls.Node) : []),
    ...Object.entries(starts ?? {}).map(([runtime, runs]) => ({
      goal: 'CPU time of the first detector',
      where: runtime,
      limit: 15,
      unit: 'ms',
      measured: median(runs.map(([, created]) => created)) / 1000,
    })),
    ...(length ? [growthGoal('10,000,000 calls against 1,000', length)] : []),
    ...(crowds ? [growthGoal('10,000 detectors against 1', crowds)] : []),
    ...(other ? [restoreGoal(other)] : []),
  ]
}

/** @returns {Goal[]} */
function callGoals(rows) {
  const times = (row) => row.cells.map(({ nanoseconds }) => nanoseconds.median)
  const ours = rows.filter((row) => row.ours && row.kind === undefined)
  const stringify = times(rows.find(({ name }) => name === BASE))
  const peers = rows.filter(({ kind }) => kind === 'peer').map(times)
  const sizes = rows[0].cells.map(({ bytes }) => bytes)
  const fastest = sizes.map((_, size) => Math.min(...peers.map((peer) => peer[size])))
  const slowest = sizes.map((_, size) => Math.max(...peers.map((peer) => peer[size])))
  const upTo1KB = slowest.filter((_, size) => sizes[size] < 1100)
  const stringPlus = ({ ours: { preset } }) => {
    const string = ours.find((row) => row.ours.preset === preset && row.ours.form === 'string')
    return times(string).map((value, size) => value + stringify[size])
  }
  const baseline = baselineOf(rows, times(rows.find(({ name }) => name === REFERENCE)))

  /** @returns {Goal} */
  const against = (goal, row, limits, strict = false) => {
    const mine = times(row)
    const measured = Math.max(...limits.map((limit, size) => mine[size] / limit))
    return { goal, where: `\`${row.ours.preset}\`, ${row.ours.form}s`, limit: 1, measured, strict }
  }
  const likePeers = ours.filter((row) => LIKE_PEERS.includes(row.ours.preset))
  const others = ours.filter((row) => !likePeers.includes(row))
  const strings = ours.filter((row) => row.ours.form === 'string')
  const objects = ours.filter((row) => row.ours.form === 'object')
  return [
    ...likePeers.map((row) => against('faster than both peers', row, fastest, true)),
    ...others.map((row) => against('as fast as the slower peer, up to 1 KB', row, upTo1KB)),
    ...strings.map((row) => against('no slower than the baseline', row, baseline(row))),
    ...objects.map((row) =>
      against('no slower than `JSON.stringify` + string', row, stringPlus(row)),
    ),
  ]
}

/**
 * Returns the baseline's times for a preset: measured in the same run if another build was given,
 * else the committed multiples of the reference.
 */
function baselineOf(rows, reference) {
  const recorded = JSON.parse(readFileSync(inRoot('bench/baseline.json'), 'utf8'))
  return ({ ours: { preset } }) => {
    const row = rows.find(({ ours, kind }) => kind === 'baseline' && ours.preset === preset)
    if (row) return row.cells.map(({ nanoseconds }) => nanoseconds.median)
    return recorded[preset].map((ratio, size) => ratio * reference[size])
  }
}

/** @returns {Goal} */
const growthGoal = (where, rows) => ({
  goal: 'no growth',
  where,
  limit: 1,
  measured: rows.at(-1).ratio.median,
})

/** @returns {Goal} */
function restoreGoal({ rows }) {
  const { calls } = rows.find(({ name }) => name === 'restoreFrom()')
  return {
    goal: 'restoring a snapshot',
    where: '`balanced`, 256 calls',
    limit: 50,
    unit: 'calls',
    measured: calls,
  }
}

/** One line for each goal: met or missed. */
export function goalsTable(goals) {
  const rows = goals.map((goal) => {
    const unit = goal.unit ? ` ${goal.unit}` : ''
    return [
      goal.goal,
      goal.where,
      `${goal.strict ? '<' : '≤'} ${goal.limit}${unit}`,
      `${short(goal.measured)}${unit}`,
      isMet(goal) ? 'met' : '**missed**',
    ]
  })
  const met = goals.filter(isMet).length
  const header = ['goal', 'where', 'limit', 'worst', '']
  return `${table(header, rows, ['l', 'l', 'r', 'r', 'l'])}\n\n${met} of ${goals.length} goals are met.`
}
