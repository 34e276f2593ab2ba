// Random numbers that are the same for the same seed.

/** A function that answers with a whole number below its argument. */
export function randomFrom(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

export const pick = (random, list) => list[random(list.length)]
