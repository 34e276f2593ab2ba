/**
 * Responses.
 *
 * @module
 */

import type { LoopGuard, ToolCall, ToolResult } from 'loophound'
import { type RequestedCall, type RunTool, requestedCall, runAll } from '../shared/tools.js'
import { type Abortable, watch } from '../shared/watch.js'
import { nudgeMessages } from './chat.js'

/** An item of `response.output`; which fields it has depends on its type. */
export interface ResponseItem {
  readonly type: string
}

/** An item to send with the next request: a call's result, or a nudge. */
export type ResponseReply =
  | { type: 'function_call_output'; call_id: string; output: string }
  | { type: 'custom_tool_call_output'; call_id: string; output: string }
  | { role: 'user'; content: string }

/**
 * Runs the tool calls of a response that the guard lets run, and ends the step. Calls that OpenAI
 * runs itself, such as web searches, are recorded.
 *
 * @param response The response, of which `output` is read.
 * @param run Runs a tool.
 * @returns What to send next: a result for every call, and a nudge if there is one.
 *
 * @example
 * ```ts
 * const guard = new LoopGuard()
 * while (guard.beginStep()) {
 *   const response = await client.responses.create({ model, input, tools, previous_response_id })
 *   previous_response_id = response.id
 *   input = await answerResponse(guard, response, runTool)
 *   if (input.length === 0) break
 * }
 * ```
 */
export async function answerResponse(
  guard: LoopGuard,
  response: { readonly output: readonly ResponseItem[]; readonly output_text?: string },
  run: RunTool,
): Promise<ResponseReply[]> {
  const items = response.output as readonly Item[]
  const own = items.filter(isOwnCall)
  const answers = await runAll(guard, own.map(readCall), run)
  const replies = own.map(({ type, call_id = '' }, index): ResponseReply => {
    const output = answers[index]?.text ?? ''
    return type === 'custom_tool_call'
      ? { type: 'custom_tool_call_output', call_id, output }
      : { type: 'function_call_output', call_id, output }
  })
  guard.endStep({ ...hostedCalls(items), text: response.output_text ?? '' })
  return [...replies, ...nudgeMessages(guard)]
}

/** All fields that are read, of items of any type. */
interface Item extends ResponseItem {
  readonly id?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly input?: string
  readonly action?: unknown
  readonly queries?: unknown
  readonly code?: unknown
  readonly output?: unknown
  readonly error?: unknown
}

const isOwnCall = ({ type }: Item): boolean =>
  type === 'function_call' || type === 'custom_tool_call'

function readCall(item: Item): RequestedCall {
  const isJson = item.type === 'function_call'
  const text = (isJson ? item.arguments : item.input) ?? ''
  return requestedCall(item.call_id ?? '', item.name ?? '', text, isJson)
}

/** Collects what OpenAI ran itself: items such as `web_search_call` and `mcp_call`. */
function hostedCalls(items: readonly Item[]): { calls: ToolCall[]; results: ToolResult[] } {
  const ran = items.filter((item) => item.type.endsWith('_call') && !isOwnCall(item))
  const calls = ran.map((item) => {
    const args = item.arguments ?? item.action ?? item.queries ?? item.code
    return { id: item.id, name: item.name ?? item.type, args }
  })
  const results = ran.flatMap(({ id, output, error }) =>
    output == null && error == null ? [] : { id, ok: error == null, output: error ?? output },
  )
  return { calls, results }
}

/**
 * Passes on the events of a stream, and aborts it when its text loops.
 *
 * @example
 * ```ts
 * const stream = await client.responses.create({ model, input, stream: true })
 * for await (const event of watchResponse(guard, stream)) show(event)
 * ```
 */
export function watchResponse<Event extends ResponseItem>(
  guard: LoopGuard,
  stream: AsyncIterable<Event> & Abortable,
): AsyncGenerator<Event, void, void> {
  return watch(guard, stream, (event) => {
    const { delta } = event as { readonly delta?: unknown }
    if (event.type === 'response.output_text.delta') return { text: delta }
    return /^response\.reasoning(_summary)?_text\.delta$/.test(event.type)
      ? { reasoning: delta }
      : {}
  })
}
