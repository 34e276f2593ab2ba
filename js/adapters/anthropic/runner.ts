/**
 * Guards the tool runner: its tools ask the guard before they run, and it ends when the guard says
 * so.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { failureText } from '../shared/tools.js'
import { outputOf } from './content.js'
import { Steps } from './steps.js'
import type { Run, RunContext, ToolRunner } from './types.js'

/** Guards a runner: the guard sees each step, and the runner ends when the guard says so. */
export function guardRunner<Runner extends ToolRunner>(runner: Runner, guard: LoopGuard): Runner {
  const steps = new Steps(runner, guard)
  return new Proxy(runner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      switch (name) {
        case Symbol.asyncIterator:
          return () => steps.iterate()
        case 'done':
          return () => steps.done
        case 'runUntilDone':
          return () => steps.runUntilDone()
        case 'then':
          return (...handlers: Parameters<Promise<unknown>['then']>) =>
            steps.runUntilDone().then(...handlers)
        case 'setMessagesParams':
        case 'pushMessages':
          return (...args: unknown[]) => {
            steps.isOverridden = true
            return value.apply(target, args)
          }
        default:
          // Bound to the runner itself, which has private fields.
          return value.bind(target)
      }
    },
  })
}

/** Guards tools; one without `run` is run by the API, and left as it is. */
export function guardTools(tools: readonly object[], guard: LoopGuard): object[] {
  return tools.map((tool) => {
    const { name, run } = tool as { readonly name?: unknown; readonly run?: unknown }
    if (typeof run !== 'function' || typeof name !== 'string') return tool
    // Copies symbols as well, with which the SDK's own helpers mark their tools.
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
      // An aborted call says nothing about the tool.
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
