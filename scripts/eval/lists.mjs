// What to look at: the loops that a policy misses, and its false alarms.
import { bold, dim, write } from '../support/cli.mjs'
import { STRONG } from './corpus.mjs'
import { runsOf } from './figures.mjs'
import { outcomeOf, scored } from './score.mjs'

export function listMisses({ labels }, judged, { policies }) {
  for (const { id: policy } of policies) {
    const runs = scored(runsOf(policy, judged, labels))
    const missed = runs.filter((run) => outcomeOf(run).outcome === 'miss')
    heading(`${missed.length} loops that ${policy} does not see in time`)
    for (const run of missed) entry(run, policy)
  }
}

export function listAlarms({ labels }, judged, { policies }) {
  for (const { id: policy } of policies) {
    const runs = runsOf(policy, judged, labels)
    const alarmed = runs.filter(isFalselyAlarmed)
    heading(`${alarmed.length} runs in which ${policy} gives a false alarm`)
    for (const run of alarmed) entry(run, policy)
  }
}

/** By its label, or because it is a strong model's and nobody labelled it stuck. */
function isFalselyAlarmed(run) {
  if (scored([run]).length > 0) return outcomeOf(run).outcome === 'false alarm'
  return STRONG.includes(run.source) && !run.label?.stuck && run.alarms.length > 0
}

function heading(text) {
  write(`\n${bold(text)}\n`)
}

function entry({ id, calls, label, alarms }, policy) {
  const spans = (label?.spans ?? []).map(({ from, to, kind }) => `${kind} ${from}–${to}`)
  const place = spans.length > 0 ? `stuck: ${spans.join(', ')}` : 'not stuck'
  const borderline = label?.borderline ? ', borderline' : ''
  write(`\n${bold(id)} ${dim(`${calls} calls`)}\n`)
  write(`  label   ${label ? `${place}${borderline}: ${label.reason}` : 'none'}\n`)
  write(`  alarms  ${alarms.length === 0 ? 'none' : placesOf(alarms)}\n`)
  write(`  ${dim(`npm run eval -- --show ${id} --only ${policy}`)}\n`)
}

/** "exact-repeat at call 3, 4; cycle at call 9" */
function placesOf(alarms) {
  const places = new Map()
  for (const { kind, call } of alarms) places.set(kind, [...(places.get(kind) ?? []), call])
  return [...places]
    .map(([kind, calls]) => `${kind} at call ${shortened([...new Set(calls)])}`)
    .join('; ')
}

function shortened(calls) {
  const shown = calls.slice(0, 8).join(', ')
  return calls.length > 8 ? `${shown} and ${calls.length - 8} more` : shown
}
