// 300,000 detectors, each disposed of: the engine's memory must not grow at all.
import assert from 'node:assert/strict'
import { busyDetector } from './detectors.mjs'
import { engineBytes } from './memory.mjs'
import { DETECTORS, ROUND, report } from './rounds.mjs'

const sizes = []
for (let number = 1; number <= DETECTORS; number++) {
  busyDetector(number).free()
  if (number % ROUND === 0) sizes.push(engineBytes())
}

report('disposed', sizes)
assert.equal(sizes.at(-1), sizes[0], 'disposed detectors left memory behind')
