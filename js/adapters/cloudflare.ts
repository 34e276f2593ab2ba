/**
 * loophound for agents on Cloudflare: Think, and chat agents that call the AI SDK themselves.
 *
 * Cloudflare's packages are not imported: the adapter wraps the class that you pass.
 *
 * @module
 */

import type { GuardOptions, LoopGuard, PresetName } from 'loophound'
import { Steps } from './cloudflare/steps.js'
import { StoredLoopGuard } from './cloudflare/stored-guard.js'
import type { GuardStorage, Hooks, ThinkAgent } from './cloudflare/types.js'
import { type GuardSource, guardsFrom, hasDetector, isGuard } from './shared/guards.js'

export { StoredLoopGuard } from './cloudflare/stored-guard.js'
export type { GuardStorage, ThinkAgent } from './cloudflare/types.js'
export type { GuardSource } from './shared/guards.js'

/** The class `Think`, or yours that extends it. */
export type ThinkClass = abstract new (...args: never[]) => ThinkAgent

/** An agent, for a function that returns its guard. */
export interface AgentInfo {
  readonly name: string
  readonly storage: GuardStorage
}

/**
 * Options or a preset to make each agent's guard from, or a function that returns the guard. A guard
 * is shared by all agents of the class, and is yours to store.
 */
export type AgentGuard = GuardSource<AgentInfo>

/** What every agent of the class has. */
export interface Guarded {
  /** The agent's guard: `this.loopGuard.outcome` shows how a turn ended. */
  readonly loopGuard: LoopGuard
}

/** Adds to the instances of a class. */
// biome-ignore lint/suspicious/noExplicitAny: the form that TypeScript requires of a mixin.
type Mixin = abstract new (...args: any[]) => Guarded

/**
 * Guards the class `Think`, or yours that extends it: returns the same class, whose agents end loops.
 *
 * Each agent has its own guard, which it keeps in the storage of its Durable Object: the guard
 * continues after hibernation and eviction, and clients never see it. A repeated call is first
 * answered with a nudge (a user message before the next step, which is not stored), then refused
 * (the model gets the reason as the call's result), and finally the turn ends with one more step,
 * in which the agent tells the user why, without a model call. Text that repeats itself as it
 * streams is cut off, and the model is called again. A message from a person resets the guard;
 * continuing a turn after a tool result or an interruption does not.
 *
 * Your own `beforeTurn`, `beforeStep`, `beforeToolCall`, `afterToolCall`, `onStepFinish` and `onChunk`
 * are called as before, and need not call `super`.
 *
 * @param agent The class to guard.
 * @param guard A preset, options, or a function that returns the guard for an agent.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import { Think } from '@cloudflare/think'
 * import { withLoopGuard } from 'loophound/cloudflare'
 *
 * export class Assistant extends withLoopGuard(Think)<Env> {
 *   getModel() {
 *     return '@cf/moonshotai/kimi-k2.7-code'
 *   }
 * }
 * ```
 */
export function withLoopGuard<Agent extends ThinkClass>(
  agent: Agent,
  guard?: AgentGuard,
): Agent & Mixin {
  const guardOf = agentGuards(guard)
  return new Proxy(agent as Agent & Mixin, {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target as never, args, newTarget) as Hooks & object
      guardHooks(made, guardOf)
      return made
    },
  })
}

/** Wraps an agent's methods with the guard, whichever class they are from. */
function guardHooks(agent: Hooks, guardOf: (agent: AgentInfo) => LoopGuard): void {
  let made: Steps | undefined
  // An agent does not know its name before it has started.
  const steps = () => {
    made ??= new Steps(guardOf({ name: agent.name, storage: agent.ctx.storage }))
    return made
  }
  const { beforeTurn, beforeStep, beforeToolCall, afterToolCall, onStepEnd } = agent
  const guarded: Pick<Hooks, Hook> = {
    beforeTurn(turn) {
      steps().beginTurn(turn)
      return beforeTurn.call(agent, turn)
    },
    async beforeStep(step) {
      const prepared = await beforeStep.call(agent, step)
      const model = prepared?.model ?? step.model
      const resolved = typeof model === 'string' ? agent.resolveModel(model) : model
      return steps().begin(step, prepared, resolved)
    },
    async beforeToolCall(call) {
      const refusal = steps().call(call)
      const own = await beforeToolCall.call(agent, call)
      return own?.action === 'block' ? own : (refusal ?? own)
    },
    afterToolCall(call) {
      steps().answer(call)
      return afterToolCall.call(agent, call)
    },
    onStepEnd(step) {
      steps().end(step)
      return onStepEnd.call(agent, step)
    },
  }
  for (const [name, value] of Object.entries(guarded)) {
    Object.defineProperty(agent, name, { configurable: true, writable: true, value })
  }
  Object.defineProperty(agent, 'loopGuard', { configurable: true, get: () => steps().guard })
}

type Hook = 'beforeTurn' | 'beforeStep' | 'beforeToolCall' | 'afterToolCall' | 'onStepEnd'

/** Returns the function that returns an agent's guard; wrong options are refused at once. */
function agentGuards(source: AgentGuard | undefined): (agent: AgentInfo) => LoopGuard {
  const isMade = typeof source === 'function' || isGuard(source) || hasDetector(source)
  const guardOf = guardsFrom(source)
  if (isMade) return guardOf
  return ({ storage }) => new StoredLoopGuard(storage, source as PresetName | GuardOptions)
}
