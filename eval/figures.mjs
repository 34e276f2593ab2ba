/**
 * Computes the figures of every policy on every set, and whether the default preset reaches
 * its targets. Everything here is plain data, so that it can be printed as JSON and stored.
 */
import { AGENTS, summarize } from './closed-loop.mjs'
import {
  atLeast,
  falseAlarms,
  quantile,
  reached,
  recallByKind,
  resultByWords,
  score,
  scoreByWords,
} from './score.mjs'
import { STRONG } from './sets.mjs'

/** The preset that the targets are about and that the studies vary. */
export const STUDIED = 'balanced'

const FIGURES = { labels: labelledFigures, modern: modernFigures, scenarios: scenarioFigures }

/** The sessions of a view as one policy saw them. */
export function runsOf(replayed, replay, policy) {
  return replayed.map(({ alarms, ...run }) => ({ ...run, alarms: alarms[replay][policy] }))
}

/**
 * Compute the figures of one set, replayed in one way.
 *
 * @param {{ id: string, set: string, replay: string }} view
 * @param {readonly object[]} replayed What `replayAll` gives.
 * @param {readonly { id: string, group: string, failed?: number }[]} policies With the number of
 *   sessions that a published package could not take.
 */
export function figuresOf({ id, set, replay }, replayed, policies) {
  return {
    id,
    sessions: replayed.length,
    calls: replayed.reduce((sum, { calls }) => sum + calls, 0),
    policies: policies.map(({ id, group, failed }) => ({
      ...{ id, group, ...(failed > 0 ? { failed } : {}) },
      ...FIGURES[set](runsOf(replayed, replay, id)),
    })),
  }
}

function labelledFigures(runs) {
  const labelled = runs.filter(({ group }) => group === 'labelled')
  const sources = [...new Set(labelled.map(({ source }) => source))].sort()
  const ofSource = (name) => {
    const { hits, misses, falseAlarms } = score(labelled.filter(({ source }) => source === name))
    return { hits, misses, falseAlarms }
  }
  return {
    ...score(labelled),
    byWords: scoreByWords(labelled),
    strong: falseAlarms(runs.filter(({ source }) => STRONG.includes(source))),
    notStuck: falseAlarms(labelled),
    kinds: recallByKind(labelled),
    sources: Object.fromEntries(sources.map((name) => [name, ofSource(name)])),
  }
}

function modernFigures(runs) {
  const loops = runs.filter(({ expect }) => expect === 'loop')
  const results = loops.map((run) => resultByWords(run))
  const hits = results.filter(({ result }) => result === 'hit')
  const foundAt = (action) =>
    loops.filter((run) => resultByWords(atLeast(action, run)).result === 'hit').length
  return {
    today: falseAlarms(runs.filter(({ group }) => group === 'today')),
    loops: {
      ...{ sessions: loops.length, found: hits.length },
      ...{ blocked: foundAt('block'), stopped: foundAt('stop') },
      early: score(loops).early,
      delay: quantile(
        hits.map(({ delay }) => delay),
        0.5,
      ),
    },
    unread: reached(runs.filter(({ group, expect }) => group === 'older' && expect === null)),
    precisions: score(runs).precisions,
  }
}

function scenarioFigures(runs) {
  const of = (name) => runs.filter(({ group }) => group === name)
  return {
    clear: reached(of('clear')),
    contested: reached(of('contested')),
    realistic: { ...reached(of('realistic')), delay: score(of('realistic')).delay.median },
    adversarial: reached(of('adversarial')),
    precisions: score([...of('clear'), ...of('realistic')]).precisions,
  }
}

/**
 * Summarise the trials of simulated agents.
 *
 * @param {readonly { set: string, replayed: readonly object[] }[]} sets
 * @param {readonly string[]} policies
 */
export function closedLoopFigures(sets, policies) {
  const loops = {
    labelled: sets.filter(({ set }) => set !== 'scenarios').flatMap(({ replayed }) => replayed),
    scenarios: sets
      .filter(({ set }) => set === 'scenarios')
      .flatMap(({ replayed }) => replayed.filter(({ group }) => group === 'realistic')),
  }
  return Object.entries(loops).flatMap(([from, runs]) => {
    const tried = runs.filter(({ trials }) => Object.keys(trials).length > 0)
    if (tried.length === 0) return []
    return policies.flatMap((policy) =>
      AGENTS.map(({ id: agent }, index) => ({
        ...{ from, policy, agent },
        ...summarize(tried.map(({ trials }) => trials[policy][index])),
      })),
    )
  })
}

const isNone = { most: 0, text: String }
const two = (value) => value.toFixed(2)
const percent = (value) => `${Math.round(100 * value)} %`
const ofAll = (part, { sessions }) => part / sessions

const MODERN_TARGETS = [
  { name: 'false alarms per 1,000 calls', most: 0.1, of: ({ today }) => today.rate, text: two },
  { name: 'work blocked or stopped', ...isNone, of: ({ today }) => today.blocked },
  { name: 'loops found', least: 0.9, of: ({ loops }) => ofAll(loops.found, loops), text: percent },
]

/** The targets of `balanced` on each view. */
export const TARGETS = {
  labels: [
    { name: 'precision', least: 0.97, of: ({ precision }) => precision, text: two },
    { name: 'recall', least: 0.92, of: ({ recall }) => recall, text: two },
    { name: 'median delay, in calls', most: 3, of: ({ delay }) => delay.median, text: String },
    {
      ...{ name: 'false alarms per 1,000 calls of strong models', most: 0.1, text: two },
      of: ({ strong }) => strong.rate,
    },
  ],
  'modern-turns': MODERN_TARGETS,
  'modern-calls': MODERN_TARGETS,
  scenarios: [
    { name: 'clear work blocked or stopped', ...isNone, of: ({ clear }) => clear.blocked },
    {
      ...{ name: 'clear work alarmed', most: 0.1, text: percent },
      of: ({ clear }) => ofAll(clear.alarmed, clear),
    },
    {
      ...{ name: 'realistic loops alarmed', least: 0.9, text: percent },
      of: ({ realistic }) => ofAll(realistic.alarmed, realistic),
    },
  ],
}

/**
 * Compare the default preset with its targets.
 *
 * @param {readonly object[]} views What `figuresOf` gives.
 * @returns {{ view: string, name: string, goal: string, value: string, isMet: boolean }[]}
 */
export function checkTargets(views) {
  return views.flatMap(({ id, policies }) => {
    const row = policies.find((policy) => policy.id === STUDIED)
    if (!row) return []
    return TARGETS[id].map(({ name, least, most, of, text }) => {
      const value = of(row)
      const isMet = value !== null && value >= (least ?? value) && value <= (most ?? value)
      const goal = least === undefined ? `at most ${text(most)}` : `at least ${text(least)}`
      return { view: id, name, goal, value: value === null ? '–' : text(value), isMet }
    })
  })
}
