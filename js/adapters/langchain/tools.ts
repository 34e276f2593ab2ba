/**
 * A tool call: refused if that was decided, else run as if there were no middleware.
 *
 * @module
 */

import type { Command } from '@langchain/langgraph'
import { MiddlewareError, type ToolCallRequest, ToolMessage } from 'langchain'
import { FIELD, type Saved } from './threads.js'

type Answer = ToolMessage | Command

export async function answerTool(
  request: ToolCallRequest,
  handler: (request: ToolCallRequest) => Promise<Answer>,
): Promise<Answer> {
  const { id = '', name } = request.toolCall
  const saved = request.state[FIELD] as Saved | undefined
  const reply = saved && Object.hasOwn(saved.refused, id) ? saved.refused[id] : undefined
  if (reply !== undefined) return failed(id, name, reply)
  try {
    return await handler(request)
  } catch (error) {
    // Without any middleware around tools LangChain tells the model what a tool has thrown; with
    // one, it ends the run. That one was added must not make the difference.
    if (isFinal(error, request)) throw error
    return failed(id, name, `${error}\n Please fix your mistakes.`)
  }
}

const failed = (id: string, name: string, content: string) =>
  new ToolMessage({ content, tool_call_id: id, name, status: 'error' })

/** Interrupts, aborted runs, and what LangChain has a way of its own for. */
function isFinal(error: unknown, { runtime }: ToolCallRequest): boolean {
  const { is_bubble_up, '~brand': brand } = (error ?? {}) as Record<string, unknown>
  return (
    is_bubble_up === true ||
    runtime.signal?.aborted === true ||
    MiddlewareError.isInstance(error) ||
    brand === 'ToolInvocationError'
  )
}
