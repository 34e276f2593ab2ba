/**
 * loophound for the AI SDK, versions 5, 6 and 7: `generateText`, `streamText` and `ToolLoopAgent`.
 *
 * Nothing of the AI SDK is imported: what is wrapped is what you pass.
 *
 * @module
 */

import { guardAgent, guardCall } from './ai-sdk/run.js'
import type { AgentSettings, CallSettings } from './ai-sdk/types.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export { type LoopGuardMiddleware, loopGuardMiddleware } from './ai-sdk/middleware.js'
export { LoopBlockedError } from './ai-sdk/tools.js'
export type { CallSettings } from './ai-sdk/types.js'
export type { GuardSource } from './shared/guards.js'

/** What can be guarded: `generateText`, `streamText`, or the class `ToolLoopAgent`. */
export type Guardable =
  | ((...args: never[]) => unknown)
  | (abstract new (
      ...args: never[]
    ) => unknown)

/**
 * Guards `generateText`, `streamText` or `ToolLoopAgent`: returns the same function or class, of the
 * same type, that ends loops.
 *
 * Each run has a guard of its own, also the runs of one agent. A repeated call is first answered
 * with a nudge (a user message before the next step), then refused (the model gets the reason as
 * the call's error), and finally the run is ended after the step, as by `stopWhen`. Your `tools`,
 * `prepareStep`, `stopWhen`, `toolApproval` and callbacks work as before.
 *
 * Without `stopWhen`, `generateText` and `streamText` make one step only; that stays so.
 *
 * @param target The function or class to guard.
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import * as ai from 'ai'
 * import { withLoopGuard } from 'loophound/ai-sdk'
 *
 * const generateText = withLoopGuard(ai.generateText)
 * const { text } = await generateText({ model, tools, prompt, stopWhen: ai.stepCountIs(20) })
 * ```
 *
 * @example One guard for each conversation:
 * ```ts
 * const guards = new GuardPool()
 * const streamText = withLoopGuard(ai.streamText, () => guards.for(conversationId))
 * ```
 */
export function withLoopGuard<Target extends Guardable>(
  target: Target,
  guard?: GuardSource<CallSettings>,
): Target {
  const guardOf = guardsFrom(guard)
  return new Proxy(target, {
    apply(call, self, [settings, ...rest]: [CallSettings, ...unknown[]]) {
      const guarded = guardCall(settings, guardOf(settings))
      return Reflect.apply(call as (...args: unknown[]) => unknown, self, [guarded, ...rest])
    },
    construct(agent, [settings, ...rest]: [AgentSettings, ...unknown[]], newTarget) {
      const guarded = guardAgent(settings, guardOf)
      return Reflect.construct(agent as new () => object, [guarded, ...rest], newTarget)
    },
  })
}
