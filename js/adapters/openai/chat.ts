/**
 * Chat Completions.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { type RequestedCall, type RunTool, requestedCall, runAll } from '../shared/tools.js'
import { type Abortable, watch } from '../shared/watch.js'

/** The parts of an assistant message that are used. */
export interface ChatMessage {
  readonly content?: unknown
  readonly tool_calls?: readonly ChatToolCall[] | null | undefined
}

/** A call in an assistant message: of a function, or of a custom tool that takes text. */
export interface ChatToolCall {
  readonly id: string
  readonly function?: { readonly name: string; readonly arguments: string }
  readonly custom?: { readonly name: string; readonly input: string }
}

/** A message to append: a call's result, or a nudge. */
export type ChatReply =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: string }

/**
 * Runs the tool calls of an assistant message that the guard lets run, and ends the step.
 *
 * @param run Runs a tool.
 * @returns What to append after the message: a result for every call, and a nudge if there is one.
 *
 * @example
 * ```ts
 * const guard = new LoopGuard()
 * while (guard.beginStep()) {
 *   const { choices } = await client.chat.completions.create({ model, messages, tools })
 *   const { message } = choices[0]
 *   messages.push(message, ...(await answerChat(guard, message, runTool)))
 *   if (!message.tool_calls) break
 * }
 * ```
 */
export async function answerChat(
  guard: LoopGuard,
  message: ChatMessage,
  run: RunTool,
): Promise<ChatReply[]> {
  const calls = (message.tool_calls ?? []).flatMap((call) => readCall(call) ?? [])
  const answers = await runAll(guard, calls, run)
  const replies = calls.map(
    ({ id }, index): ChatReply => ({
      role: 'tool',
      tool_call_id: id,
      content: answers[index]?.text ?? '',
    }),
  )
  guard.endStep({ text: typeof message.content === 'string' ? message.content : '' })
  return [...replies, ...nudgeMessages(guard)]
}

function readCall({ id, function: call, custom }: ChatToolCall): RequestedCall | null {
  if (call) return requestedCall(id, call.name, call.arguments, true)
  return custom ? requestedCall(id, custom.name, custom.input, false) : null
}

/** Returns the nudge as a message, unless the run is over. */
export function nudgeMessages(guard: LoopGuard): { role: 'user'; content: string }[] {
  const content = guard.shouldStop ? null : guard.takeNudge()
  return content === null ? [] : [{ role: 'user', content }]
}

interface ChatChunk {
  readonly choices: readonly { readonly delta?: object | undefined }[]
}

/**
 * Passes on the chunks of a stream, and aborts it when its text loops.
 *
 * @example
 * ```ts
 * const stream = await client.chat.completions.create({ model, messages, stream: true })
 * for await (const chunk of watchChat(guard, stream)) show(chunk)
 * ```
 */
export function watchChat<Chunk extends ChatChunk>(
  guard: LoopGuard,
  stream: AsyncIterable<Chunk> & Abortable,
): AsyncGenerator<Chunk, void, void> {
  return watch(guard, stream, ({ choices }) => {
    // Several providers of the same API have `reasoning_content`.
    const delta = choices[0]?.delta as Readonly<Record<string, unknown>> | undefined
    return { text: delta?.content, reasoning: delta?.reasoning_content }
  })
}
