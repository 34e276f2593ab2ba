/**
 * Reads trajectories of mini-swe-agent. Its only tool is a shell: a command is an action of the
 * message, or a fenced block in its text, and the next user message has its result.
 *
 * @module
 */

import {
  contentText,
  exitCodeIn,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  stringOf,
  wordOf,
} from './data.js'
import { readMessage } from './messages.js'
import { MESSAGE_KEYS } from './openai-chat.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'
import { ItemReader } from './response-items.js'

const FENCE = /```(?:mswea_bash_command|bash)\s*\n([\s\S]*?)\n?```/

/** The reader of mini-swe-agent trajectories. */
export const miniSweAgentReader: TranscriptReader = {
  name: 'mini-swe-agent',
  describes: 'mini-swe-agent (`trajectory_format`: "mini-swe-agent-…" and `messages`)',
  keys: ['trajectory_format', 'messages', 'info'],
  matches: (head) =>
    wordOf(fieldsOf(head[0]).trajectory_format).startsWith('mini-swe-agent') ||
    // Older files are bare messages.
    peek(head, MESSAGE_KEYS).some(
      ({ role, content }) =>
        (role === 'user' && contentText(content).startsWith('<returncode>')) ||
        (role === 'assistant' && contentText(content).includes('```mswea_bash_command')),
    ),
  *read(records, log) {
    for (const { items, agent } of runsOf(records, MESSAGE_KEYS, log)) {
      let hasTask = false
      const responseItems = new ItemReader(log)
      for (const message of objectsIn(items, log)) {
        for (const event of readRow(message, hasTask, responseItems, log)) yield { ...event, agent }
        hasTask ||= message.role === 'user'
      }
    }
  },
}

function* readRow(
  message: Fields,
  hasTask: boolean,
  items: ItemReader,
  log: ReadLog,
): Iterable<RawEvent> {
  const { role } = message
  const extra = fieldsOf(message.extra)
  const at = extra.timestamp
  const text = contentText(message.content)
  // With the Responses API, rows are responses and items.
  if (role === undefined && Array.isArray(message.output)) {
    for (const item of message.output.map(fieldsOf)) yield* items.read(item, at)
    yield { t: 'usage', usage: message.usage, model: message.model, cost: extra.cost, at }
  } else if (role === undefined && message.call_id !== undefined) {
    const exitCode = numberOf(extra.returncode) ?? exitCodeIn(message.output)
    const ok = exitCode === undefined ? undefined : exitCode === 0
    for (const event of items.read(message, at)) {
      yield event.t === 'result' ? { ...event, ok, exitCode } : event
    }
  } else if (role === 'assistant') {
    const response = fieldsOf(extra.response)
    const { model, usage } = response
    const actions = listOf(extra.actions).map((action) => stringOf(fieldsOf(action).command))
    const calls = listOf(message.tool_calls)
    yield* readMessage({ ...message, timestamp: at }, log)
    const found = actions.length > 0 ? actions : [FENCE.exec(text)?.[1]]
    for (const command of calls.length > 0 ? [] : found) {
      if (command !== undefined) yield { t: 'call', name: 'bash', args: { command }, at }
    }
    yield { t: 'usage', usage, model, cost: extra.cost, at }
  } else if (role === 'user' || role === 'tool') {
    const exitCode = numberOf(extra.returncode) ?? exitCodeIn(text)
    if (exitCode !== undefined) {
      const id = message.tool_call_id
      yield { t: 'result', id, ok: exitCode === 0, exitCode, output: text, at }
    } else {
      // The first is the task; any other without a return code comes from the host.
      yield { t: 'user', text, at, origin: hasTask ? 'harness' : undefined }
    }
  } else log.skip(`${stringOf(role) ?? 'unknown'} message`)
}
