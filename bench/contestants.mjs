// The detectors that are compared on each call: loophound with each preset, what a host
// could write itself, and peers. Each does all its work before a tool runs. This file runs
// in Node, Bun and Deno.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadGemini, loadQwen, loadStableStringify } from './peers.mjs'

export const PRESETS = ['guard', 'window', 'nudge', 'cycles', 'balanced']

/** All others are compared with this one. */
export const BASE = 'JSON.stringify'

/**
 * Only reads the arguments. Allocates nothing, so its time differs less between runs than that of
 * `JSON.stringify`: the baseline is recorded as multiples of it.
 */
export const REFERENCE = 'encodeInto + FNV-1a in JavaScript'

/**
 * @typedef {import('./workload.mjs').Call} Call
 * @typedef {{
 *   name: string,
 *   ours?: { preset: string, form: 'string' | 'object' },
 *   kind?: 'peer' | 'baseline',
 *   take: (call: Call) => boolean,
 *   restart?: () => void,
 * }} Contestant `take` tells whether it saw a loop; `restart` starts a new prompt.
 */

/** Imports another build of the package, by its folder. */
export const importBuild = (folder) =>
  import(pathToFileURL(path.join(folder, 'dist/index.js')).href)

/**
 * Loads everything once; the function it returns makes a new set of contestants.
 *
 * @param {string} [baseline] The folder of another build of the package, measured with strings.
 * @returns {Promise<() => Contestant[]>}
 */
export async function loadContestants(baseline) {
  const { LoopDetector } = await import('../pkg/dist/index.js')
  const other = baseline && (await importBuild(baseline))
  const [stringify, gemini, qwen] = await Promise.all([
    loadStableStringify(),
    loadGemini(),
    loadQwen(),
  ])
  return () => [
    { name: BASE, take: ({ args }) => JSON.stringify(args).length < 0 },
    ...PRESETS.map((preset) => ours(LoopDetector, preset, 'string')),
    ...PRESETS.map((preset) => ours(LoopDetector, preset, 'object')),
    ...(other ? PRESETS.map((preset) => baselineOf(other.LoopDetector, preset)) : []),
    reader(REFERENCE),
    counter('JSON.stringify + Map', ({ name, args }) => `${name}:${JSON.stringify(args)}`),
    counter('fast-json-stable-stringify + sha256 + Map', ({ name, args }) =>
      createHash('sha256')
        .update(`${name}:${stringify(args)}`)
        .digest('hex'),
    ),
    geminiOf(gemini),
    qwenOf(qwen),
  ]
}

/** @returns {Contestant} */
function ours(LoopDetector, preset, form) {
  const detector = new LoopDetector(preset)
  const field = form === 'string' ? 'text' : 'args'
  return {
    name: `loophound, \`${preset}\`, ${form}`,
    ours: { preset, form },
    take: (call) => detector.record(call.name, call[field], call.id).action !== 'continue',
  }
}

/** @returns {Contestant} */
const baselineOf = (LoopDetector, preset) => ({
  ...ours(LoopDetector, preset, 'string'),
  name: `baseline, \`${preset}\`, string`,
  kind: 'baseline',
})

/** Hashes the text byte by byte. */
function reader(name) {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(64 * 1024)
  /** @type {Contestant['take']} */
  const take = ({ text }) => {
    const { written } = encoder.encodeInto(text, bytes)
    let hash = 0x811c9dc5
    for (let at = 0; at < written; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
    return hash === 0.5
  }
  return { name, take }
}

/** Counts calls by a key, as a host would that only wants to know whether a call came before. */
function counter(name, keyOf) {
  const seen = new Map()
  /** @type {Contestant['take']} */
  const take = (call) => {
    const key = keyOf(call)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count < 0
  }
  return { name, take }
}

const request = ({ name, args, id }) => ({
  type: 'tool_call_request',
  value: { name, args, callId: id },
})

/** @returns {Contestant} */
function geminiOf({ name, create }) {
  const service = create()
  return { name, kind: 'peer', take: (call) => service.addAndCheck(request(call)).count > 0 }
}

/** Runs only the checks that are on by default. @returns {Contestant} */
function qwenOf({ name, create }) {
  const service = create()
  return {
    name,
    kind: 'peer',
    take: (call) => service.checkAlwaysOnSafeties(request(call)),
    // It counts every call of a prompt, and would take the second pass for a loop.
    restart: () => service.reset('prompt'),
  }
}
