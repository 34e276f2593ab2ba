// What happens to the default preset's figures when one thing in it is changed.
import { breadthOf } from './breadth.mjs'
import { STRONG } from './corpus.mjs'
import { runsOf } from './figures.mjs'
import { falseAlarmRate, score } from './score.mjs'
import { isBetter } from './targets.mjs'
import { neighboursOf, onlyEach, withoutEach, withoutPatience } from './variants.mjs'

/** The preset that is studied. */
export const STUDIED = 'balanced'

/**
 * @param {{ presets: object, LoopDetector: Function }} engine
 * @returns {{ base: object, without: object[], only: object[], never: object[],
 *   neighbours: object[] }} What there is to measure.
 */
export function planOf({ presets, LoopDetector }) {
  const values = presets[STUDIED]
  const isAllowed = (options) => {
    try {
      new LoopDetector(options).free()
      return true
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
  }
  return {
    base: { id: STUDIED, name: STUDIED, options: { preset: STUDIED } },
    without: withoutEach(values),
    only: onlyEach(values),
    never: withoutPatience(values),
    neighbours: neighboursOf(values, isAllowed),
  }
}

export const ablationPolicies = ({ base, without, only, never }) => [
  ...[base, ...without, ...only, ...never],
]

export const thresholdPolicies = ({ base, neighbours }) => [
  base,
  ...neighbours.flatMap(({ variants }) => variants),
]

/** The figures of one variant, as far as the studies need them. */
function figuresOf(id, { judged, labels, oracle }) {
  const runs = runsOf(id, judged, labels)
  return {
    ...score(runs),
    strong: falseAlarmRate(runs.filter(({ source }) => STRONG.includes(source))),
    breadth: oracle && breadthOf(runs, oracle),
  }
}

/** @param {{ judged: object[], labels: Map<string, object>, oracle: Map | null }} measured */
export function ablationOf({ base, without, only, never }, measured) {
  const rows = (variants) => variants.map(({ id, name }) => ({ name, ...figuresOf(id, measured) }))
  return {
    base: rows([base])[0],
    ...{ without: rows(without), only: rows(only), never: rows(never) },
  }
}

/** @returns {{ name: string, value: number, rows: object[] }[]} Neighbours and the value itself. */
export function thresholdsOf({ base, neighbours }, measured) {
  const own = figuresOf(base.id, measured)
  return neighbours.map(({ knob: { name, value }, variants }) => {
    const others = variants.map((variant) => ({
      value: variant.value,
      ...figuresOf(variant.id, measured),
    }))
    const rows = [...others, { value, ...own }].sort((a, b) => a.value - b.value)
    return { name, value, rows }
  })
}

/** The numbers whose neighbours have the very same figures: the corpus does not tell them apart. */
export function undecided(thresholds) {
  const same = ({ value: _, ...figures }) => JSON.stringify(figures)
  return thresholds.filter(({ rows }) => new Set(rows.map(same)).size === 1)
}

/** The neighbours that would be better by the labels. */
export function betterOnes(thresholds) {
  return thresholds.flatMap(({ name, value, rows }) => {
    const own = rows.find((row) => row.value === value)
    return rows.filter((row) => isBetter(row, own)).map((row) => ({ name, value: row.value }))
  })
}
