/**
 * Studies of the default preset: what each pattern contributes, how sensitive it is to its
 * numbers, and how far it agrees with a slow set of rules on thousands of sessions.
 */
import * as engine from '../pkg/dist/index.js'
import { figuresOf, runsOf, STUDIED } from './figures.mjs'
import { replayAll } from './pool.mjs'
import { falseAlarms, score } from './score.mjs'
import { readOracle, STRONG, VIEWS } from './sets.mjs'
import { short, table, two } from './tables.mjs'

/** Numbers of a preset that do not decide when something is a loop. */
const NOT_VARIED = ['cooldown', 'rawLength', 'fuzzyThreshold']
/** Numbers that are varied by a factor. */
const SIZES = ['window', 'maxPeriod']
/** From this value on, a count is varied in steps of two. */
const HIGH = 8
/**
 * A neighbour may raise more false alarms than this on strong models only if the preset
 * does, too.
 */
const MOST_FALSE_ALARMS = 0.1

/** The studies by name: each takes what `measure` needs and gives tables with titles. */
export const STUDIES = { ablation, thresholds, breadth }

/** Disable each pattern in turn, and enable each alone. */
async function ablation(sets) {
  const kinds = Object.entries(engine.presets[STUDIED].detectors).flatMap(([kind, rule]) =>
    rule ? [kind] : [],
  )
  const off = (names) => ({
    preset: STUDIED,
    detectors: Object.fromEntries(names.map((name) => [name, false])),
  })
  const without = kinds.map((kind) => ({ id: `without ${kind}`, options: off([kind]) }))
  const alone = kinds.map((kind) => ({
    id: `only ${kind}`,
    options: off(kinds.filter((other) => other !== kind)),
  }))
  const { rows } = await measure(sets, [...without, ...alone])
  return [{ title: 'Each pattern off in turn, and each alone', table: studyTable(rows) }]
}

/** Try the neighbours of every number of the preset. */
async function thresholds(sets) {
  const knobs = knobsOf(engine.presets[STUDIED])
    .map((knob) => ({
      ...knob,
      variants: knob.variants.filter(({ options }) => isAllowed(options)),
    }))
    .filter(({ variants }) => variants.length > 0)
  const variants = knobs.flatMap((knob) => knob.variants)
  const { rows, replayed } = await measure(sets, variants)
  const tables = [
    { title: 'Every number of the preset, lower and higher', table: studyTable(rows) },
  ]
  if (replayed.labels) {
    tables.push({
      title: 'Which single numbers would be better on the labels, with one source left out',
      table: leaveOneOut(replayed.labels, variants),
    })
  }
  return tables
}

/**
 * Compare with the oracle's labels on every session of the old corpus, whether or not it
 * was labelled by hand.
 */
async function breadth(_sets, { folder, policies }) {
  const known = readOracle(folder)
  if (!known) return []
  const replayed = await replayAll(
    known.sessions,
    { policies, replays: ['turns'], most: 1 },
    'sessions of the old corpus',
  )
  const rows = policies.map(({ id }) => {
    const counts = { strict: 0, agreed: 0, beyond: 0 }
    for (const run of runsOf(replayed, 'turns', id)) {
      const { oracle_strict: isLoop, oracle_loose: isMaybe } = known.oracle.get(run.id)
      const isAlarmed = run.alarms.length > 0
      if (isLoop) counts.strict += 1
      if (isLoop && isAlarmed) counts.agreed += 1
      if (!isMaybe && isAlarmed) counts.beyond += 1
    }
    const { strict, agreed, beyond } = counts
    return [id, strict, agreed, strict - agreed, beyond].map(String)
  })
  const titles = ['policy', 'loops by the rules', 'agreed', 'silent', 'beyond']
  return [
    { title: `Agreement with rules on ${replayed.length} sessions`, table: table(titles, rows) },
  ]
}

/**
 * List the numbers of a preset and their neighbours, whatever the preset holds.
 *
 * @returns {{ name: string, variants: { id: string, options: object }[] }[]}
 */
export function knobsOf({ preset, ...values }) {
  return leavesOf(values).map(({ path, value }) => {
    const name = path.join('.')
    const options = (other) => ({
      preset,
      ...path.reduceRight((inner, key) => ({ [key]: inner }), other),
    })
    const near = neighbours(path.at(-1), value)
    return {
      name,
      variants: near.map((other) => ({ id: `${name} ${other}`, options: options(other) })),
    }
  })
}

