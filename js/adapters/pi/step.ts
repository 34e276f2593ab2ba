/**
 * Reads a turn of pi.
 *
 * @module
 */

import type { StepContent } from 'loophound'
import type { ContentPart, ToolResultMessage, TurnEnd } from './types.js'

/** Returns the content of a turn. Results come from here, when those of all parallel calls are known. */
export function contentOf({ message, toolResults }: TurnEnd): StepContent {
  const parts: readonly ContentPart[] = Array.isArray(message.content) ? message.content : []
  const calls = parts
    .filter(({ type }) => type === 'toolCall')
    .map(({ id, name = '', arguments: args }) => ({ id, name, args }))
  // An aborted turn says nothing about its tools.
  if (message.stopReason === 'aborted') return { calls }
  const results = toolResults.map((result) => ({
    id: result.toolCallId,
    name: result.toolName,
    ok: !result.isError,
    output: outputOf(result),
  }))
  const text = parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('')
  return { calls, results, text }
}

/** Returns the text of a result; all of its content if there is more than text. */
function outputOf({ content }: ToolResultMessage): unknown {
  const texts = content.map(({ text }) => text)
  return texts.every((text) => text !== undefined) ? texts.join('\n') : content
}
