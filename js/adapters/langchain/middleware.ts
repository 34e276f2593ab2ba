/**
 * The two hooks of the middleware: around a model call, where a step ends and the next begins, and
 * around a tool call, which may be refused.
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
import { beginStep, refusals, stopMessage } from './steps.js'
import { FIELD, type Saved, type Threads } from './threads.js'

type ModelAnswer = AIMessage | Command
type ToolAnswer = ToolMessage | Command

/** Ends the step before a model call, adds a nudge or stops, and decides on the calls it returns. */
export async function answerModel(
  threads: Threads,
  request: ModelRequest,
  handler: (request: ModelRequest) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { state, runtime } = request
  const saved = state[FIELD] as Saved | undefined
  const turn = threads.open(saved, runtime)
  const { guard } = turn
  // A retried model call is the same turn.
  turn.mayCall ??= beginStep(guard, state.messages)
  if (turn.mayCall) turn.nudge ??= guard.takeNudge({ sticky: true })
  const answer = turn.mayCall
    ? await handler(withNudge(request, turn.nudge ?? null))
    : new AIMessage(stopMessage(guard))
  threads.leave(saved)
  // A structured response is the last message of a run, and has its own format.
  if (!turn.mayCall || !AIMessage.isInstance(answer)) return answer
  const refused = refusals(guard, answer)
  // The last turn of a run calls no tools.
  if (!answer.tool_calls?.length) guard.endStep()
  const next = threads.save(guard, refused, runtime)
  // LangChain adds the model's message to it.
  return new Command({ update: { [FIELD]: next } })
}

function withNudge(request: ModelRequest, nudge: string | null): ModelRequest {
  if (nudge === null) return request
  return { ...request, messages: [...request.messages, new HumanMessage(nudge)] }
}

/** Refuses a tool call if that was decided; otherwise runs it as if there were no middleware. */
export async function answerTool(
  request: ToolCallRequest,
  handler: (request: ToolCallRequest) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const { id = '', name } = request.toolCall
  const saved = request.state[FIELD] as Saved | undefined
  const reply = saved && Object.hasOwn(saved.refused, id) ? saved.refused[id] : undefined
  if (reply !== undefined) return errorMessage(id, name, reply)
  try {
    return await handler(request)
  } catch (error) {
    // Without middleware around tools, LangChain reports a tool's error to the model; with it, the
    // run ends. The guard must not make that difference.
    if (isFinal(error, request)) throw error
    return errorMessage(id, name, `${error}\n Please fix your mistakes.`)
  }
}

const errorMessage = (id: string, name: string, content: string) =>
  new ToolMessage({ content, tool_call_id: id, name, status: 'error' })

/** Recognises interrupts, aborted runs, and errors that LangChain handles itself. */
function isFinal(error: unknown, { runtime }: ToolCallRequest): boolean {
  const { is_bubble_up, '~brand': brand } = (error ?? {}) as Record<string, unknown>
  return (
    is_bubble_up === true ||
    runtime.signal?.aborted === true ||
    MiddlewareError.isInstance(error) ||
    brand === 'ToolInvocationError'
  )
}
