/**
 * The user's `toolApproval` (version 7), asked only about calls that the guard lets run.
 *
 * @module
 */

import type { Decision, LoopGuard } from 'loophound'
import type { ToolApproval, ToolCallOptions } from './types.js'

export function guardApproval(approval: ToolApproval, guard: LoopGuard): ToolApproval {
  if (typeof approval === 'function') {
    return (request) => {
      const { toolCallId: id, toolName: name = '', input } = request.toolCall
      const decision = guard.call({ id, name, args: input })
      return decision.run ? approval(request) : denial(decision)
    }
  }
  const entries = Object.entries(approval).map(([name, status]) => {
    const guarded = (input: unknown, options: ToolCallOptions) => {
      const decision = guard.call({ id: options?.toolCallId, name, args: input })
      if (!decision.run) return denial(decision)
      return typeof status === 'function' ? status(input, options) : status
    }
    // No entry means that the tool decides, and so does an entry that is undefined.
    return [name, status == null ? status : guarded]
  })
  return Object.fromEntries(entries)
}

const denial = ({ reply }: Decision) => ({ type: 'denied', reason: reply })
