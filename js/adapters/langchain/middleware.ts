/**
 * The two hooks of the middleware: around a model call, where a step ends and the next begins, and
 * around a tool call, which is refused if that was decided.
 *
 * @module
 */

import { Command } from '@langchain/langgraph'
import {
  AIMessage,
  HumanMessage,
  MiddlewareError,
  type ModelRequest,
  type ToolCallRequest,
  ToolMessage,
} from 'langchain'
import type { LoopGuard } from 'loophound'
import { lastStep } from './messages.js'
import { FIELD, type Saved, type Threads } from './threads.js'

type ModelAnswer = AIMessage | Command
type ToolAnswer = ToolMessage | Command

export async function answerModel(
  threads: Threads,
  request: ModelRequest,
  handler: (request: ModelRequest) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { state, runtime } = request
  const saved = state[FIELD] as Saved | undefined
  const turn = threads.open(saved, runtime)
  const { guard } = turn
  // A model call that is tried again is the same turn.
  turn.mayAsk ??= begin(guard, state.messages)
  if (turn.mayAsk) turn.nudge ??= guard.takeNudge({ sticky: true })
  const answer = turn.mayAsk
    ? await handler(withNudge(request, turn.nudge ?? null))
    : farewell(guard)
  threads.leave(saved)
  // A structured response is the last thing a run says, and has a form of its own.
  if (!turn.mayAsk || !AIMessage.isInstance(answer)) return answer
  const next = threads.save(guard, judge(guard, answer), runtime)
  // LangChain takes the model's message with it.
  return new Command({ update: { [FIELD]: next } })
}

/** Ends the step before; says whether there may be another. */
function begin(guard: LoopGuard, messages: ModelRequest['messages']): boolean {
  const { content, isAnswered } = lastStep(messages)
  guard.endStep(content)
  if (isAnswered) guard.userMessage()
  return guard.beginStep()
}

function withNudge(request: ModelRequest, nudge: string | null): ModelRequest {
  if (nudge === null) return request
  return { ...request, messages: [...request.messages, new HumanMessage(nudge)] }
}

/** What to answer those calls with that may not run. */
function judge(guard: LoopGuard, { tool_calls: calls = [] }: AIMessage): Saved['refused'] {
  const decisions = guard.calls(calls.map(({ id, name, args }) => ({ id, name, args })))
  const refused = calls.flatMap(({ id }, index) => {
    const reply = decisions[index]?.reply
    return id === undefined || reply == null ? [] : [[id, reply] as const]
  })
  return Object.fromEntries(refused)
}

/** Without calls, so that the run ends with it. */
function farewell({ stopped }: LoopGuard): AIMessage {
  return new AIMessage({
    content: stopped?.message ?? '',
    response_metadata: { loophound: stopped },
  })
}

export async function answerTool(
  request: ToolCallRequest,
  handler: (request: ToolCallRequest) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
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
