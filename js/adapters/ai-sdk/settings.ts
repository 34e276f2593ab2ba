/**
 * The settings of one run, or of an agent, with a guard in them.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { guardApproval } from './approval.js'
import { guardPrepareStep, guardStopWhen } from './steps.js'
import { guardTools } from './tools.js'
import type { AgentSettings, CallSettings } from './types.js'

/** What `generateText` or `streamText` is called with. */
export function guardCall(settings: CallSettings, guard: LoopGuard): CallSettings {
  const { tools, prepareStep, stopWhen, toolApproval } = settings
  return {
    ...settings,
    prepareStep: guardPrepareStep(prepareStep, guard),
    ...(tools && { tools: guardTools(tools, guard) }),
    // Absent, it means one step only. A condition of ours alone would mean any number.
    ...(stopWhen && { stopWhen: guardStopWhen(stopWhen, guard) }),
    ...(toolApproval && { toolApproval: guardApproval(toolApproval, guard) }),
  }
}

/**
 * What an agent is made with. It may have several runs at a time, and `prepareCall` is where each
 * of them begins; there, `stopWhen` is never absent.
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
