/**
 * The hooks of version 1, around every tool call.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { failureText } from '../shared/failure.js'
import type { HookCall, HookResult, ToolHooks } from './types.js'

export function guardHooks(own: ToolHooks, guard: LoopGuard): ToolHooks {
  return {
    ...own,
    async beforeToolCall(call: HookCall) {
      const { toolName: name, input: args, context } = call
      const { reply } = guard.call({ id: context?.toolCallId, name, args })
      // Nobody is asked about a call that is refused.
      return reply === null ? own.beforeToolCall?.(call) : { proceed: false, output: reply }
    },
    async afterToolCall(call: HookResult) {
      const { toolName: name, context, output, error } = call
      const ok = error === undefined
      const result = { id: context?.toolCallId, name, ok }
      guard.result({ ...result, output: ok ? output : failureText(error) })
      await own.afterToolCall?.(call)
    },
  }
}
