// Measures one part in a process of its own, in whichever runtime starts it, and writes the figures
// to a file as JSON: peers print to standard output.
//   node worker.mjs <part> <file> [<baseline>]
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { compare, processorTime, ratios, spread, takeTurns } from './statistics.mjs'
import { callsOf, OUTPUTS, outputsOf, SIZES } from './workload.mjs'

/** Bytes of arguments where their size is not what is measured. */
const ARGUMENTS = 300

const importPackage = () => import('../pkg/dist/index.js')

/** Measures a call, for each contestant and size. */
async function calls(baseline) {
  const { loadContestants } = await import('./contestants.mjs')
  const create = await loadContestants(baseline)
  const rows = []
  for (const size of SIZES) {
    const calls = callsOf(size)
    const bytes = calls.reduce((sum, { text }) => sum + text.length, 0) / calls.length
    const contestants = create()
    const alarms = contestants.map(() => 0)
    const field = contestants.map(({ take, restart }, index) => () => {
      restart?.()
      for (const call of calls) if (take(call)) alarms[index]++
    })
    for (const [index, figures] of compare(field, calls.length).entries()) {
      const { take, restart, ...contestant } = contestants[index]
      requireSilence(contestant.name, alarms[index])
      rows[index] ??= { ...contestant, cells: [] }
      rows[index].cells.push({ ...figures, bytes })
    }
  }
  return rows
}

/**
 * Measures a call together with its result, for each preset and size of output.
 *
 * @param {string} [baseline] The folder of another build of the package, measured too.
 */
async function results(baseline) {
  const { LoopDetector } = await importPackage()
  const { importBuild } = await import('./contestants.mjs')
  const other = baseline && (await importBuild(baseline)).LoopDetector
  /** @type {import('loophound').PresetName[]} */
  const presets = ['nudge', 'guard', 'window', 'cycles', 'balanced']
  const rowsOf = (Detector, label) =>
    presets.map((preset) => ({
      Detector,
      preset,
      name: `${label}\`${preset}\``,
      cells: /** @type {object[]} */ ([]),
    }))
  const rows = [...rowsOf(LoopDetector, ''), ...(other ? rowsOf(other, 'baseline, ') : [])]
  for (const size of OUTPUTS) {
    const calls = callsOf(ARGUMENTS)
    const outputs = outputsOf(size)
    const alarms = rows.map(() => 0)
    const field = rows.map(({ Detector, preset }, row) => {
      const detector = new Detector(preset)
      return () => {
        for (const [index, { name, text, id }] of calls.entries()) {
          if (detector.record(name, text, id).action !== 'continue') alarms[row]++
          const result = { id, output: outputs[index], ok: true }
          if (detector.recordResult(result).action !== 'continue') alarms[row]++
        }
      }
    })
    for (const [row, figures] of compare(field, calls.length).entries()) {
      requireSilence(rows[row].name, alarms[row])
      rows[row].cells.push(figures)
    }
  }
  return rows.map(({ name, cells }) => ({ name, cells }))
}

/** Measures batches, construction and snapshots with `balanced`, as multiples of one call. */
async function other() {
  const { LoopDetector } = await importPackage()
  const BATCH = 50
  const calls = callsOf(ARGUMENTS)
  const [single, batched, kept, target] = Array.from({ length: 4 }, () => new LoopDetector())
  for (const [index, output] of outputsOf(1000).entries()) {
    const { name, text, id } = calls[index]
    kept.record(name, text, id)
    kept.recordResult({ id, output })
  }
  const snapshot = kept.toJSON()
  const text = JSON.stringify(snapshot)
  let at = 0
  const nextCalls = () => {
    at = (at + BATCH) % (calls.length - BATCH)
    return calls.slice(at, at + BATCH)
  }
  const field = {
    [`${BATCH} calls of record()`]: () => {
      for (const { name, args, id } of nextCalls()) single.record(name, args, id)
    },
    [`recordBatch() of ${BATCH} calls`]: () => batched.recordBatch(nextCalls()),
    'new LoopDetector() and free()': () => new LoopDetector().free(),
    'toJSON()': () => kept.toJSON(),
    'restoreFrom()': () => target.restoreFrom(snapshot),
    'JSON.parse() of the snapshot': () => JSON.parse(text),
  }
  const cells = compare(Object.values(field), 1)
  const perCall = (value) => value * BATCH
  return {
    snapshotBytes: text.length,
    rows: Object.keys(field).map((name, index) => ({
      name,
      nanoseconds: cells[index].nanoseconds,
      calls: perCall(cells[index].ratio.median),
    })),
  }
}

