/**
 * Loads what is to be replayed: a sample of this folder, or anybody's transcript.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTranscript } from '../../pkg/dist/index.js'

/** A sample says by itself how it is called and judged; any other transcript gets the defaults. */
export function loadRecording(file) {
  const path = locate(file)
  const source = basename(path)
  const text = readFileSync(path, 'utf8')
  const sample = parseSample(text)
  const title = sample?.title ?? source
  if (sample?.swarm) return { source, title, swarm: sample.swarm, calls: sample.calls }
  try {
    const { events } = readTranscript(text)
    return { source, title, preset: sample?.preset ?? 'balanced', options: sample?.options, events }
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error })
  }
}

/** A path, or the name of a sample with or without its ending. */
function locate(file) {
  const sample = fileURLToPath(new URL(`../${basename(file, '.json')}.json`, import.meta.url))
  if (existsSync(file)) return file
  if (basename(file) === file && existsSync(sample)) return sample
  throw new Error(`${file}: no such file, and no sample of that name`)
}

function parseSample(text) {
  try {
    const value = JSON.parse(text)
    return typeof value?.title === 'string' ? value : null
  } catch {
    return null
  }
}
