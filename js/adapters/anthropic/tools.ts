/**
 * The runner's tools, which ask the guard before they run, and tell it what came of it.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { failureText } from '../shared/failure.js'
import { outputOf } from './content.js'
import type { Run, RunContext } from './types.js'

/** The same tools, guarded; one without `run` is run by the API, and left as it is. */
export function guardTools(tools: readonly object[], guard: LoopGuard): object[] {
  return tools.map((tool) => {
    const { name, run } = tool as { readonly name?: unknown; readonly run?: unknown }
    if (typeof run !== 'function' || typeof name !== 'string') return tool
    // With the marks that the SDK's own helpers leave on their tools, which are symbols.
    const copy = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool)
    return Object.assign(copy, { run: guardRun(tool, name, run as Run, guard) })
  })
}

function guardRun(tool: object, name: string, run: Run, guard: LoopGuard): Run {
  return async (args, context) => {
    const id = callId(context)
    const { reply } = guard.call({ id, name, args })
    if (reply !== null) return reply
    try {
      const output = await run.call(tool, args, context)
      guard.result({ id, name, ok: true, output: outputOf(output) })
      return output
    } catch (error) {
      // A call that was broken off says nothing about the tool.
      if (!context?.signal?.aborted) {
        guard.result({ id, name, ok: false, output: failureText(error) })
      }
      throw error
    }
  }
}

function callId(context: RunContext | undefined): string | undefined {
  return (context?.toolUse ?? context?.toolUseBlock)?.id
}
