// Would other values have been chosen, had one source of trajectories not been there? And would they
// have done better on it? That tells a choice that follows from loops from one that follows from
// the sample.
import { STRONG } from './corpus.mjs'
import { runsOf } from './figures.mjs'
import { falseAlarmRate, score, scored } from './score.mjs'
import { isBetter } from './targets.mjs'
import { combine } from './variants.mjs'

/**
 * @param {{ base: object, neighbours: object[] }} plan
 * @param {{ judged: readonly object[], labels: Map<string, object> }} measured
 * @returns {{ source: string, f1: number | null, changes: object[], options: object }[]} For each
 *   source: what would be changed without it, each number by itself, and all of it at once.
 */
export function choicesWithoutEach({ base, neighbours }, measured) {
  const fitness = (id, source) => fitnessOf(runsOf(id, measured.judged, measured.labels), source)
  return labelledSources(measured).map((source) => {
    const own = fitness(base.id, source)
    const changes = neighbours.flatMap(({ knob, variants }) => {
      const candidates = variants.map((variant) => ({ ...variant, ...fitness(variant.id, source) }))
      const best = candidates.reduce((best, other) => (isBetter(other, best) ? other : best), own)
      if (best === own) return []
      const { value, f1, options } = best
      return [{ name: knob.name, from: knob.value, to: value, f1, options }]
    })
    const options = combine(
      base.options.preset,
      changes.map((change) => change.options),
    )
    return { source, f1: own.f1, changes, options }
  })
}

/** A policy for each source: what would have been chosen without it. */
export function chosenPolicies(choices) {
  return choices
    .filter(({ changes }) => changes.length > 0)
    .map(({ source, options }) => ({ id: chosenWithout(source), options }))
}

export const chosenWithout = (source) => `chosen without ${source}`

/** How a policy does on the labelled runs of one source. */
export function scoreOn(source, id, { judged, labels }) {
  return score(runsOf(id, judged, labels).filter((run) => run.source === source))
}

function labelledSources({ judged, labels }) {
  const labelled = scored(judged.map(({ id, source }) => ({ source, label: labels.get(id) })))
  return [...new Set(labelled.map(({ source }) => source))].sort()
}

function fitnessOf(runs, left) {
  const rest = runs.filter(({ source }) => source !== left)
  const strong = falseAlarmRate(rest.filter(({ source }) => STRONG.includes(source)))
  return { f1: score(rest).f1, strong }
}
