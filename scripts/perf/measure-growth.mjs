// Whether a call costs more the longer an agent runs, or the more agents there are.
import { LoopDetector } from '../../pkg/dist/index.js'
import { engineBytes } from '../../tests/leaks/memory.mjs'
import { outputsOf } from './calls.mjs'
import { processorTime as clock } from './clock.mjs'
import { ratios, spread, takeTurns } from './statistics.mjs'

const STAGES = [1000, 100_000, 10_000_000]
const ALIVE = [1, 100, 10_000]
const ROUNDS = 21
/** Calls in one round. Few: the detector at its thousandth call must not leave it far behind. */
const CALLS = 200
/** Answered calls each of many detectors has seen: more than any of its rings holds. */
const SEEN = 40

const outputs = outputsOf(300)

/** An agent that never does the same twice, and is answered every time. */
class Agent {
  detector = new LoopDetector()
  calls = 0
  alarms = 0

  work(count) {
    for (let done = 0; done < count; done++) {
      const number = this.calls++
      const id = `call_${number}`
      const args = `{"path":"src/part-${number % 9973}/file-${number}.ts","offset":${number % 700}}`
      const output = `${outputs[number % outputs.length]} ${number}`
      if (this.detector.record(`tool_${number % 17}`, args, id).action !== 'continue') this.alarms++
      if (this.detector.recordResult({ id, output, ok: true }).action !== 'continue') this.alarms++
    }
  }
}

export function measureLength(report) {
  const agents = STAGES.map(() => new Agent())
  const stages = agents.map((agent, index) => {
    report(`Recording ${STAGES[index].toLocaleString('en')} calls and their results.`)
    agent.work(STAGES[index])
    return { calls: STAGES[index], engineBytes: engineBytes(), heapBytes: heap() }
  })
  const jobs = agents.map((agent) => ({ work: CALLS, run: () => agent.work(CALLS) }))
  const times = takeTurns(jobs, { rounds: ROUNDS, warmUp: 0, clock })
  return { alarms: alarmsOf(agents), rows: rowsOf(stages, times) }
}

export function measureCrowds(report) {
  const crowds = []
  // Starts the engine, whose own memory is nobody's.
  new LoopDetector().free()
  const stages = ALIVE.map((count) => {
    report(`Making ${count.toLocaleString('en')} detectors.`)
    const before = { engine: engineBytes(), heap: heap() }
    const agents = Array.from({ length: count }, () => new Agent())
    for (const agent of agents) agent.work(SEEN)
    crowds.push(agents)
    return {
      detectors: count,
      engineBytes: engineBytes() - before.engine,
      heapBytes: heap() - before.heap,
    }
  })
  let at = 0
  const jobs = crowds.map((agents) => ({
    work: CALLS,
    run: () => {
      for (let done = 0; done < CALLS; done++) agents[at++ % agents.length].work(1)
    },
  }))
  const times = takeTurns(jobs, { rounds: ROUNDS, warmUp: 2, clock })
  return { alarms: alarmsOf(crowds.flat()), rows: rowsOf(stages, times) }
}

const alarmsOf = (agents) => agents.reduce((sum, agent) => sum + agent.alarms, 0)

function rowsOf(stages, times) {
  return stages.map((stage, index) => ({
    ...stage,
    nanoseconds: spread(times[index]),
    ratio: ratios(times[index], times[0]),
  }))
}

/** What JavaScript holds, after the collector was asked to look. */
function heap() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
