/**
 * A model call: what came of the step before it, a nudge for it or a stop instead of it, and what is
 * decided on the calls that it answers with.
 *
 * @module
 */

import { Command } from '@langchain/langgraph'
import { AIMessage, HumanMessage, type ModelRequest } from 'langchain'
import type { LoopGuard } from 'loophound'
import { lastStep } from './messages.js'
import { FIELD, type Saved, type Threads } from './threads.js'

type Answer = AIMessage | Command

export async function answerModel(
  threads: Threads,
  request: ModelRequest,
  handler: (request: ModelRequest) => Promise<Answer>,
): Promise<Answer> {
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
