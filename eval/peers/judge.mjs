/**
 * Feeds recorded sessions to a loop detector from npm, at its defaults. Started by peers.mjs with the
 * package's name and folder; sessions and answers are those of judge.py.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [name, folder] = process.argv.slice(2)

const DETECTORS = { openclaw, '@google/gemini-cli-core': geminiCli }

/** openclaw's check is off by default; this is what `tools.loopDetection.enabled` turns on. */
async function openclaw(dist) {
  const file = readdirSync(dist).find((entry) => /^tool-loop-detection-[\w-]{8}\.mjs$/.test(entry))
  const module = await load(path.join(dist, file))
  // The bundle renames its exports; the functions keep their names.
  const functions = Object.fromEntries(Object.values(module).map((value) => [value.name, value]))
  const { detectToolCallLoop, recordToolCall, recordToolCallOutcome } = functions
  const config = { enabled: true }
  return () => {
    const state = { toolCallHistory: [] }
    let refusals = 0
    return ({ t, name: toolName, args: toolParams }, result, number) => {
      if (t !== 'call') return null
      const loop = detectToolCallLoop(state, toolName, toolParams, config)
      recordToolCall(state, toolName, toolParams, `call-${number}`, config)
      if (result) {
        const text =
          typeof result.output === 'string' ? result.output : JSON.stringify(result.output)
        const outcome =
          result.ok === false ? { error: text } : { result: { content: [{ type: 'text', text }] } }
        recordToolCallOutcome(state, {
          toolName,
          toolParams,
          toolCallId: `call-${number}`,
          ...outcome,
        })
      }
      if (!loop.stuck) return null
      // Its first critical finding blocks, the next one ends the run.
      if (loop.level === 'critical') refusals += 1
      const action = loop.level !== 'critical' ? 'nudge' : refusals === 1 ? 'block' : 'stop'
      return { action, kind: loop.detector }
    }
  }
}

/** gemini-cli's check of calls and of text, without the one that asks a model. */
async function geminiCli(dist) {
  const file = path.join(dist, 'src/services/loopDetectionService.js')
  const { LoopDetectionService } = await load(file)
  // Every configuration value is off, unset or zero.
  const config = new Proxy({}, { get: () => () => undefined })
  return () => {
    const service = new LoopDetectionService({ config })
    return ({ t, name, args, text }) => {
      if (t === 'user') service.reset('prompt')
      const event =
        t === 'call'
          ? { type: 'tool_call_request', value: { name, args } }
          : { type: 'content', value: text }
      if (t !== 'call' && t !== 'text' && t !== 'chunk') return null
      const { count, type } = service.addAndCheck(event)
      if (count === 0) return null
      // The first detection becomes a message to the model, the second ends the run.
      service.clearDetection()
      return { action: count === 1 ? 'nudge' : 'stop', kind: type }
    }
  }
}

const load = (file) => import(pathToFileURL(file).href)

function alarmsOf(events, observe) {
  const alarms = []
  let call = -1
  for (const [index, event] of events.entries()) {
    if (event.t === 'call') call += 1
    const next = events[index + 1]
    const verdict = observe(event, next?.t === 'result' ? next : null, call)
    if (verdict) alarms.push({ call: Math.max(call, 0), ...verdict })
  }
  return alarms
}

const make = await DETECTORS[name](path.join(folder, 'node_modules', name, 'dist'))
// What a detector logs must not be mistaken for an answer.
console.log = () => {}
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(alarmsOf(JSON.parse(line), make()))}\n`)
}
