// What `balanced` is meant to reach, and whether it does.

const two = (value) => value.toFixed(2)

/** In the order of the page. `of` reads a policy's figures; `byWords`, those of the other reading. */
export const TARGETS = [
  {
    name: 'precision',
    least: 0.97,
    of: ({ precision }) => precision,
    byWords: ({ byWords }) => byWords.precision,
    text: two,
  },
  {
    name: 'recall',
    least: 0.85,
    of: ({ recall }) => recall,
    byWords: ({ byWords }) => byWords.recall,
    text: two,
  },
  { name: 'median delay, in calls', most: 3, of: ({ delay }) => delay.median, text: String },
  {
    name: 'false alarms per 1,000 calls of strong models',
    most: 0.2,
    of: ({ strong }) => strong.rate,
    text: two,
  },
]

const targetNamed = (start) => TARGETS.find(({ name }) => name.startsWith(start))

export const LEAST_PRECISION = targetNamed('precision').least
export const LEAST_RECALL = targetNamed('recall').least
export const MOST_FALSE_ALARMS = targetNamed('false alarms').most

/**
 * Whether one set of figures is better than another: as quiet on strong models as is asked for, if
 * the other is not; else a higher F1.
 */
export function isBetter(a, b) {
  const [isQuiet, wasQuiet] = [a, b].map(({ strong }) => (strong.rate ?? 0) <= MOST_FALSE_ALARMS)
  if (isQuiet !== wasQuiet) return isQuiet
  return (a.f1 ?? 0) - (b.f1 ?? 0) > 1e-9
}

/**
 * @param {object} figures One policy's, as `evaluate` gives them.
 * @returns {{ name: string, goal: string, value: string, met: boolean, byWords: string | null,
 *   metByWords: boolean | null }[]}
 */
export function checkTargets(figures) {
  return TARGETS.map(({ name, least, most, of, byWords, text }) => {
    const isMet = (value) => value !== null && (least === undefined || value >= least)
    const isWithin = (value) => isMet(value) && (most === undefined || value <= most)
    const shown = (value) => (value === null ? '–' : text(value))
    const other = byWords ? byWords(figures) : undefined
    return {
      name,
      goal: least === undefined ? `at most ${most}` : `at least ${least}`,
      ...{ value: shown(of(figures)), met: isWithin(of(figures)) },
      byWords: other === undefined ? null : shown(other),
      metByWords: other === undefined ? null : isWithin(other),
    }
  })
}
