/**
 * Reads a model's message: text, calls, and what the API ran itself.
 *
 * @module
 */

import type { StepContent, ToolCall, ToolResult } from 'loophound'
import type { AnyBlock, Block } from './types.js'

/**
 * Collects calls, results and text. Calls are blocks of the types `tool_use`, `server_tool_use` and
 * `mcp_tool_use`; results of those that the API ran, such as `web_search_tool_result`, are in the same
 * message.
 */
export function contentOf(blocks: readonly Block[], answers: readonly Block[] = []): StepContent {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  let text = ''
  for (const block of [...blocks, ...answers] as readonly AnyBlock[]) {
    const { id, name = '', input, tool_use_id } = block
    if (block.type === 'text') text += block.text ?? ''
    else if (block.type.endsWith('tool_use')) calls.push({ id, name, args: input })
    else if (block.type.endsWith('tool_result') && tool_use_id !== undefined) {
      results.push({ id: tool_use_id, ok: !isError(block), output: outputOf(block.content) })
    }
  }
  return { calls, results, text }
}

/** Returns whether a tool failed; for tools that the API runs, by the type of their content. */
function isError({ is_error, content }: AnyBlock): boolean {
  if (is_error !== undefined) return is_error
  return (content as Partial<Block> | null | undefined)?.type?.endsWith('_error') ?? false
}

/** Joins blocks of text; returns anything else as it is. */
export function outputOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map((block: AnyBlock | null) => block?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content
}
