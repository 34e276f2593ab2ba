// How many detectors, and how often the memory is looked at.
export const DETECTORS = 300_000
export const ROUND = 10_000

export function report(how, sizes) {
  const [first, last] = [sizes[0], sizes.at(-1)].map((bytes) => `${Math.round(bytes / 1024)} KiB`)
  console.log(`  ${DETECTORS} ${how}: ${first} after the first ${ROUND}, ${last} at the end`)
}
