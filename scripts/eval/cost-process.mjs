// Started by cost.mjs with the corpus' folder; prints what it measured as JSON.
import * as engine from '../../pkg/dist/index.js'
import { readCorpus } from './corpus.mjs'
import { eventsOf } from './events.mjs'
import { compare } from './timing.mjs'

/** One trajectory of so many is replayed: enough calls to measure, few enough to do it often. */
const ONE_OF = 8
const ROUNDS = 21
const PRESETS = ['balanced', 'nudge']

const { lines } = readCorpus(process.argv[2], { all: true })
const runs = lines
  .filter((_, index) => index % ONE_OF === 0)
  .map((line) => eventsOf(JSON.parse(line)).filter(({ t }) => t === 'call' || t === 'result'))
const [mine, other] = PRESETS.map((preset) => () => replayAll(preset))
const { ratio, ...times } = compare(mine, other, { rounds: ROUNDS })
const calls = runs.flat().filter(({ t }) => t === 'call').length
const perCall = { balanced: times.job / calls, nudge: times.other / calls }
process.stdout.write(JSON.stringify({ calls, rounds: ROUNDS, ratio, microseconds: perCall }))

function replayAll(preset) {
  for (const events of runs) {
    const detector = new engine.LoopDetector(preset)
    for (const event of events) {
      if (event.t === 'call') detector.record(event.name, event.args, event.id)
      else detector.recordResult(event)
    }
    detector.free()
  }
}
