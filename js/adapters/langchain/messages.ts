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
  const hasUserMessage = messages.at(-1)?.getType() === 'human'
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

/** Recognises messages by their type: LangGraph is used without LangChain, too. */
export const isModelMessage = (message: Message | undefined): message is AIMessage =>
  message?.getType() === 'ai'

const isToolMessage = (message: Message | undefined): message is ToolMessage =>
  message?.getType() === 'tool'

function resultOf({ tool_call_id: id, name, status, content }: ToolMessage): ToolResult {
  return { id, name, ok: status !== 'error', output: content }
}

function contentOf(
  message: AIMessage,
  results: readonly ToolResult[],
  hasUserMessage: boolean,
): StepContent {
  const hosted = hostedCalls(message)
  const own = (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args }))
  return {
    calls: [...own, ...hosted.calls],
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
    return message.contentBlocks
  } catch {
    // LangChain cannot read this content.
    return []
  }
}
