/**
 * Reads the last step from the messages.
 *
 * @module
 */

import type { AIMessage, Message, ToolMessage } from 'langchain'
import type { StepContent, ToolCall, ToolResult } from 'loophound'

interface LastStep {
  readonly content: StepContent
  /** Whether a person has written since. */
  readonly hasUserMessage: boolean
}

/** Returns the content of the last step, and whether a person has written since. */
export function lastStep(messages: readonly Message[]): LastStep {
  const hasUserMessage = typeOf(messages.at(-1)) === 'human'
  const results: ToolResult[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (isModelMessage(message)) {
      return { content: contentOf(message, results, hasUserMessage), hasUserMessage }
    }
    if (isToolMessage(message)) results.unshift(resultOf(message))
  }
  return { content: { results }, hasUserMessage }
}

/** The types of messages that are plain objects, by their role. */
const TYPES: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' }

/** Returns the type of a message; a graph of one's own may hold plain objects with a role. */
export function typeOf(message: Message | undefined): string | undefined {
  if (isInstance(message)) return message.getType()
  const { role = '' } = (message ?? {}) as { role?: string }
  return Object.hasOwn(TYPES, role) ? TYPES[role] : role
}

/** Returns whether a message is an instance of a class of LangChain, not a plain object. */
export const isInstance = (message: Message | undefined): message is Message =>
  typeof message?.getType === 'function'

/** Recognises messages by their type: LangGraph is used without LangChain, too. */
export const isModelMessage = (message: Message | undefined): message is AIMessage =>
  typeOf(message) === 'ai'

export const isToolMessage = (message: Message | undefined): message is ToolMessage =>
  typeOf(message) === 'tool'

/** Returns the calls of a model's message, as the guard takes them. */
export function callsOf({ tool_calls: calls }: AIMessage): ToolCall[] {
  return (calls ?? []).map(({ id, name, args, function: inner }) =>
    inner ? { id, name: inner.name, arguments: inner.arguments } : { id, name, args },
  )
}

function resultOf({ tool_call_id: id, name, status, content }: ToolMessage): ToolResult {
  // Without a status it is not known whether the tool worked.
  return { id, name, ...(status && { ok: status !== 'error' }), output: content }
}

function contentOf(
  message: AIMessage,
  results: readonly ToolResult[],
  hasUserMessage: boolean,
): StepContent {
  const hosted = hostedCalls(message)
  return {
    calls: [...callsOf(message), ...hosted.calls],
    results: [...results, ...hosted.results],
    // A text that a person has replied to is not a turn without progress.
    text: hasUserMessage ? '' : message.text,
  }
}

/** A part of a message, in LangChain's own format. */
interface Block {
  readonly type?: string
  readonly id?: string
  readonly name?: string
  readonly args?: unknown
  readonly toolCallId?: string
  readonly status?: string
  readonly output?: unknown
}

/** Collects the calls that the model's provider ran itself, such as web searches. */
function hostedCalls(message: AIMessage): { calls: ToolCall[]; results: ToolResult[] } {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  for (const { type, id, name, args, toolCallId, status, output } of blocksOf(message)) {
    if (type === 'server_tool_call' && name !== undefined) calls.push({ id, name, args })
    if (type === 'server_tool_call_result') {
      results.push({ id: toolCallId, ok: status !== 'error', output })
    }
  }
  return { calls, results }
}

/** Returns the parts of a message; none for plain text, because splitting a message is slow. */
function blocksOf(message: AIMessage): readonly Block[] {
  if (!Array.isArray(message.content)) return []
  try {
    return message.contentBlocks ?? []
  } catch {
    // LangChain cannot read this content.
    return []
  }
}