function leavesOf(value, path = []) {
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    if (NOT_VARIED.includes(key) || Array.isArray(inner)) return []
    if (typeof inner === 'number') return [{ path: [...path, key], value: inner }]
    return typeof inner === 'object' ? leavesOf(inner, [...path, key]) : []
  })
}

function neighbours(name, value) {
  if (SIZES.includes(name)) return [0.5, 0.75, 1.5, 2].map((times) => Math.round(times * value))
  // A share in percent is varied in tens.
  const step = value >= 20 ? 10 : value >= HIGH ? 2 : 1
  return [-2, -1, 1, 2].map((steps) => value + steps * step).filter((other) => other >= 0)
}

function isAllowed(options) {
  try {
    new engine.LoopDetector(options).free()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Replay every set under the preset and its variants; modern sessions call by call only. */
async function measure(sets, variants) {
  const policies = [{ id: STUDIED, options: { preset: STUDIED } }, ...variants]
  const rows = policies.map(({ id }) => ({ id }))
  const replayed = {}
  for (const { id: set, sessions, replays } of sets) {
    const view = VIEWS.findLast((candidate) => candidate.set === set)
    const way = replays.at(-1)
    replayed[set] = await replayAll(sessions, { policies, replays: [way] }, `${set} sessions`)
    const figures = figuresOf(view, replayed[set], policies)
    for (const [index, row] of figures.policies.entries()) rows[index][set] = row
  }
  return { rows, replayed }
}

const COLUMNS = [
  ['precision', ({ labels }) => labels?.precision, two],
  ['recall', ({ labels }) => labels?.recall, two],
  ['hits', ({ labels }) => labels?.hits, short],
  ['false', ({ labels }) => labels?.falseAlarms, short],
  ['delay', ({ labels }) => labels?.delay.median, short],
  ['strong', ({ labels }) => labels?.strong.alarmed, short],
  ['modern alarmed', ({ modern }) => modern?.today.alarmed, short],
  ['blocked', ({ modern }) => modern?.today.blocked, short],
  ['found', ({ modern }) => modern?.loops.found, short],
  ['clear alarmed', ({ scenarios }) => scenarios?.clear.alarmed, short],
  ['blocked', ({ scenarios }) => scenarios?.clear.blocked, short],
  ['loops alarmed', ({ scenarios }) => scenarios?.realistic.alarmed, short],
]

/**
 * Return the preset's own figures first, then what each variant changes; a dot means no
 * change.
 */
function studyTable([base, ...variants]) {
  const titles = ['variant', ...COLUMNS.map(([title]) => title)]
  const own = [base.id, ...COLUMNS.map(([, of, text]) => text(of(base)))]
  const rows = variants.map((row) => [
    row.id,
    ...COLUMNS.map(([, of, text]) => change(text, of(row), of(base))),
  ])
  return table(titles, [own, ...rows])
}

/** Describe a change: "+0.02", "−1", or a dot if no visible digit changed. */
export function change(text, value, before) {
  if (text(value) === text(before)) return '·'
  if (value == null || before == null) return text(value)
  const difference = text(Math.abs(value - before))
  if (difference === text(0)) return '·'
  return `${value > before ? '+' : '−'}${difference}`
}

/**
 * Check whether another value would have been chosen without one of the labelled sources:
 * then it was tuned to that source.
 */
function leaveOneOut(replayed, variants) {
  const sources = [
    ...new Set(replayed.filter(({ group }) => group === 'labelled').map(({ source }) => source)),
  ]
  const fitness = (policy, left) => {
    const rest = runsOf(replayed, 'turns', policy).filter(({ source }) => source !== left)
    return {
      f1: score(rest.filter(({ group }) => group === 'labelled')).f1 ?? 0,
      rate: falseAlarms(rest.filter(({ source }) => STRONG.includes(source))).rate ?? 0,
    }
  }
  const rows = sources.sort().map((source) => {
    const own = fitness(STUDIED, source)
    const better = variants.filter(({ id }) => isBetter(fitness(id, source), own))
    return [source, two(own.f1), better.map(({ id }) => id).join(', ') || 'none']
  })
  return {
    columns: [
      { title: 'left out', isText: true },
      { title: 'F1 of the rest' },
      { title: 'better', isText: true },
    ],
    rows,
  }
}

/**
 * Return whether one is better: quiet on strong models where the other is not, or else a
 * higher F1.
 */
export function isBetter(a, b) {
  const [isQuiet, wasQuiet] = [a, b].map(({ rate }) => rate <= MOST_FALSE_ALARMS)
  return isQuiet === wasQuiet ? a.f1 - b.f1 > 1e-9 : isQuiet
}
