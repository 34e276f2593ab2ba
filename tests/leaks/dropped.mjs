// 300,000 detectors, dropped in an asynchronous loop: the garbage collector must
// find them all, and the engine must get their memory back. When the collector
// runs is its own affair; here it is told to after each round, so that the figures
// are the same each time.
import assert from 'node:assert/strict'
import { setImmediate as otherWork, setTimeout as rest } from 'node:timers/promises'
import { busyDetector } from './detectors.mjs'
import { engineBytes } from './memory.mjs'
import { DETECTORS, ROUND, report } from './rounds.mjs'

let collected = 0
// Exported to keep it: a registry that is collected itself counts no more.
export const registry = new FinalizationRegistry(() => collected++)
const sizes = []

for (let number = 1; number <= DETECTORS; number++) {
  registry.register(busyDetector(number))
  // Finalisers run between tasks: an agent that waits for its model leaves room for them.
  if (number % 100 === 0) await otherWork()
  if (number % ROUND === 0) {
    await collect(number)
    sizes.push(engineBytes())
  }
}

report('dropped', sizes)
console.log(`  ${collected} were collected`)
assert.equal(collected, DETECTORS, 'dropped detectors were not collected')
// Early rounds are smaller, as the collector then comes by more often by itself.
// A few hundredths are for where the pieces come to lie.
const settled = sizes[Math.floor(sizes.length / 3)]
assert(sizes.at(-1) <= settled * 1.05, 'dropped detectors left memory behind')

/** Finalisers are called when the runtime sees fit: soon, but not at once. */
async function collect(wanted) {
  for (let tries = 0; tries < 50 && collected < wanted; tries++) {
    globalThis.gc()
    await rest(5)
  }
}
