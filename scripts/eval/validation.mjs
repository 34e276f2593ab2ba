// How much trust the default preset's figures deserve: how far they could be off, and whether its
// values were made for one source of trajectories.
import { intervals, mostExpected } from './bootstrap.mjs'
import { STRONG } from './corpus.mjs'
import { runsOf } from './figures.mjs'
import { choicesWithoutEach, chosenPolicies, chosenWithout, scoreOn } from './leave-out.mjs'
import { falseAlarmRate, outcomeOf, score, scored } from './score.mjs'

/**
 * @param {object} plan What `planOf` gives.
 * @param {{ judged: readonly object[], labels: Map<string, object> }} measured With the neighbours.
 * @param {(policies: readonly object[]) => Promise<object[]>} judge Judges the labelled runs again.
 */
export async function validationOf(plan, measured, judge) {
  const runs = runsOf(plan.base.id, measured.judged, measured.labels)
  const choices = choicesWithoutEach(plan, measured)
  const chosen = chosenPolicies(choices)
  const again = chosen.length > 0 ? await judge(chosen) : []
  const left = choices.map(({ source, f1, changes }) => ({
    ...{ source, f1, changes },
    own: scoreOn(source, plan.base.id, measured),
    other:
      changes.length > 0
        ? scoreOn(source, chosenWithout(source), { ...measured, judged: again })
        : null,
  }))
  return { intervals: intervalsOf(runs), left }
}

function intervalsOf(runs) {
  const drawn = intervals(scored(runs).map((run) => outcomeOf(run).outcome))
  const figures = score(runs)
  const { alarmed, calls, rate } = falseAlarmRate(
    runs.filter(({ source }) => STRONG.includes(source)),
  )
  return {
    ...Object.fromEntries(
      Object.entries(drawn).map(([name, range]) => [name, { value: figures[name], ...range }]),
    ),
    strong: { alarmed, calls, rate, most: calls ? (1000 * mostExpected(alarmed)) / calls : null },
  }
}
