/**
 * Guards the runs of an agent.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { guardPrepareStep, guardStops } from './steps.js'
import { guardHooks, guardToolset } from './tools.js'
import type { AgentConfig, AgentLike, CallOptions, PrepareStep } from './types.js'

type GuardOf = (options: CallOptions) => LoopGuard
type Run = (messages: unknown, options?: CallOptions) => unknown

export function guardAgent(agent: AgentLike, config: AgentConfig, guardOf: GuardOf): AgentLike {
  // In version 0, one of the methods calls the other; a run still has one guard.
  const guardedSteps = new WeakSet<PrepareStep>()
  for (const name of ['generate', 'stream'] as const) {
    const run: Run = agent[name].bind(agent)
    const guarded: Run = async (messages, options = {}) => {
      if (options.prepareStep && guardedSteps.has(options.prepareStep))
        return run(messages, options)
      const settings = await guardOptions(
        agent,
        config,
        options,
        guardOf,
        endsWithUserMessage(messages),
      )
      guardedSteps.add(settings.prepareStep)
      return run(messages, settings)
    }
    Object.defineProperty(agent, name, { configurable: true, writable: true, value: guarded })
  }
  return agent
}

async function guardOptions(
  agent: AgentLike,
  config: AgentConfig,
  options: CallOptions,
  guardOf: GuardOf,
  hasUserMessage: boolean,
): Promise<CallOptions & { readonly prepareStep: PrepareStep }> {
  const all = { ...(await defaultsOf(agent, options)), ...options }
  const guard = guardOf(all)
  if (hasUserMessage) guard.userMessage()
  const own = {
    ...options,
    prepareStep: guardPrepareStep(all.prepareStep, guard),
    ...guardStops(all, guard, agent.getTools === undefined),
    onFinish: (result: unknown) => {
      guard.endStep()
      return all.onFinish?.(result)
    },
  }
  return agent.getTools
    ? { ...own, toolsets: await guardToolset(agent, all, guard) }
    : { ...own, hooks: guardHooks({ ...config.hooks, ...all.hooks }, guard) }
}

/** Returns the agent's default options. */
async function defaultsOf(agent: AgentLike, options: CallOptions): Promise<CallOptions> {
  const { requestContext, runtimeContext } = options
  const defaults = agent.getDefaultOptions
    ? await agent.getDefaultOptions(requestContext ? { requestContext } : {})
    : await agent.getDefaultVNextStreamOptions?.(runtimeContext ? { runtimeContext } : {})
  return defaults ?? {}
}

/** Returns whether the last message is from a person. */
function endsWithUserMessage(messages: unknown): boolean {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : messages
  return typeof last === 'string' || (last as { role?: unknown } | null)?.role === 'user'
}
