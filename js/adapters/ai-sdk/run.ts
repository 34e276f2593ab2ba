/**
 * Adds a guard to the settings of one run or of an agent: a nudge before a step, a stop after one.
 *
 * @module
 */

import type { LoopGuard, StepContent, ToolCall, ToolResult } from 'loophound'
import { failureText } from '../shared/tools.js'
import { lastAnswered } from './messages.js'
import { guardApproval, guardTools } from './tools.js'
import type {
  AgentSettings,
  CallSettings,
  Message,
  PrepareStep,
  Step,
  StopCondition,
} from './types.js'
import { sayStopped, watchModel } from './watch.js'

/** Adds a guard to the settings of `generateText` or `streamText`. */
export function guardCall(settings: CallSettings, guard: LoopGuard): CallSettings {
  const { tools, prepareStep, stopWhen, toolApproval } = settings
  return {
    ...settings,
    prepareStep: guardPrepareStep(prepareStep, guard),
    ...(tools && { tools: guardTools(tools, guard) }),
    // If absent, there is only one step; our condition alone would mean any number of
    // steps.
    ...(stopWhen && { stopWhen: guardStopWhen(stopWhen, guard) }),
    ...(toolApproval && { toolApproval: guardApproval(toolApproval, guard) }),
  }
}

/**
 * Adds a guard to each run of an agent. An agent may have several runs at a time, and each begins with
 * `prepareCall`; there, `stopWhen` is never absent.
 */
export function guardAgent(
  settings: AgentSettings,
  guardOf: (call: CallSettings) => LoopGuard,
): AgentSettings {
  return {
    ...settings,
    prepareCall: async (call) => {
      const prepared = (await settings.prepareCall?.(call)) ?? call
      return guardCall(prepared, guardOf(prepared))
    },
  }
}

/** Adds the nudge to the messages that the user's own function returns, and watches the model. */
function guardPrepareStep(own: PrepareStep | undefined, guard: LoopGuard): PrepareStep {
  return async (options) => {
    const { stepNumber, messages } = options
    if (stepNumber === 0) beginRun(messages, guard)
    const isStopped = !guard.beginStep()
    const prepared = await own?.(options)
    const model = prepared?.model ?? options.model
    if (isStopped && typeof model === 'object') {
      return { ...prepared, model: sayStopped(model, guard) }
    }
    const content = guard.takeNudge()
    return {
      ...prepared,
      // A model that is given by its name cannot be watched.
      ...(typeof model === 'object' && { model: watchModel(model, guard) }),
      ...(content !== null && {
        messages: [...(prepared?.messages ?? messages), { role: 'user', content }],
      }),
    }
  }
}

/**
 * Reports what happened since the last run: a person spoke, or the client ran the tools that have no
 * `execute`. The guard ignores the calls that it knows.
 */
function beginRun(messages: readonly Message[], guard: LoopGuard): void {
  const answered = lastAnswered(messages)
  if (messages.at(-1)?.role === 'user') guard.userMessage()
  else if (answered.results.length > 0) guard.endStep(answered)
}

/**
 * Adds a condition to the user's own. It is evaluated once after each step that another may follow.
 */
function guardStopWhen(
  own: StopCondition | readonly StopCondition[],
  guard: LoopGuard,
): readonly StopCondition[] {
  let ended = 0
  const isStopped: StopCondition = ({ steps }) => {
    if (steps.length > ended) {
      ended = steps.length
      guard.endStep(contentOf(steps.at(-1)))
    }
    // The next step begins here, where it can still be prevented.
    return !guard.beginStep()
  }
  return [...(typeof own === 'function' ? [own] : own), isStopped]
}

/** Reads a step's content, which includes calls that the provider ran itself. */
export function contentOf(step: Step | undefined): StepContent {
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