/** Measures import, the first detector and the first call; needs a new process each time. */
async function start() {
  const started = processorTime()
  const { LoopDetector } = await importPackage()
  const imported = processorTime()
  const detector = new LoopDetector()
  const created = processorTime()
  detector.record('read_file', '{"path":"a.ts"}')
  const recorded = processorTime()
  return [imported - started, created - imported, recorded - created]
}

/** Measures whether a call costs more the longer one detector runs. */
const length = () =>
  measureGrowth([1000, 100_000, 10_000_000], (Agent, calls) => {
    report(`Recording ${calls.toLocaleString('en')} calls and their results.`)
    const agent = new Agent()
    agent.work(calls)
    return [agent]
  })

/** Measures whether a call costs more the more detectors there are. */
const crowds = () =>
  measureGrowth([1, 100, 10_000], (Agent, count) => {
    report(`Creating ${count.toLocaleString('en')} detectors.`)
    const agents = Array.from({ length: count }, () => new Agent())
    // More answered calls than any of its rings holds.
    for (const agent of agents) agent.work(40)
    return agents
  })

/**
 * Grows agents to each stage, then times calls of all stages in turn.
 *
 * @param {number[]} stages
 * @param {(Agent: any, stage: number) => any[]} grow
 */
async function measureGrowth(stages, grow) {
  // Before the package: it watches which memory the engine gets.
  const { engineBytes } = await import('../tests/leaks/memory.mjs')
  const { LoopDetector } = await importPackage()
  const outputs = outputsOf(300)

  /** An agent that never makes the same call twice, and gets a result every time. */
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
        const call = this.detector.record(`tool_${number % 17}`, args, id)
        const result = this.detector.recordResult({ id, output, ok: true })
        if (call.action !== 'continue' || result.action !== 'continue') this.alarms++
      }
    }
  }

  // Starts the engine, whose own memory is not counted.
  new LoopDetector().free()
  // Few calls in a round: the youngest agent must not catch up with the older ones.
  const CALLS = 200
  const rows = []
  const jobs = []
  let at = 0
  for (const stage of stages) {
    const before = engineBytes()
    const agents = grow(Agent, stage)
    const after = engineBytes()
    const memory = { engineBytes: after, addedBytes: after - before, heapBytes: heapBytes() }
    rows.push({ stage, agents, ...memory })
    const run = () => {
      for (let done = 0; done < CALLS; done++) agents[at++ % agents.length].work(1)
    }
    jobs.push({ work: CALLS, run })
  }
  const times = takeTurns(jobs, { rounds: 21, warmUp: 0 })
  return rows.map(({ agents, ...row }, index) => {
    for (const { alarms } of agents) requireSilence('loophound', alarms)
    return { ...row, nanoseconds: spread(times[index]), ratio: ratios(times[index], times[0]) }
  })
}

/** A detector that sees a loop does other work than one that does not: they cannot be compared. */
function requireSilence(name, alarms) {
  if (alarms > 0) throw new Error(`${name} saw ${alarms} loops in calls that do not repeat`)
}

/** Returns the size of the JavaScript heap after a garbage collection. */
function heapBytes() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function report(line) {
  process.stderr.write(`  ${line}\n`)
}

const [part, file, baseline] = process.argv.slice(2)
const figures = await { calls, results, other, start, length, crowds }[part](baseline)
writeFileSync(file, JSON.stringify(figures))
// Timers of a peer must not keep the process alive.
process.exit(0)
