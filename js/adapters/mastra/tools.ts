/**
 * Guards tool calls: asks the guard before they run, and reports their results to it. Version 1 has
 * hooks for that; version 0 does not, so its tools are wrapped.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { failureText } from '../shared/tools.js'
import type {
  AgentLike,
  CallOptions,
  Execute,
  HookCall,
  HookResult,
  Tool,
  ToolHooks,
} from './types.js'

/** Adds the guard to the hooks of version 1, which run before and after every tool call. */
export function guardHooks(own: ToolHooks, guard: LoopGuard): ToolHooks {
  return {
    ...own,
    async beforeToolCall(call: HookCall) {
      const { toolName: name, input: args, context } = call
      const { reply } = guard.call({ id: context?.toolCallId, name, args })
      // The user's hook is not called for a call that is refused.
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

type Tools = Readonly<Record<string, Tool>>

/**
 * Guards an agent's tools in version 0: adds them again as a toolset of the run, because Mastra
 * prefers a toolset among tools with the same name.
 */
export async function guardToolset(
  agent: AgentLike,
  { toolsets = {}, runtimeContext }: CallOptions,
  guard: LoopGuard,
): Promise<Readonly<Record<string, Tools>>> {
  const tools = (await agent.getTools?.(runtimeContext ? { runtimeContext } : {})) ?? {}
  const own = Object.entries(toolsets as Record<string, Tools>).map(([name, set]) => [
    name,
    guardTools(set, guard),
  ])
  // First, so that the user's own toolsets still take precedence over the agent's tools.
  return { loophound: guardTools(tools, guard), ...Object.fromEntries(own) }
}

function guardTools(tools: Tools, guard: LoopGuard): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool, guard)])
  return Object.fromEntries(guarded)
}

function guardTool(name: string, tool: Tool, guard: LoopGuard): Tool {
  const { execute } = tool
  if (typeof execute !== 'function') return tool
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, {
    execute: guardExecute(name, execute, guard),
  })
}

function guardExecute(name: string, execute: Execute, guard: LoopGuard): Execute {
  return async function (this: unknown, call, options) {
    const id = options?.toolCallId
    const { reply } = guard.call({ id, name, args: argumentsOf(call) })
    if (reply !== null) return reply
    try {
      const output = await execute.call(this, call, options)
      guard.result({ id, name, ok: true, output })
      return output
    } catch (error) {
      // An aborted call says nothing about the tool.
      if (!options?.abortSignal?.aborted) {
        guard.result({ id, name, ok: false, output: failureText(error) })
      }
      throw error
    }
  }
}

/** Returns the arguments; Mastra's own tools get them as `context`, among much else. */
function argumentsOf(call: unknown): unknown {
  const isWrapped = typeof call === 'object' && call !== null && 'runtimeContext' in call
  return isWrapped ? (call as { context?: unknown }).context : call
}
