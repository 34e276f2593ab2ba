// What a call and its result cost together, and what else a host asks for now and then.
import { LoopDetector } from '../../pkg/dist/index.js'
import { callsOf, OUTPUTS, outputsOf } from './calls.mjs'
import { processorTime as clock } from './clock.mjs'
import { ratios, repeatsFor, spread, takeTurns } from './statistics.mjs'

const ROUNDS = 31
const WARM_UP = 4
const AT_LEAST = 4000
const ARGUMENTS = 300
const PRESETS = ['nudge', 'guard', 'window', 'balanced']
const BATCH = 50

/** For each preset, a cell for each size of output; ratios to the first preset. */
export function measureAnswers() {
  const rows = PRESETS.map((preset) => ({ name: preset, cells: [] }))
  for (const size of OUTPUTS) {
    const calls = callsOf(ARGUMENTS)
    const outputs = outputsOf(size)
    const field = PRESETS.map((preset) => answering(preset, calls, outputs))
    compare(field, calls.length).forEach((cell, index) => {
      rows[index].cells.push({ ...cell, alarms: field[index].alarms() })
    })
    for (const { end } of field) end()
  }
  return rows
}

function answering(preset, calls, outputs) {
  const detector = new LoopDetector(preset)
  let alarms = 0
  const once = () => {
    for (const [index, { name, text, id }] of calls.entries()) {
      if (detector.record(name, text, id).action !== 'continue') alarms++
      const result = { id, output: outputs[index], ok: true }
      if (detector.recordResult(result).action !== 'continue') alarms++
    }
  }
  return { once, alarms: () => alarms, end: () => detector.free() }
}

/** Everything that is not an event for itself, with `balanced`; snapshots after 256 answered calls. */
export function measureRest() {
  const calls = callsOf(ARGUMENTS)
  const one = new LoopDetector()
  const other = new LoopDetector()
  const kept = new LoopDetector()
  for (const [index, output] of outputsOf(1000).entries()) {
    const { name, text, id } = calls[index]
    kept.record(name, text, id)
    kept.recordResult({ id, output })
  }
  const snapshot = kept.toJSON()
  const text = JSON.stringify(snapshot)
  const target = new LoopDetector()
  const batch = calls.slice(0, BATCH).map(({ name, args, id }) => ({ name, args, id }))
  let at = 0
  const next = () => {
    at = (at + BATCH) % (calls.length - BATCH)
    return calls.slice(at, at + BATCH)
  }
  const field = [
    { name: `JSON.stringify of ${BATCH} calls`, once: () => JSON.stringify(batch) },
    {
      name: `${BATCH} calls of record()`,
      once: () => {
        for (const call of next()) one.record(call.name, call.args, call.id)
      },
    },
    { name: `recordBatch() of ${BATCH} calls`, once: () => other.recordBatch(next()) },
    { name: 'new LoopDetector() and free()', once: () => new LoopDetector().free() },
    { name: 'toJSON()', once: () => kept.toJSON() },
    { name: 'restoreFrom()', once: () => target.restoreFrom(snapshot) },
    { name: 'JSON.parse of the snapshot', once: () => JSON.parse(text) },
  ]
  const cells = compare(field, 1)
  for (const detector of [one, other, kept, target]) detector.free()
  return {
    rows: field.map(({ name }, index) => ({ name, ...cells[index] })),
    snapshotBytes: text.length,
  }
}

function compare(field, units) {
  const jobs = field.map(({ once }) => {
    const repeats = repeatsFor(once, { atLeast: AT_LEAST, clock })
    const run = () => {
      for (let done = 0; done < repeats; done++) once()
    }
    return { run, work: repeats * units }
  })
  const times = takeTurns(jobs, { rounds: ROUNDS, warmUp: WARM_UP, clock })
  return times.map((own) => ({ nanoseconds: spread(own), ratio: ratios(own, times[0]) }))
}
