// The soak itself; `npm run soak` starts it, and so does the short test. Writes one line of JSON.
import assert from 'node:assert/strict'
import { randomFrom } from '../fuzz/random.mjs'
import { eventSource } from '../fuzz/streams.mjs'
import { engineBytes } from '../leaks/memory.mjs'

const { LoopDetector } = await import('../../pkg/dist/index.js')

const EVENTS = Number(process.argv[2])
/**
 * When memory is looked at first. Until then the detector is saved and restored often: how much
 * memory that takes depends on what is being kept at the moment, and the most has to have come up.
 */
const SETTLED = 150_000
if (!(EVENTS > SETTLED)) throw new RangeError(`more than ${SETTLED} events are needed`)
const hopsAt = (event) => event % (event <= SETTLED ? 50 : 1000) === 0

const next = eventSource(randomFrom(1))
const unbroken = new LoopDetector()
let hopping = new LoopDetector()
let hops = 0
let spoken = 0
const engine = []
const heap = []

for (let event = 1; event <= EVENTS; event++) {
  const [method, ...args] = next()
  const [one, other] = [unbroken[method](...args), hopping[method](...args)]
  // Verdicts to continue are one and the same object.
  if (one !== other) assert.deepEqual(other, one, `event ${event}: ${method}`)
  if (one?.action && one.action !== 'continue') spoken++
  if (hopsAt(event)) hop()
  if (event === SETTLED || event === EVENTS) measure()
  // A task of its own now and then, so that the collector's work gets done.
  if (event % 100_000 === 0) await new Promise(setImmediate)
}
assert.equal(JSON.stringify(hopping), JSON.stringify(unbroken), 'the states differ')
assert.equal(engine[1], engine[0], `the engine's memory grew: ${engine.join(' -> ')}`)
assert(heap[1] < heap[0] * 1.2 + 2 ** 21, `the JavaScript heap grew: ${heap.join(' -> ')}`)
assert(spoken > EVENTS / 1000, 'nothing was ever said: these events test nothing')
console.log(JSON.stringify({ events: EVENTS, hops, spoken, engine, heap }))

function hop() {
  const saved = JSON.stringify(hopping)
  hopping.free()
  hopping = new LoopDetector()
  hopping.restoreFrom(JSON.parse(saved))
  hops++
}

function measure() {
  globalThis.gc()
  engine.push(engineBytes())
  heap.push(process.memoryUsage().heapUsed)
}
