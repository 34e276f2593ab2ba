// How far the figures could have come out otherwise, had other runs been labelled.
import { quantile, rates } from './score.mjs'

const DRAWS = 2000
const SEED = 1

/** Numbers from 0 to 1, the same each time: a page must not change when nothing did. */
function* numbers(seed) {
  let state = seed
  while (true) {
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield (state >>> 0) / 2 ** 32
  }
}

/**
 * Draws as many runs as there are, with repetition, again and again.
 *
 * @param {readonly ('hit' | 'miss' | 'false alarm' | 'quiet')[]} outcomes What became of each run.
 * @returns {Record<'precision' | 'recall' | 'f1', { low: number | null, high: number | null }>}
 *   Between what 95 of 100 draws lie.
 */
export function intervals(outcomes, { draws = DRAWS, seed = SEED } = {}) {
  const random = numbers(seed)
  const drawn = Array.from({ length: draws }, () => {
    const count = { hit: 0, miss: 0, 'false alarm': 0, quiet: 0 }
    for (let run = 0; run < outcomes.length; run++) {
      count[outcomes[Math.floor(random.next().value * outcomes.length)]] += 1
    }
    const { hit, miss } = count
    return rates(hit, hit + count['false alarm'], hit + miss)
  })
  const names = ['precision', 'recall', 'f1']
  return Object.fromEntries(names.map((name) => [name, middle(drawn.map((rate) => rate[name]))]))
}

function middle(values) {
  const known = values.filter((value) => value !== null)
  return { low: quantile(known, 0.025), high: quantile(known, 0.975) }
}

/**
 * How many there may be where only so many were seen: with more than this on average, so few would
 * be seen less than once in twenty times. Drawing cannot tell, where nothing was seen at all.
 */
export function mostExpected(seen) {
  let low = seen
  let high = 2 * seen + 10
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (chanceOfAtMost(seen, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** By Poisson's distribution. */
function chanceOfAtMost(seen, average) {
  let term = Math.exp(-average)
  let sum = term
  for (let count = 1; count <= seen; count++) {
    term *= average / count
    sum += term
  }
  return sum
}
