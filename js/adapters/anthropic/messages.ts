/**
 * Your own agent loops on the Messages API.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { type CallAnswer, type RequestedCall, type RunTool, runAll } from '../shared/tools.js'
import { type Abortable, watch } from '../shared/watch.js'
import { contentOf } from './content.js'
import type { AnyBlock, AssistantMessage, Block } from './types.js'

/** A block of the message to append: a call's result, or a nudge. */
export type ReplyBlock =
  | {
      type: 'tool_result'
      tool_use_id: string
      /** Text; or the blocks that the tool returned. */
      content: string
      is_error?: boolean
    }
  | { type: 'text'; text: string }

/** The message to append after one that calls tools. */
export interface MessageReply {
  role: 'user'
  content: ReplyBlock[]
}

/**
 * Runs the tool calls of a message that the guard lets run, and ends the step. Calls that the API
 * ran itself, such as web searches, are recorded.
 *
 * @param message The model's message, of which `content` is read.
 * @param run Runs a tool. Its return value goes to the model: text and lists of content blocks as
 * they are, anything else as JSON. Errors go to the model as errors.
 * @returns What to append after the message: a result for every call, and a nudge if there is one;
 * `null` if it calls no tools.
 *
 * @example
 * ```ts
 * const guard = new LoopGuard()
 * while (guard.beginStep()) {
 *   const message = await client.messages.create({ model, max_tokens: 1024, messages, tools })
 *   messages.push({ role: 'assistant', content: message.content })
 *   const reply = await answerMessage(guard, message, runTool)
 *   if (!reply) break
 *   messages.push(reply)
 * }
 * ```
 */
export async function answerMessage(
  guard: LoopGuard,
  message: AssistantMessage,
  run: RunTool,
): Promise<MessageReply | null> {
  const calls = message.content.filter(({ type }) => type === 'tool_use').map(requestedCall)
  const answers = await runAll(guard, calls, run)
  const results = calls.map(({ id }, index) => resultBlock(id, answers[index]))
  guard.endStep(contentOf(message.content))
  if (results.length === 0) return null
  const nudge = guard.shouldStop ? null : guard.takeNudge()
  const added: ReplyBlock[] = nudge === null ? [] : [{ type: 'text', text: nudge }]
  return { role: 'user', content: [...results, ...added] }
}

function requestedCall(block: Block): RequestedCall {
  const { id = '', name = '', input = {} } = block as AnyBlock
  return { id, name, args: input, text: JSON.stringify(input) }
}

function resultBlock(tool_use_id: string, answer: CallAnswer | undefined): ReplyBlock {
  const { text = '', output, failed = false } = answer ?? {}
  return {
    type: 'tool_result',
    tool_use_id,
    content: isBlocks(output) ? output : text,
    ...(failed ? { is_error: true } : {}),
  }
}

/** Recognises content blocks, which are passed on as they are; the API checks their types. */
function isBlocks(output: unknown): output is string {
  return (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((block: Partial<Block> | null) => typeof block?.type === 'string')
  )
}

/**
 * Passes on the events of a stream, and aborts it when its text loops. Takes what `messages.create`
 * returns with `stream: true`, and what `messages.stream` returns.
 *
 * @example
 * ```ts
 * const stream = client.messages.stream({ model, max_tokens: 1024, messages })
 * for await (const event of watchMessage(guard, stream)) show(event)
 * ```
 */
export function watchMessage<Event extends Block>(
  guard: LoopGuard,
  stream: AsyncIterable<Event> & Abortable,
): AsyncGenerator<Event, void, void> {
  return watch(guard, stream, (event) => {
    if (event.type !== 'content_block_delta') return {}
    const { delta } = event as { readonly delta?: { text?: unknown; thinking?: unknown } }
    return { text: delta?.text, reasoning: delta?.thinking }
  })
}
