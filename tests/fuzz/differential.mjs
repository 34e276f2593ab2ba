// The same streams of events for the native engine and for the published package: every answer must
// be the same, byte for byte. The native side is that of the runtime suite.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { pick, randomFrom } from './random.mjs'
import { eventSource } from './streams.mjs'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const PRESETS = ['nudge', 'guard', 'cycles', 'window', 'balanced', 'balanced', 'balanced']

/** Builds the native side; cargo does nothing if it is there. */
export async function buildNative() {
  await run('cargo', ['build', '--quiet', '--example', 'runtime_expectation'], { cwd: root })
}

/** So many streams, in pieces between which the detector is saved and restored. */
export function makeRuns(seed, streams, length) {
  const random = randomFrom(seed)
  return Array.from({ length: streams }, (_, index) => {
    const next = eventSource(random)
    const pieces = Array.from({ length: 1 + random(3) }, () =>
      Array.from({ length: 1 + random(length) }, next),
    )
    return { name: `${seed}-${index}`, detector: { preset: pick(random, PRESETS) }, pieces }
  })
}

/** Throws at the first answer that differs; else tells how many were compared. */
export async function compareNative(library, runs) {
  const ours = runs.flatMap((one) => play(library, one))
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loophound-fuzz-'))
  try {
    const file = path.join(folder, 'events.json')
    writeFileSync(file, JSON.stringify({ runs }))
    const args = ['run', '--quiet', '--example', 'runtime_expectation', '--', file]
    const { stdout } = await run('cargo', args, { cwd: root, maxBuffer: 2 ** 30 })
    const theirs = stdout.trim().slice(2, -2).split(',\n')
    for (const [at, line] of ours.entries()) {
      if (line === theirs[at]) continue
      throw new Error(`answer ${at} differs\nnative: ${theirs[at]}\nwasm:   ${line}`)
    }
    if (ours.length !== theirs.length) throw new Error('the native engine answered more often')
    return ours.length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function play({ LoopDetector }, { name, detector: options, pieces }) {
  let saved
  return pieces.flatMap((steps) => {
    const detector = new LoopDetector(options)
    if (saved !== undefined) detector.restoreFrom(JSON.parse(saved))
    const lines = steps.map(([method, ...args]) => {
      const answer = detector[method](...args) ?? null
      return JSON.stringify({ run: name, method, answer })
    })
    saved = JSON.stringify(detector)
    detector.free()
    return lines
  })
}
