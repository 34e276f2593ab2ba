// Measures one thing in a process of its own, in whichever runtime it is started, and prints what it
// found as JSON behind a marker: packages that are compared with write to the same output.
import process from 'node:process'
import { MARKER } from './names.mjs'

const MEASURES = {
  calls: async () => (await import('./measure-calls.mjs')).measureCalls(),
  answers: async () => (await import('./measure-answers.mjs')).measureAnswers(),
  rest: async () => (await import('./measure-answers.mjs')).measureRest(),
  start: async () => (await import('./measure-start.mjs')).measureStart(),
  length: async () => (await import('./measure-growth.mjs')).measureLength(report),
  crowds: async () => (await import('./measure-growth.mjs')).measureCrowds(report),
}

function report(line) {
  process.stderr.write(`  ${line}\n`)
}

const figures = await MEASURES[process.argv[2]]()
// What a peer left running must not keep it alive.
process.stdout.write(`${MARKER}${JSON.stringify(figures)}\n`, () => process.exit(0))
