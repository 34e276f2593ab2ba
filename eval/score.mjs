/**
 * Scores the alarms of one policy against what the sessions are known to be.
 *
 * @typedef {import('./replay.mjs').Alarm} Alarm
 * @typedef {{ expect: 'loop' | 'work' | null, spans: readonly { from: number, to: number,
 *   kind: string }[], calls: number, alarms: readonly Alarm[] }} Run A session as one policy saw it.
 *
 * @typedef {'hit' | 'miss' | 'false alarm' | 'quiet' | 'not scored'} Result
 */

/** What an alarm does to the agent; each includes the more severe ones. */
export const ACTIONS = { alarm: 1, block: 2, stop: 3 }
const HARDNESS = { nudge: ACTIONS.alarm, block: ACTIONS.block, stop: ACTIONS.stop }

const COUNTERS = { hit: 'hits', miss: 'misses', 'false alarm': 'falseAlarms', quiet: 'quiet' }

/** Of a normal distribution, the share within this many deviations is 95 %. */
const Z95 = 1.959964

/** An alarm counts up to one call after the stretch. */
const isWithin = ({ call }, { from, to }) => call >= from && call <= to + 1

const isBefore = ({ call }, spans) => spans.every(({ from }) => call < from)

/** Keep only the alarms that are at least as severe as `alarm`, `block` or `stop`. */
export function atLeast(action, run) {
  return { ...run, alarms: run.alarms.filter((alarm) => HARDNESS[alarm.action] >= ACTIONS[action]) }
}

/**
 * Return the result of one session, by its first alarm.
 *
 * The corpus' README says in words that an alarm inside a loop is a hit, whatever came before it.
 * Its baselines can only be reproduced by going by the first alarm: before every stuck stretch it is
 * false, and the session is then not a missed loop as well. This function follows the baselines,
 * `resultByWords` the words.
 *
 * @param {Run} run
 * @returns {{ result: Result, alarm?: Alarm, delay?: number }}
 */
export function resultOf({ expect, spans, alarms }) {
  const [alarm] = alarms
  if (expect === null) return { result: 'not scored', alarm }
  if (expect === 'work') return alarm ? { result: 'false alarm', alarm } : { result: 'quiet' }
  if (alarm && isBefore(alarm, spans)) return { result: 'false alarm', alarm }
  return hitOf(spans, alarms) ?? { result: 'miss', alarm }
}

/** Return the result of one session, by the wording of the corpus' README. */
export function resultByWords(run) {
  const { expect, spans, alarms } = run
  if (expect !== 'loop') return resultOf(run)
  const isFalse = alarms.length > 0 && alarms.every((alarm) => isBefore(alarm, spans))
  return hitOf(spans, alarms) ?? { result: isFalse ? 'false alarm' : 'miss', alarm: alarms[0] }
}

function hitOf(spans, alarms) {
  for (const alarm of alarms) {
    const span = spans.find((candidate) => isWithin(alarm, candidate))
    if (span) return { result: 'hit', alarm, delay: alarm.call - span.from }
  }
  return null
}

/**
 * Score sessions: each counts once.
 *
 * @param {readonly Run[]} runs
 */
export function score(runs) {
  const { delays, ...counts } = countOutcomes(runs, resultOf)
  const { hits, misses, falseAlarms } = counts
  return {
    ...rates(hits, hits + falseAlarms, hits + misses),
    ...counts,
    precisions: precisions(runs),
    delay: { median: quantile(delays, 0.5), p90: quantile(delays, 0.9) },
    saved: savedShare(runs),
  }
}

/** Score sessions by the wording of the corpus' README. */
export function scoreByWords(runs) {
  const { hits, misses, falseAlarms, early } = countOutcomes(runs, resultByWords)
  return rates(hits, hits + falseAlarms, hits + misses + early)
}

