// Who is measured with the calls: ours under each preset, what a host would write itself, and peers.
// Each takes a call, does all it does before a tool runs, and says whether it saw a loop. This file
// runs in Node, Bun and Deno.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { LoopDetector } from '../../pkg/dist/index.js'
import { inPeers as inTextPeers } from '../text/peers.mjs'
import { BASE, STRINGIFY_AND_MAP } from './names.mjs'
import { inPeers } from './peers.mjs'

const PRESETS = ['guard', 'window', 'nudge', 'balanced']

/** Whatever a peer's configuration is asked for is off, unset or zero. */
const nothing = new Proxy({}, { get: () => () => undefined })

const [gemini, qwen, stable] = await Promise.all([
  service(inTextPeers, '@google/gemini-cli-core'),
  service(inPeers, '@qwen-code/qwen-code-core'),
  import(pathToFileURL(inPeers('fast-json-stable-stringify/index.js')).href),
])

async function service(inFolder, name) {
  const file = inFolder(name, 'dist/src/services/loopDetectionService.js')
  const { version } = JSON.parse(readFileSync(inFolder(name, 'package.json'), 'utf8'))
  return { ...(await import(pathToFileURL(file).href)), version }
}

const request = ({ name, args }) => ({ type: 'tool_call_request', value: { name, args } })

/** Counts keys, as a host that only wants to know whether a call came before. */
function counter(keyOf) {
  const seen = new Map()
  return (call) => {
    const key = keyOf(call)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count < 0
  }
}

const ours = (preset, form, args) => {
  const detector = new LoopDetector(preset)
  return {
    name: `loophound, \`${preset}\`, ${form}`,
    ours: { preset, form },
    take: (call) => detector.record(call.name, args(call), call.id).action !== 'continue',
  }
}

export function contestants() {
  const geminiService = new gemini.LoopDetectionService({ config: nothing })
  const qwenService = new qwen.LoopDetectionService(nothing)
  return [
    { name: BASE, take: ({ args }) => JSON.stringify(args).length < 0 },
    ...PRESETS.map((preset) => ours(preset, 'string', ({ text }) => text)),
    ...PRESETS.map((preset) => ours(preset, 'object', ({ args }) => args)),
    {
      name: STRINGIFY_AND_MAP,
      take: counter(({ name, args }) => `${name}:${JSON.stringify(args)}`),
    },
    {
      name: 'fast-json-stable-stringify + sha256 + Map',
      take: counter(({ name, args }) =>
        createHash('sha256')
          .update(`${name}:${stable.default(args)}`)
          .digest('hex'),
      ),
    },
    {
      name: `gemini-cli ${gemini.version}`,
      isPeer: true,
      take: (call) => geminiService.addAndCheck(request(call)).count > 0,
    },
    {
      name: `qwen-code ${qwen.version}`,
      isPeer: true,
      take: (call) => qwenService.addAndCheck(request(call)),
    },
  ]
}
