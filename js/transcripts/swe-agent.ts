/**
 * Reads trajectories of SWE-agent. A tool is the first word of an action, unless the model called
 * functions: then the history says which.
 *
 * @module
 */

import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from './data.js'
import { readMessages } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

/** The reader of SWE-agent trajectories. */
export const sweAgentReader: TranscriptReader = {
  name: 'swe-agent',
  describes: 'swe-agent (`trajectory` with `action` and `observation`, or a `history`)',
  keys: ['trajectory', 'history', 'action', 'observation'],
  matches: (head) =>
    ['trajectory', 'history'].some((key) => isTrajectory(peek(head.slice(0, 1), [key]))),
  *read(records, log) {
    for (const record of objectsIn(records, log)) {
      const history = listOf(record.history).map(fieldsOf)
      const steps = listOf(record.trajectory)
      if (steps.length > 0) yield* readSteps(objectsIn(steps, log), history, log)
      else yield* readHistory(history, log)
      const {
        tokens_sent: sent,
        tokens_received: received,
        instance_cost: cost,
      } = fieldsOf(fieldsOf(record.info).model_stats)
      if (numberOf(sent)) yield { t: 'usage', usage: { sent, received }, cost }
    }
  },
}

function isTrajectory(rows: readonly Fields[]): boolean {
  return rows.some(
    ({ action, observation, source, message_type, agent, role, response, thought }) =>
      source === undefined &&
      ((typeof action === 'string' && typeof observation === 'string' && (response || thought)) ||
        (typeof role === 'string' && (message_type || (agent && role === 'system')))),
  )
}

function* readSteps(
  steps: Iterable<Fields>,
  history: readonly Fields[],
  log: ReadLog,
): Iterable<RawEvent> {
  const calls = history.filter(({ role, is_demo }) => role === 'assistant' && is_demo !== true)
  let next = 0
  for (const step of steps) {
    const action = stringOf(step.action)?.trim() ?? ''
    yield { t: 'turn' }
    if (step.thought) yield { t: 'text', text: step.thought }
    // These end the run and were written by the host. Giving up is a tool of the model's.
    if (action === '' || /^exit_(?!forfeit$)\w+$/.test(action)) {
      log.skip(action === '' ? 'step without an action' : 'action of the host')
      continue
    }
    const found = calls.findIndex((row, index) => index >= next && row.action === step.action)
    const row = found < 0 ? undefined : calls[found]
    if (found >= 0) next = found + 1
    const [call, ...more] = callsOf(row, action)
    yield* [call, ...more]
    yield { t: 'result', id: call.id, output: step.observation }
  }
}

type Call = Extract<RawEvent, { t: 'call' }>

function callsOf(row: Fields | undefined, action: string): [Call, ...Call[]] {
  const calls = listOf(row?.tool_calls).flatMap((item): Call[] => {
    const { id, function: called } = fieldsOf(item)
    const { name, arguments: args } = fieldsOf(called)
    return typeof name === 'string' ? [{ t: 'call', id, name, args }] : []
  })
  const [first, ...more] = calls
  if (first) return [first, ...more]
  return [{ t: 'call', name: /^\S+/.exec(action)?.[0] ?? action, args: { action } }]
}

/** Demonstrations have only the history. */
function* readHistory(history: readonly Fields[], log: ReadLog): Iterable<RawEvent> {
  const rows = history.filter(({ is_demo }) => is_demo !== true)
  const isHarness = () => true
  // A call in the text, which the next observation answers.
  let isOpen = false
  for (const row of rows) {
    const hasCalls = Array.isArray(row.tool_calls)
    const action = stringOf(row.action)
    const { thought: _, ...message } = row
    if (isOpen && row.role === 'user') {
      yield { t: 'result', output: contentText(row.content) }
      isOpen = false
      continue
    }
    yield* readMessages([message], log, { isHarness })
    isOpen = row.role === 'assistant' && !hasCalls && Boolean(action)
    if (isOpen && action) yield* callsOf(row, action)
  }
}
