/**
 * loophound for the AI SDK, versions 5, 6 and 7: `generateText`, `streamText` and `ToolLoopAgent`.
 *
 * The AI SDK is not imported: the adapter wraps what you pass.
 *
 * @module
 */

import { guardAgent, guardCall } from './ai-sdk/run.js'
import { keepReasons } from './ai-sdk/tools.js'
import type { AgentSettings, CallSettings } from './ai-sdk/types.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export { type LoopGuardMiddleware, loopGuardMiddleware } from './ai-sdk/middleware.js'
export { LoopBlockedError, withBlockReason } from './ai-sdk/tools.js'
export type { CallSettings } from './ai-sdk/types.js'
export type { GuardSource } from './shared/guards.js'

/** What can be guarded: `generateText`, `streamText`, or the class `ToolLoopAgent`. */
export type Guardable =
  | ((...args: never[]) => unknown)
  | (abstract new (
      ...args: never[]
    ) => unknown)

interface AgentLike {
  readonly stream?: (...args: unknown[]) => unknown
}

/**
 * Guards `generateText`, `streamText` or `ToolLoopAgent`: returns the same function or class, of the
 * same type, that ends loops.
 *
 * Each run has its own guard, even runs of the same agent. A repeated call is first answered with a
 * nudge (a user message before the next step), then refused (the model gets the reason as the
 * call's error), and finally the run is ended after the step, as with `stopWhen`. Text that repeats
 * itself as it streams is cut off, and the model is called again with the nudge. Your `tools`,
 * `prepareStep`, `stopWhen`, `toolApproval` and callbacks work as before. `guard.outcome` shows how
 * a run ended.
 *
 * Without `stopWhen`, `generateText` and `streamText` make only one step; that stays so.
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
      return keepReasons(
        Reflect.apply(call as (...args: unknown[]) => unknown, self, [guarded, ...rest]),
      )
    },
    construct(agent, [settings, ...rest]: [AgentSettings, ...unknown[]], newTarget) {
      const guarded = guardAgent(settings, guardOf)
      const made = Reflect.construct(agent as new () => AgentLike, [guarded, ...rest], newTarget)
      const { stream } = made
      if (typeof stream !== 'function') return made
      const value = async (...args: unknown[]) => keepReasons(await stream.apply(made, args))
      return Object.defineProperty(made, 'stream', { configurable: true, writable: true, value })
    },
  })
}
