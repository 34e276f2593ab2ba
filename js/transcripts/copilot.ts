/**
 * Reads events of the GitHub Copilot command and SDK. Calls are read from the events that start
 * them; the requests in messages repeat the same.
 *
 * @module
 */

import { type Fields, fieldsOf, listOf, numberOf, outputOf, stringOf, wordOf } from './data.js'
import { type RawEvent, usageOf } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

/** The reader of Copilot events. */
export const copilotReader: TranscriptReader = {
  name: 'copilot',
  describes:
    'copilot (JSON lines with `type`: "session.start", "tool.execution_start", … and `data`)',
  keys: ['id', 'type', 'data'],
  matches: (head) =>
    peek(head).some(
      ({ type, data }) => /^(?:session|tool|assistant|user)\.[a-z_]+$/.test(wordOf(type)) && data,
    ),
  *read(records, log) {
    const session = new Session(log)
    for (const record of objectsIn(records, log)) yield* session.read(record)
  },
}

class Session {
  readonly #log: ReadLog
  /** The sub-agents by the call that started them: older events name only the call. */
  readonly #agentOf = new Map<string, string>()
  /** What messages reported so far that no usage event has included. */
  readonly #ofMessages = new Reported()
  /** What was reported so far that no summary has included. */
  readonly #ofSession = new Reported()
  #reasoning: unknown

  constructor(log: ReadLog) {
    this.#log = log
  }

  *read(record: Fields): Iterable<RawEvent> {
    const { type, timestamp: at } = record
    const data = fieldsOf(record.data)
    const { toolCallId: id } = data
    const agent = this.#agentIn(record, data)
    switch (type) {
      case 'user.message':
        yield { t: 'user', text: data.content, at, agent, origin: originOf(data, agent) }
        break
      case 'assistant.message':
        yield { t: 'turn', at, agent }
        yield* this.#reason(data.reasoningText, at, agent)
        if (data.content || listOf(data.toolRequests).length === 0) {
          yield { t: 'text', text: data.content, at, agent }
        }
        this.#ofMessages.add({ out: numberOf(data.outputTokens) })
        this.#ofSession.add({ out: numberOf(data.outputTokens) })
        yield { t: 'usage', usage: { output: data.outputTokens }, model: data.model, at, agent }
        break
      case 'assistant.usage': {
        const usage = this.#ofMessages.rest(data)
        this.#ofSession.add(usage)
        yield { t: 'usage', usage: named(usage), model: data.model, at, agent }
        break
      }
      case 'assistant.reasoning':
        yield* this.#reason(data.content, at, agent)
        break
      case 'tool.execution_start':
        yield { t: 'call', id, name: data.toolName, args: data.arguments, at, agent }
        break
      case 'tool.execution_complete':
        yield completed(data, at, agent)
        break
      case 'subagent.started':
        yield* this.#started(record, data, at)
        break
      case 'session.compaction_complete':
        yield { t: 'compacted', at, agent }
        break
      case 'session.shutdown':
        // Messages have only output tokens; this summary has the rest.
        for (const [model, value] of Object.entries(fieldsOf(data.modelMetrics))) {
          const usage = this.#ofSession.rest(fieldsOf(value).usage)
          yield { t: 'usage', usage: named(usage), model, at }
        }
        break
      default:
        this.#log.skipType(type)
    }
  }

  /** Returns the sub-agent that an event is from. */
  #agentIn({ agentId }: Fields, { parentToolCallId }: Fields): string | undefined {
    const call = stringOf(parentToolCallId)
    const agent = stringOf(agentId) ?? (call && (this.#agentOf.get(call) ?? call))
    if (agent === undefined || this.#log.agents.has(agent)) return agent
    this.#log.agent(agent, { parent: '', ...(call !== undefined && { parentCall: call }) })
    return agent
  }

  *#started({ agentId }: Fields, data: Fields, at: unknown): Iterable<RawEvent> {
    const call = stringOf(data.toolCallId)
    const child = stringOf(agentId) ?? call
    if (child === undefined) return
    if (call !== undefined) this.#agentOf.set(call, child)
    const parent = stringOf(data.parentId) ?? ''
    const name = stringOf(data.agentName)
    this.#log.agent(child, { name, parent, ...(call !== undefined && { parentCall: call }) })
    yield { t: 'spawn', id: call, child, at, agent: parent || undefined }
  }

  /** Reads reasoning, which may be in an event of its own, in the message, or in both. */
  *#reason(text: unknown, at: unknown, agent: string | undefined): Iterable<RawEvent> {
    if (text !== this.#reasoning) yield { t: 'chunk', text, channel: 'reasoning', at, agent }
    this.#reasoning = text
  }
}

const FIGURES = ['in', 'out', 'cacheRead', 'cacheWrite'] as const
type Figures = { -readonly [Key in (typeof FIGURES)[number]]?: number | undefined }

/** Usage that was reported, and that later figures include. */
class Reported {
  readonly #sum = { in: 0, out: 0, cacheRead: 0, cacheWrite: 0 }

  add(figures: Figures): void {
    for (const key of FIGURES) this.#sum[key] += figures[key] ?? 0
  }

  /** Returns how much more later figures say, and forgets what they include. */
  rest(usage: unknown): Figures {
    const figures = usageOf(usage)
    const rest: Figures = {}
    for (const key of FIGURES) {
      const figure = figures[key]
      if (figure === undefined) continue
      const included = Math.min(figure, this.#sum[key])
      this.#sum[key] -= included
      rest[key] = figure - included
    }
    return rest
  }
}

function named({ in: input, out: output, cacheRead, cacheWrite }: Figures): Fields {
  return { input, output, cacheRead, cacheWrite }
}

/** Returns the origin of a message: one that names its source was not typed by a person. */
function originOf(data: Fields, agent: string | undefined): 'harness' | undefined {
  const { source, isAutopilotContinuation } = data
  const isOther = typeof source === 'string' && source !== 'user'
  return isOther || isAutopilotContinuation === true || agent ? 'harness' : undefined
}

function completed(data: Fields, at: unknown, agent: string | undefined): RawEvent {
  const { toolCallId: id, success } = data
  const error = fieldsOf(data.error)
  const exitCode = numberOf(fieldsOf(data.shellExecution).exitCode)
  const isFailed = success === false
  const denied = isFailed && /denied|rejected/.test(wordOf(error.code))
  const content = fieldsOf(data.result).content ?? data.result
  const output = outputOf(content ?? error.message ?? data.error)
  const ok = isFailed ? false : success === true && !exitCode ? true : undefined
  return { t: 'result', id, ok, exitCode, denied, output, at, agent }
}
