// Scores one policy on labelled trajectories, as the corpus' README says.
//
// Its words and its baselines differ in one point: when a policy speaks before every stuck stretch
// and again inside one. By the words that is a hit. The baselines can only be reproduced by going by
// the first alarm: it is false, and the run then does not count as a missed loop as well. `score`
// follows the baselines, `scoreByWords` the words.

/** @typedef {{ label: object, calls: number, alarms: readonly { call: number }[] }} Run */

const COUNTED_AS = {
  hit: 'hits',
  miss: 'misses',
  'false alarm': 'falseAlarms',
  quiet: 'quiet',
}

const isWithin = ({ call }, { from, to }) => call >= from && call <= to + 1

/** An alarm before every stuck stretch of a run; in a run without one, any alarm. */
export const isEarly = ({ call }, { spans }) => spans.every(({ from }) => call < from)

/**
 * What became of one run.
 *
 * @param {Run} run
 * @returns {{ outcome: 'hit' | 'miss' | 'false alarm' | 'quiet', alarm?: object, delay?: number }}
 */
export function outcomeOf({ label, alarms }) {
  const [first] = alarms
  if (!label.stuck) return first ? { outcome: 'false alarm', alarm: first } : { outcome: 'quiet' }
  if (first && isEarly(first, label)) return { outcome: 'false alarm', alarm: first }
  return hitOf(label, alarms) ?? { outcome: 'miss', alarm: first }
}

/** The same by the words of the README. */
export function outcomeByWords({ label, alarms }) {
  if (!label.stuck) return outcomeOf({ label, alarms })
  const hit = hitOf(label, alarms)
  if (hit) return hit
  const isFalse = alarms.length > 0 && alarms.every((alarm) => isEarly(alarm, label))
  return { outcome: isFalse ? 'false alarm' : 'miss', alarm: alarms[0] }
}

function hitOf({ spans }, alarms) {
  for (const alarm of alarms) {
    const span = spans.find((candidate) => isWithin(alarm, candidate))
    if (span) return { outcome: 'hit', alarm, delay: alarm.call - span.from }
  }
  return null
}

/** Borderline labels are for reading, not for scoring. */
export const scored = (runs) => runs.filter(({ label }) => label && !label.borderline)

/** @param {readonly Run[]} runs */
export function score(runs) {
  const { hits, misses, falseAlarms, early, quiet, delays } = tallyOf(runs, outcomeOf)
  return {
    ...rates(hits, hits + falseAlarms, hits + misses),
    ...{ hits, misses, falseAlarms, early, quiet },
    delay: { median: quantile(delays, 0.5), p90: quantile(delays, 0.9) },
    saved: savedShare(scored(runs)),
  }
}

/** @param {readonly Run[]} runs */
export function scoreByWords(runs) {
  const { hits, misses, falseAlarms, early } = tallyOf(runs, outcomeByWords)
  return rates(hits, hits + falseAlarms, hits + misses + early)
}

function tallyOf(runs, judge) {
  const tally = { hits: 0, misses: 0, falseAlarms: 0, early: 0, quiet: 0, delays: [] }
  for (const run of scored(runs)) {
    const { outcome, delay } = judge(run)
    tally[COUNTED_AS[outcome]] += 1
    if (outcome === 'hit') tally.delays.push(delay)
    if (outcome === 'false alarm' && run.label.stuck) tally.early += 1
  }
  return tally
}

/** The share of calls inside stuck stretches that come after the first alarm of their run. */
function savedShare(runs) {
  let inside = 0
  let saved = 0
  for (const { label, calls, alarms } of runs) {
    const first = alarms[0]?.call ?? Number.POSITIVE_INFINITY
    for (let call = 0; call < calls; call++) {
      if (!label.spans.some(({ from, to }) => call >= from && call <= to)) continue
      inside += 1
      if (call > first) saved += 1
    }
  }
  return share(saved, inside)
}

/** Runs with an alarm among those that are not labelled stuck, for each 1,000 calls of these. */
export function falseAlarmRate(runs) {
  const sound = runs.filter(({ label }) => !label?.stuck)
  const alarmed = sound.filter(({ alarms }) => alarms.length > 0).length
  const calls = sound.reduce((sum, run) => sum + run.calls, 0)
  return { alarmed, calls, rate: calls === 0 ? null : (1000 * alarmed) / calls }
}

/** For each kind of loop, how many stretches have an alarm in them, early ones before it or not. */
export function recallByKind(runs) {
  const kinds = {}
  for (const { label, alarms } of scored(runs)) {
    for (const span of label.spans) {
      kinds[span.kind] ??= { caught: 0, total: 0 }
      kinds[span.kind].total += 1
      if (alarms.some((alarm) => isWithin(alarm, span))) kinds[span.kind].caught += 1
    }
  }
  return kinds
}

/** Precision, recall and F1 from counts. */
export function rates(hits, alarmed, stuck) {
  const precision = share(hits, alarmed)
  const recall = share(hits, stuck)
  const f1 = precision === null || recall === null ? null : share(2 * hits, alarmed + stuck)
  return { precision, recall, f1 }
}

const share = (part, whole) => (whole === 0 ? null : part / whole)

/** By linear interpolation between the two nearest values. */
export function quantile(values, at) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * at
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  return below + (above - below) * (position - Math.floor(position))
}
