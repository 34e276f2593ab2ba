/**
 * The hooks of one agent.
 *
 * @module
 */

import type { LoopGuard, ToolCall, ToolResult } from 'loophound'
import type { AgentMessage, LoopGuardHooks, Part, RuntimeEvent, Snapshot } from './types.js'

/** The channels of the events that have text. */
const CHANNELS: Readonly<Record<string, 'text' | 'reasoning'>> = {
  'assistant-text-delta': 'text',
  'assistant-reasoning-delta': 'reasoning',
}

export function guardHooks(guard: LoopGuard): LoopGuardHooks {
  const steps = new Steps(guard)
  return {
    beforeModel({ snapshot, request }) {
      if (!steps.begin(snapshot)) {
        return { stop: true, reason: guard.outcome.summary ?? 'The run was stopped.' }
      }
      // Only this request gets it: the runtime keeps its own messages.
      const nudge = guard.takeNudge({ sticky: true })
      return nudge === null ? undefined : { messages: withNudge(request.messages, nudge) }
    },
    afterModel({ assistantMessage }) {
      steps.text = textOf(assistantMessage)
      return undefined
    },
    beforeTool({ toolCall: { toolCallId: id, toolName: name }, input }) {
      const { reply } = guard.call({ id, name, args: input })
      return reply === null ? undefined : { skip: true, reason: reply }
    },
    afterTool({ toolCall: { toolCallId: id, toolName: name }, result: { output, isError } }) {
      guard.result(
        isError === true
          ? { id, name, ok: false, output: errorText(output) }
          : { id, name, output },
      )
      return undefined
    },
    afterRun({ result }) {
      // If the run was aborted, it is unknown whether the step is over.
      if (result.status === 'completed') steps.end()
    },
    onEvent(event) {
      const { type, message, text } = event
      if (type === 'message-added' && message && isFromPerson(message)) guard.userMessage()
      if (type === 'tool-finished') steps.addHosted(event)
      const channel = CHANNELS[type]
      if (channel === undefined || text === undefined) return
      // An error is the only way for a hook to end a response early.
      if (guard.pushText(text, channel)) throw new Error(reasonOf(guard))
    },
  }
}

/** The steps of an agent, one after the other. */
class Steps {
  readonly #guard: LoopGuard
  /** The turn of the step; the hook is called for it again when the request is repeated. */
  #turn = ''
  #mayAsk = false
  #calls: ToolCall[] = []
  #results: ToolResult[] = []
  /** What the model said in this step. */
  text = ''

  constructor(guard: LoopGuard) {
    this.#guard = guard
  }

  /** Begins a step, unless it has begun; returns whether the model may be called. */
  begin({ runId = '', iteration }: Snapshot): boolean {
    const turn = `${runId} ${iteration}`
    if (turn === this.#turn) return this.#mayAsk
    this.end()
    this.#turn = turn
    this.#mayAsk = this.#guard.beginStep()
    return this.#mayAsk
  }

  end(): void {
    this.#guard.endStep({ calls: this.#calls, results: this.#results, text: this.text })
    this.#calls = []
    this.#results = []
    this.text = ''
  }

  /** Adds a call that the model's provider ran itself. */
  addHosted({ toolCall, message }: RuntimeEvent): void {
    if (toolCall?.execution === undefined) return
    const { toolCallId: id, toolName: name, input: args } = toolCall
    const result = message?.content.find(({ type }) => type === 'tool-result')
    const { output, isError } = (result ?? {}) as { output?: unknown; isError?: boolean }
    this.#calls.push({ id, name, args })
    this.#results.push({ id, output, ...(isError === true ? { ok: false } : {}) })
  }
}

/** Adds the nudge to the messages of one request. */
function withNudge<Message>(messages: readonly Message[], text: string): readonly Message[] {
  const nudge = {
    id: `loophound_${messages.length}`,
    role: 'user',
    content: [{ type: 'text', text }],
    createdAt: Date.now(),
  }
  return [...messages, nudge as Message]
}

/** Returns whether a message is from a person, and was not added by the runtime. */
function isFromPerson({ role, metadata }: AgentMessage): boolean {
  return role === 'user' && metadata?.userRunSpan !== 0
}

const textOf = ({ content }: AgentMessage): string =>
  content
    .map((part) => (part.type === 'text' ? String((part as Part & { text?: unknown }).text) : ''))
    .join('')

/** Returns the error of a tool, which the runtime wraps in an object. */
function errorText(output: unknown): unknown {
  const { error } = (typeof output === 'object' && output ? output : {}) as { error?: unknown }
  return typeof error === 'string' ? error : output
}

/** Returns why text was cut off, for people. */
const reasonOf = ({ detector }: LoopGuard): string =>
  detector.verdict.summary ?? 'The text repeats itself.'
