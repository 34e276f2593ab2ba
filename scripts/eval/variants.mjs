// A preset with one thing changed: a detector off, or alone; one number a little lower or higher.
// Everything is derived from the preset's own values, so that what is added to it is measured too.

/** A count that nothing reaches. */
const NEVER = 1_000_000

/** Counts below this are varied by one, the others by two. */
const HIGH = 8

/** Fields of a detector that are numbers, but decide how often it speaks, not when it begins. */
const PACE = 'cooldown'

/**
 * @typedef {{ id: string, name: string, options: object }} Variant A policy made from a preset.
 * @typedef {{ name: string, value: number, with: (value: number) => object }} Knob A number of a
 *   preset, and the options that replace it.
 */

/** The names of the detectors that a preset has on. */
export function detectorsOf({ detectors }) {
  return Object.keys(detectors).filter((kind) => detectors[kind])
}

/** @returns {Variant[]} Each detector off in turn. */
export function withoutEach({ preset, ...values }) {
  return detectorsOf(values).map((kind) => ({
    ...{ id: `without ${kind}`, name: kind },
    options: { preset, detectors: { [kind]: false } },
  }))
}

/** @returns {Variant[]} Each detector alone. */
export function onlyEach({ preset, ...values }) {
  const kinds = detectorsOf(values)
  return kinds.map((kind) => {
    const others = kinds.filter((other) => other !== kind).map((other) => [other, false])
    const detectors = Object.fromEntries(others)
    return { id: `only ${kind}`, name: kind, options: { preset, detectors } }
  })
}

/** @returns {Variant[]} Each patience without end: what waits for it never speaks. */
export function withoutPatience(values) {
  const counts = patienceOf(values).filter(({ name }) => !isShare(name))
  return counts.map((knob) => ({
    ...{ id: `${knob.name} never`, name: knob.name },
    options: { preset: values.preset, ...knob.with(NEVER) },
  }))
}

/** @returns {Knob[]} Every number of a preset that decides when something is a loop. */
export function knobsOf(values) {
  return [...thresholdsOf(values), ...patienceOf(values), ...sizesOf(values), ...paceOf(values)]
}

/**
 * @param {object} values A preset, complete.
 * @param {(options: object) => boolean} isAllowed Whether the engine takes these options.
 * @returns {{ knob: Knob, variants: (Variant & { value: number })[] }[]} The neighbours of each
 *   number, in order; the number itself is not among them.
 */
export function neighboursOf(values, isAllowed) {
  return knobsOf(values).map((knob) => {
    const variants = stepsFrom(knob).map((value) => ({
      ...{ id: `${knob.name} ${value}`, name: knob.name, value },
      options: { preset: values.preset, ...knob.with(value) },
    }))
    return { knob, variants: variants.filter(({ options }) => isAllowed(options)) }
  })
}

function thresholdsOf({ detectors, threshold }) {
  return detectorsOf({ detectors }).flatMap((kind) => {
    // The main rule's threshold stands at the top.
    const fields = Object.entries({ threshold, ...detectors[kind] })
    const numbers = fields.filter(([name, value]) => isNumber(value) && name !== PACE)
    return numbers.map(([name, value]) => ({
      ...{ name: `${kind} ${name}`, value },
      with: (other) => ({ detectors: { [kind]: { [name]: other } } }),
    }))
  })
}

function patienceOf({ patience = {} }) {
  return Object.entries(patience).map(([name, value]) => ({
    ...{ name: `patience.${name}`, value },
    with: (other) => ({ patience: { [name]: other } }),
  }))
}

function sizesOf({ window, maxPeriod }) {
  // A window has to hold the longest cycle twice.
  const fitting = (size) => ({ window: size, maxPeriod: Math.min(maxPeriod, Math.floor(size / 2)) })
  return [
    { name: 'window', value: window, with: fitting },
    { name: 'maxPeriod', value: maxPeriod, with: (other) => ({ maxPeriod: other }) },
  ]
}

/** One number for all detectors that have it. */
function paceOf({ detectors }) {
  const kinds = detectorsOf({ detectors }).filter((kind) => isNumber(detectors[kind][PACE]))
  if (kinds.length === 0) return []
  const all = (value) => Object.fromEntries(kinds.map((kind) => [kind, { [PACE]: value }]))
  return [
    {
      ...{ name: PACE, value: detectors[kinds[0]][PACE] },
      with: (value) => ({ detectors: all(value) }),
    },
  ]
}

function stepsFrom({ name, value }) {
  if (name === 'window' || name === 'maxPeriod') {
    return [0.5, 0.75, 1.5, 2].map((times) => Math.round(times * value))
  }
  const step = isShare(name) ? 10 : value < HIGH ? 1 : 2
  return [-2, -1, 1, 2].map((steps) => value + steps * step).filter((other) => other >= 0)
}

const isNumber = (value) => typeof value === 'number'
const isShare = (name) => /likeness$/i.test(name)

/** Several changes at once. */
export function combine(preset, changes) {
  const all = { preset }
  for (const { preset: _, detectors, patience, ...others } of changes) {
    Object.assign(all, others)
    if (patience) all.patience = { ...all.patience, ...patience }
    for (const [kind, rule] of Object.entries(detectors ?? {})) {
      all.detectors = { ...all.detectors, [kind]: { ...all.detectors?.[kind], ...rule } }
    }
  }
  return all
}
