// Replays what a view needs, and works out its figures.
import { compareBaselines, readBaselines } from './baselines.mjs'
import { breadthBySource, breadthOf } from './breadth.mjs'
import { readCorpus, readOracle } from './corpus.mjs'
import { measureCost } from './cost.mjs'
import { evaluate, runsOf } from './figures.mjs'
import { judgeAll } from './pool.mjs'
import { ablationOf, ablationPolicies, STUDIED, thresholdPolicies, thresholdsOf } from './study.mjs'
import { validationOf } from './validation.mjs'

/** The labelled trajectories and the strong models', by these policies. */
async function replayScored(folder, policies) {
  const corpus = readCorpus(folder)
  return { labels: corpus.labels, oracle: null, judged: await judgeAll(corpus, policies) }
}

/** All trajectories, if there are rules' labels to compare them with. */
async function replayAll(folder, policies) {
  const oracle = readOracle(folder)
  if (!oracle) return replayScored(folder, policies)
  const corpus = readCorpus(folder, { all: true })
  const judged = await judgeAll(corpus, policies, { isBrief: true })
  return { labels: corpus.labels, oracle, judged }
}

export async function measurePolicies(folder, policies) {
  return policiesOf(folder, await replayScored(folder, policies), policies)
}

function policiesOf(folder, measured, policies) {
  const figures = evaluate(measured, measured.judged, policies)
  return { figures, baselines: compareBaselines(readBaselines(folder), figures, policies) }
}

export async function measureAblation(folder, plan) {
  return ablationOf(plan, await replayAll(folder, ablationPolicies(plan)))
}

export async function measureThresholds(folder, plan) {
  return thresholdsOf(plan, await replayAll(folder, thresholdPolicies(plan)))
}

export async function measureValidation(folder, plan) {
  const measured = await replayScored(folder, thresholdPolicies(plan))
  return validate(folder, plan, measured)
}

/** The values that would be chosen otherwise are replayed in a second turn. */
function validate(folder, plan, measured) {
  return validationOf(plan, measured, async (policies) => {
    return (await replayScored(folder, policies)).judged
  })
}

/** @returns {Promise<object | null>} Null where the corpus has no labels by rules. */
export async function measureBreadth(folder, policies) {
  return breadthsOf(await replayAll(folder, policies), policies)
}

function breadthsOf({ judged, labels, oracle }, policies) {
  if (!oracle) return null
  const rows = policies.map(({ id }) => [id, runsOf(id, judged, labels)])
  const studied = rows.find(([id]) => id === STUDIED) ?? rows[0]
  return {
    policies: Object.fromEntries(rows.map(([id, runs]) => [id, breadthOf(runs, oracle)])),
    source: { of: studied[0], rows: breadthBySource(studied[1], oracle) },
  }
}

/** Everything, in one replay. */
export async function measureAll(folder, policies, plan) {
  const studied = [...ablationPolicies(plan), ...thresholdPolicies(plan)]
  const all = new Map([...policies, ...studied].map((policy) => [policy.id, policy]))
  const measured = await replayAll(folder, [...all.values()])
  return {
    ...policiesOf(folder, measured, policies),
    ablation: ablationOf(plan, measured),
    thresholds: thresholdsOf(plan, measured),
    validation: await validate(folder, plan, measured),
    breadth: breadthsOf(measured, policies),
    cost: await measureCost(folder),
  }
}
