// 300,000 detectors, dropped in an asynchronous loop: the garbage collector must
// find them all, and the engine must get their memory back. When the collector
// runs is its own affair. Here it is told to after every 1,000 detectors, so that no
// more than these are ever alive at once, however late it would come by itself.
import assert from 'node:assert/strict'
import { setImmediate as otherWork, setTimeout as rest } from 'node:timers/promises'
import { busyDetector } from './detectors.mjs'
import { engineBytes } from './memory.mjs'
import { DETECTORS, ROUND, report } from './rounds.mjs'

let collected = 0
// Exported to keep it: a registry that is collected itself counts no more.
export const registry = new FinalizationRegistry(() => collected++)
const sizes = []
const ALIVE = 1000

for (let number = 1; number <= DETECTORS; number++) {
  registry.register(busyDetector(number))
  // Finalisers run between tasks: an agent that waits for its model leaves room for them.
  if (number % 100 === 0) await otherWork()
  if (number % ALIVE === 0) await collect(number)
  if (number % ROUND === 0) sizes.push(engineBytes())
}

report('dropped', sizes)
console.log(`  ${collected} were collected`)
assert.equal(collected, DETECTORS, 'dropped detectors were not collected')
// Where the pieces come to lie, and how late a finaliser runs, moves the figure a little. A leak
// grows with the number of detectors: of one word each it would be more than is allowed here.
const third = Math.floor(sizes.length / 3)
const growth = (sizes.at(-1) - sizes[third - 1]) / (DETECTORS - third * ROUND)
console.log(`  ${growth.toFixed(1)} bytes of growth a detector after the first third`)
assert(growth < 8, 'dropped detectors left memory behind')

/** Finalisers are called when the runtime sees fit: soon, but not at once. */
async function collect(wanted) {
  for (let tries = 0; tries < 500 && collected < wanted; tries++) {
    globalThis.gc()
    await rest(1)
  }
}
