/**
 * Steps: a nudge before one, a stop after one, and what is learnt from its content.
 *
 * @module
 */

import type { LoopGuard, StepContent, ToolCall, ToolResult } from 'loophound'
import { failureText } from '../shared/failure.js'
import type { PrepareStep, Step, StopCondition } from './types.js'

/** Adds the nudge to what the user's own function makes of the messages. */
export function guardPrepareStep(own: PrepareStep | undefined, guard: LoopGuard): PrepareStep {
  return async (options) => {
    const { stepNumber, messages } = options
    if (stepNumber === 0 && messages.at(-1)?.role === 'user') guard.userMessage()
    guard.beginStep()
    const prepared = await own?.(options)
    const content = guard.takeNudge()
    if (content === null) return prepared
    return {
      ...prepared,
      messages: [...(prepared?.messages ?? messages), { role: 'user', content }],
    }
  }
}

/** Adds a condition to the user's own. It is asked once after each step that another may follow. */
export function guardStopWhen(
  own: StopCondition | readonly StopCondition[],
  guard: LoopGuard,
): readonly StopCondition[] {
  let ended = 0
  const isStopped: StopCondition = ({ steps }) => {
    if (steps.length > ended) {
      ended = steps.length
      guard.endStep(contentOf(steps.at(-1)))
    }
    // The next one begins here, where it can still be prevented.
    return !guard.beginStep()
  }
  return [...(typeof own === 'function' ? [own] : own), isStopped]
}

/** Also holds what the guard was not asked about: the calls that the provider runs itself. */
function contentOf(step: Step | undefined): StepContent {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  for (const part of step?.content ?? []) {
    const { toolCallId: id, toolName: name, input, output, error } = part
    if (name === undefined) continue
    if (part.type === 'tool-call') calls.push({ id, name, args: input })
    else if (part.type === 'tool-error') {
      results.push({ id, name, ok: false, output: failureText(error) })
    } else if (part.type === 'tool-result' && !part.preliminary) {
      results.push({ id, name, ok: true, output })
    }
  }
  return { calls, results, text: step?.text ?? '' }
}
