/**
 * loophound for the OpenAI Agents SDK: `tool`, `Agent`, `run` and `Runner`.
 *
 * The SDK is not imported: the adapter wraps what you pass.
 *
 * @module
 */

import { guardAgents } from './openai-agents/agents.js'
import { guardRun, guardRunners } from './openai-agents/run.js'
import { type RunInfo, Runs } from './openai-agents/runs.js'
import { guardTool } from './openai-agents/tools.js'
import type { AgentsModule } from './openai-agents/types.js'
import type { GuardSource } from './shared/guards.js'

export type { RunInfo } from './openai-agents/runs.js'
export type { AgentsModule } from './openai-agents/types.js'
export type { GuardSource } from './shared/guards.js'
export { LoopStoppedError } from './shared/stopped-error.js'

/**
 * Guards the SDK: returns the same module, of the same type, whose runs end loops.
 *
 * Each run has its own guard. A repeated call is first answered with a nudge (a user message that
 * only the model sees), then refused by a guardrail (the model gets the reason as the call's
 * output), and finally the run ends after the turn: its final output is `guard.outcome.summary`. An
 * agent whose final output has a schema cannot end like that: then `run` throws a
 * {@link LoopStoppedError}.
 *
 * @param agents The SDK, as imported; or the parts of it that you use.
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import * as agents from '@openai/agents'
 * import { withLoopGuard } from 'loophound/openai-agents'
 *
 * const { Agent, run, tool } = withLoopGuard(agents)
 * ```
 */
export function withLoopGuard<Module extends AgentsModule>(
  agents: Module,
  guard?: GuardSource<RunInfo>,
): Module {
  const runs = new Runs(guard, agents.RunContext)
  return {
    ...agents,
    tool: guardTool(agents.tool, runs),
    Agent: guardAgents(agents.Agent, runs),
    run: guardRun(agents.run, runs),
    ...(agents.Runner ? { Runner: guardRunners(agents.Runner, runs) } : {}),
  }
}
