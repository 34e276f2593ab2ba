/**
 * loophound for the Cline SDK 0.0.86: a plugin for `Agent` and `AgentRuntime`.
 *
 * The SDK is not imported.
 *
 * @module
 */

import { guardHooks } from './cline/hooks.js'
import type { AgentInfo, LoopGuardHooks } from './cline/types.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export type * from './cline/types.js'
export type { GuardSource } from './shared/guards.js'

/** The plugin, as an agent takes it. */
export interface LoopGuardPlugin {
  readonly name: 'loophound'
  setup(agent: AgentInfo): { hooks: LoopGuardHooks }
}

/**
 * Makes a plugin that ends loops. Each agent has its own guard, because it has its own
 * conversation; one plugin may serve several agents.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as the call's error), and finally the run is stopped before
 * the next model call: its `status` is `aborted`, and `guard.outcome.summary` says why. A user
 * message resets the guard.
 *
 * @param guard A preset, options, a guard, or a function that returns the guard for an agent.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import { Agent } from '@cline/agents'
 * import { loopGuardPlugin } from 'loophound/cline'
 *
 * const agent = new Agent({ providerId, modelId, apiKey, tools, plugins: [loopGuardPlugin()] })
 * ```
 */
export function loopGuardPlugin(guard?: GuardSource<AgentInfo>): LoopGuardPlugin {
  const guardOf = guardsFrom(guard)
  return {
    name: 'loophound',
    setup: ({ agentId }) => ({ hooks: guardHooks(guardOf({ agentId })) }),
  }
}
