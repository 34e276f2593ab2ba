/**
 * loophound for Mastra 0.24 and 1: agents, and a processor for their text.
 *
 * Mastra is not imported: the adapter wraps what you pass.
 *
 * @module
 */

import { guardAgent } from './mastra/agent.js'
import type { AgentConfig, AgentLike, CallOptions } from './mastra/types.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export { type LoopGuardProcessor, loopGuardProcessor } from './mastra/processor.js'
export type { CallOptions } from './mastra/types.js'
export type { GuardSource } from './shared/guards.js'

/**
 * Guards the class `Agent`: returns the same class, of the same type, whose `generate` and `stream` end
 * loops.
 *
 * Each run has its own guard, even runs of the same agent. A repeated call is first answered with a
 * nudge (a user message that only the model sees), then refused (the model gets the reason as the
 * call's result), and finally the run is ended after the step, as with `stopWhen`. Your `hooks`,
 * `prepareStep`, `stopWhen`, `maxSteps` and processors work as before.
 *
 * @param Agent The class to guard.
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import * as mastra from '@mastra/core/agent'
 * import { withLoopGuard } from 'loophound/mastra'
 *
 * const Agent = withLoopGuard(mastra.Agent)
 * const agent = new Agent({ id, name, instructions, model, tools })
 * ```
 *
 * @example One guard for each thread:
 * ```ts
 * const guards = new GuardPool()
 * const Agent = withLoopGuard(mastra.Agent, ({ memory }) => guards.for(String(memory?.thread)))
 * ```
 */
export function withLoopGuard<Agent extends abstract new (...args: never[]) => object>(
  Agent: Agent,
  guard?: GuardSource<CallOptions>,
): Agent {
  const guardOf = guardsFrom(guard)
  return new Proxy(Agent, {
    construct(target, args: [AgentConfig, ...unknown[]], newTarget) {
      const agent = Reflect.construct(target as unknown as new () => AgentLike, args, newTarget)
      return guardAgent(agent, args[0], guardOf)
    },
  })
}
