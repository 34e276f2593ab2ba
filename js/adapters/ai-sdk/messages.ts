/**
 * Reads the end of a conversation.
 *
 * @module
 */

import type { ToolCall, ToolResult } from 'loophound'
import type { Message } from './types.js'

/** The calls that were answered last, with their results. */
export interface AnsweredCalls {
  readonly calls: readonly ToolCall[]
  readonly results: readonly ToolResult[]
}

/** Reads the results at the end of a conversation, and the calls that they are of. */
export function lastAnswered(messages: readonly Message[]): AnsweredCalls {
  const asked = messages.findLastIndex(({ role }) => role !== 'tool')
  const results = messages
    .slice(asked + 1)
    .flatMap(partsOf)
    .flatMap(resultOf)
  const ids = new Set(results.map(({ id }) => id))
  const calls = partsOf(messages[asked]).flatMap(({ type, toolCallId, toolName, input }) =>
    type === 'tool-call' && ids.has(toolCallId)
      ? [{ id: toolCallId, name: toolName ?? '', args: input }]
      : [],
  )
  return { calls, results }
}

interface MessagePart {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: { readonly type: string; readonly value?: unknown }
}

function partsOf(message: Message | undefined): readonly MessagePart[] {
  return Array.isArray(message?.content) ? message.content : []
}

/** What a person denied has no result of the tool. */
function resultOf({ type, toolCallId, toolName, output }: MessagePart): ToolResult[] {
  if (type !== 'tool-result' || !output || output.type === 'execution-denied') return []
  const ok = !output.type.startsWith('error')
  return [{ id: toolCallId, name: toolName, ok, output: output.value } as ToolResult]
}
