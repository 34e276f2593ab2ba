// Judges the lines it is sent by every policy it was started with.
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { inRoot } from '../support/files.mjs'
import { eventsOf } from './events.mjs'
import { alarmsOf } from './judge.mjs'

const engine = await import(pathToFileURL(inRoot('pkg/dist/index.js')))
/** Of runs that are not among the whole ones, only the first alarm is wanted. */
const { policies, whole } = workerData

parentPort.on('message', (lines) => parentPort.postMessage(lines.map(judge)))

function judge(line) {
  const trajectory = JSON.parse(line)
  const { id, source } = trajectory
  try {
    const events = eventsOf(trajectory)
    const calls = events.filter(({ t }) => t === 'call').length
    const most = !whole || whole.has(id) ? Number.POSITIVE_INFINITY : 1
    const alarms = policies.map(({ id, options }) => [id, alarmsOf(engine, options, events, most)])
    return { id, source, calls, alarms: Object.fromEntries(alarms) }
  } catch (error) {
    throw new Error(`${id}: ${error.message}`, { cause: error })
  }
}
