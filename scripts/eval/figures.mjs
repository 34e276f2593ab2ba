// All figures of all policies.
import { STRONG } from './corpus.mjs'
import { falseAlarmRate, recallByKind, score, scoreByWords, scored } from './score.mjs'

/**
 * @param {{ labels: Map<string, object> }} corpus
 * @param {readonly object[]} judged What `judgeAll` gives.
 * @param {readonly object[]} policies
 */
export function evaluate({ labels }, judged, policies) {
  const rows = policies.map(({ id, group }) => ({
    ...{ id, group },
    ...figuresOf(runsOf(id, judged, labels)),
  }))
  const labelled = scored(judged.map(({ id }) => ({ label: labels.get(id) })))
  const stuck = labelled.filter(({ label }) => label.stuck).length
  return { labelled: labelled.length, stuck, trajectories: judged.length, policies: rows }
}

/** The runs as one policy saw them. */
export function runsOf(policy, judged, labels) {
  return judged.map(({ id, source, calls, alarms }) => {
    return { id, source, calls, alarms: alarms[policy], label: labels.get(id) }
  })
}

function figuresOf(runs) {
  const labelled = scored(runs)
  const sources = [...new Set(labelled.map(({ source }) => source))].sort()
  const each = (figure) => Object.fromEntries(sources.map((source) => [source, figure(source)]))
  return {
    ...score(runs),
    byWords: scoreByWords(runs),
    strong: falseAlarmRate(runs.filter(({ source }) => STRONG.includes(source))),
    notStuck: falseAlarmRate(labelled),
    kinds: recallByKind(runs),
    sources: each((name) => score(runs.filter(({ source }) => source === name))),
    without: each((name) => score(runs.filter(({ source }) => source !== name))),
  }
}
