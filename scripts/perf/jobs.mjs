// The same calls for the native engine, as a file.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from '../support/files.mjs'
import { callsOf, OUTPUTS, outputsOf, SIZES } from './calls.mjs'

const PRESETS = ['guard', 'window', 'nudge', 'balanced']
const ANSWERED = ['nudge', 'balanced']
const ARGUMENTS = 300

/** @returns {{ name: string, preset: string, steps: object[] }[]} */
export function nativeJobs() {
  const steps = (size) => callsOf(size).map(({ name, text, id }) => ({ name, args: text, id }))
  const answered = (size) => {
    const outputs = outputsOf(size)
    return steps(ARGUMENTS).map((step, index) => ({ ...step, output: outputs[index] }))
  }
  return [
    ...PRESETS.flatMap((preset) =>
      SIZES.map((size) => ({ name: `call/${preset}/${size}`, preset, steps: steps(size) })),
    ),
    ...ANSWERED.flatMap((preset) =>
      OUTPUTS.map((size) => ({ name: `answer/${preset}/${size}`, preset, steps: answered(size) })),
    ),
  ]
}

/** Where the native programs find them. */
export function writeJobs(jobs) {
  const folder = path.join(build, 'perf')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'jobs.json')
  writeFileSync(file, JSON.stringify(jobs))
  return { LOOPHOUND_JOBS: file }
}
