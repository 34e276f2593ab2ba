/**
 * What the messages tell about the step that is over.
 *
 * @module
 */

import { AIMessage, type Message, ToolMessage } from 'langchain'
import type { StepContent, ToolCall, ToolResult } from 'loophound'

interface LastStep {
  readonly content: StepContent
  /** Whether a person has spoken since. */
  readonly isAnswered: boolean
}

export function lastStep(messages: readonly Message[]): LastStep {
  const isAnswered = messages.at(-1)?.getType() === 'human'
  const results: ToolResult[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (AIMessage.isInstance(message)) {
      return { content: contentOf(message, results, isAnswered), isAnswered }
    }
    if (ToolMessage.isInstance(message)) results.unshift(resultOf(message))
  }
  return { content: { results }, isAnswered }
}

function resultOf({ tool_call_id: id, name, status, content }: ToolMessage): ToolResult {
  return { id, name, ok: status !== 'error', output: content }
}

function contentOf(
  message: AIMessage,
  results: readonly ToolResult[],
  isAnswered: boolean,
): StepContent {
  const served = servedBy(message)
  const own = (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args }))
  return {
    calls: [...own, ...served.calls],
    results: [...results, ...served.results],
    // What a person has replied to is not a turn that went by without anything being done.
    text: isAnswered ? '' : message.text,
  }
}

/** A part of a message, in LangChain's own form. */
interface Block {
  readonly type?: string
  readonly id?: string
  readonly name?: string
  readonly args?: unknown
  readonly toolCallId?: string
  readonly status?: string
  readonly output?: unknown
}

/** The calls that the model's provider ran itself, such as web searches. */
function servedBy(message: AIMessage): { calls: ToolCall[]; results: ToolResult[] } {
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

/** Text alone has no parts, and to take a message apart has its price. */
function blocksOf(message: AIMessage): readonly Block[] {
  if (!Array.isArray(message.content)) return []
  try {
    return message.contentBlocks
  } catch {
    // Content that LangChain cannot read: nothing is learnt from it.
    return []
  }
}