function countOutcomes(runs, judge) {
  const counts = { hits: 0, misses: 0, falseAlarms: 0, early: 0, quiet: 0, delays: [] }
  for (const run of runs) {
    const { result, delay } = judge(run)
    if (result === 'not scored') continue
    counts[COUNTERS[result]] += 1
    if (result === 'hit') counts.delays.push(delay)
    if (result === 'false alarm' && run.expect === 'loop') counts.early += 1
  }
  return counts
}

/** Of the sessions with an alarm (a block, a stop), the share in which it is inside a loop. */
function precisions(runs) {
  const of = (action) => {
    const { hits, falseAlarms } = countOutcomes(
      runs.map((run) => atLeast(action, run)),
      resultOf,
    )
    return share(hits, hits + falseAlarms)
  }
  return Object.fromEntries(Object.keys(ACTIONS).map((action) => [action, of(action)]))
}

/** How many of these sessions are alarmed, and how many of them blocked and stopped. */
export function reached(runs) {
  const count = (action) => runs.filter((run) => atLeast(action, run).alarms.length > 0).length
  return {
    sessions: runs.length,
    ...{ alarmed: count('alarm'), blocked: count('block'), stopped: count('stop') },
  }
}

/**
 * Count false alarms on the sessions that are known to be work: sessions that have one, for each
 * 1,000 calls, with a 95 % interval.
 */
export function falseAlarms(runs) {
  const healthy = runs.filter(({ expect }) => expect === 'work')
  const calls = healthy.reduce((sum, run) => sum + run.calls, 0)
  const counts = reached(healthy)
  const { low, high } = wilson(counts.alarmed, calls)
  const perThousand = (value) => (value === null ? null : 1000 * value)
  return {
    ...{ ...counts, calls, rate: perThousand(share(counts.alarmed, calls)) },
    ...{ low: perThousand(low), high: perThousand(high) },
  }
}

/** For each kind of loop, how many stretches have an alarm inside, whatever came before. */
export function recallByKind(runs) {
  const kinds = {}
  for (const { expect, spans, alarms } of runs) {
    for (const span of expect === 'loop' ? spans : []) {
      kinds[span.kind] ??= { caught: 0, total: 0 }
      kinds[span.kind].total += 1
      if (alarms.some((alarm) => isWithin(alarm, span))) kinds[span.kind].caught += 1
    }
  }
  return kinds
}

/** The share of calls inside stuck stretches that come after the first alarm of their session. */
function savedShare(runs) {
  let inside = 0
  let saved = 0
  for (const { expect, spans, calls, alarms } of runs) {
    if (expect !== 'loop') continue
    const first = alarms[0]?.call ?? Number.POSITIVE_INFINITY
    for (let call = 0; call < calls; call++) {
      if (!spans.some(({ from, to }) => call >= from && call <= to)) continue
      inside += 1
      if (call > first) saved += 1
    }
  }
  return share(saved, inside)
}

/** Precision, recall and F1 from counts; null where there is nothing to divide by. */
function rates(hits, alarmed, stuck) {
  const precision = share(hits, alarmed)
  const recall = share(hits, stuck)
  const f1 = precision === null || recall === null ? null : share(2 * hits, alarmed + stuck)
  return { precision, recall, f1 }
}

const share = (part, whole) => (whole === 0 ? null : part / whole)

/**
 * Return the Wilson score interval of a proportion, which stays sensible if few or none
 * were seen.
 *
 * @returns {{ low: number | null, high: number | null }} Shares from 0 to 1.
 */
export function wilson(seen, total, z = Z95) {
  if (total === 0) return { low: null, high: null }
  const p = seen / total
  const square = z ** 2 / total
  const middle = p + square / 2
  const reach = z * Math.sqrt((p * (1 - p)) / total + square / (4 * total))
  const at = (value) => Math.min(1, Math.max(0, value / (1 + square)))
  // Rounding must not leave more than zero if nothing was seen.
  return { low: seen === 0 ? 0 : at(middle - reach), high: seen === total ? 1 : at(middle + reach) }
}

/** Interpolate linearly between the two nearest values. */
export function quantile(values, at) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * at
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  return below + (above - below) * (position - Math.floor(position))
}
