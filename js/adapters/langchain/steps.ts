/**
 * The steps of an agent with its messages in its state, for both LangChain and LangGraph.
 *
 * @module
 */

import type { AIMessage, Message } from 'langchain'
import type { LoopGuard } from 'loophound'
import { callsOf, lastStep } from './messages.js'
import type { Saved } from './threads.js'

/** Ends the previous step and begins the next; returns whether it may begin. */
export function beginStep(guard: LoopGuard, messages: readonly Message[]): boolean {
  const { content, hasUserMessage } = lastStep(messages)
  guard.endStep(content)
  if (hasUserMessage) guard.userMessage()
  return guard.beginStep()
}

/** Returns the replies to refused calls. */
export function refusals(guard: LoopGuard, message: AIMessage): Saved['refused'] {
  const decisions = guard.calls(callsOf(message))
  const refused = (message.tool_calls ?? []).flatMap(({ id }, index) => {
    const reply = decisions[index]?.reply
    return id === undefined || reply == null ? [] : [[id, reply] as const]
  })
  return Object.fromEntries(refused)
}

/** Returns the fields of a message for the user, without calls, so that the run ends with it. */
export const stopMessage = ({ outcome }: LoopGuard) => ({
  content: outcome.summary ?? '',
  response_metadata: { loophound: { ...outcome } },
})
