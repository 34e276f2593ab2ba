// Judges the lines it is sent by every policy it was started with.
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { inRoot } from '../support/paths.mjs'
import { eventsOf } from './events.mjs'
import { alarmsOf } from './judge.mjs'
import { POLICIES } from './policies.mjs'

const engine = await import(pathToFileURL(inRoot('pkg/dist/index.js')))
const policies = POLICIES.filter(({ id }) => workerData.policies.includes(id))

parentPort.on('message', (lines) => parentPort.postMessage(lines.map(judge)))

function judge(line) {
  const trajectory = JSON.parse(line)
  const { id, source } = trajectory
  try {
    const events = eventsOf(trajectory)
    const calls = events.filter(({ t }) => t === 'call').length
    const verdicts = policies.map((policy) => [policy.id, alarmsOf(engine, policy.options, events)])
    return { id, source, calls, alarms: Object.fromEntries(verdicts) }
  } catch (error) {
    throw new Error(`${id}: ${error.message}`, { cause: error })
  }
}
