/**
 * Guards agents: they end their turn with a final output when their run is to stop.
 *
 * @module
 */

import type { Runs } from './runs.js'
import type { AgentLike, AnyClass, FinalOutput } from './types.js'

type Behavior = (context: object, results: unknown) => unknown

const CONTINUE: FinalOutput = { isFinalOutput: false, isInterrupted: undefined }

export function guardAgents<Agent extends AnyClass>(Agent: Agent, runs: Runs): Agent {
  return new Proxy(Agent, {
    construct(target, args, newTarget) {
      return guardAgent(
        Reflect.construct(target as unknown as new () => AgentLike, args, newTarget),
        runs,
      )
    },
    get(target, name, self) {
      const value = Reflect.get(target, name, self)
      if (name !== 'create') return value
      return (...args: unknown[]) =>
        guardAgent(Reflect.apply(value as (...args: unknown[]) => AgentLike, target, args), runs)
    },
  })
}

function guardAgent(agent: AgentLike, runs: Runs): AgentLike {
  let own = agent.toolUseBehavior
  const stop = (context: object, results: unknown) => {
    const run = runs.ending(context)
    if (run) {
      run.guard.endStep()
      runs.end(context)
      return { ...CONTINUE, isFinalOutput: true, finalOutput: run.guard.outcome.summary ?? '' }
    }
    return typeof own === 'function' ? (own as Behavior)(context, results) : CONTINUE
  }
  const canStop = () =>
    agent.outputType === 'text' && (own === 'run_llm_again' || typeof own === 'function')
  Object.defineProperty(agent, 'toolUseBehavior', {
    enumerable: true,
    configurable: true,
    // The SDK gets the user's own behaviour, except while a run is to end.
    get: () => (runs.isEnding && canStop() ? stop : own),
    set: (value) => {
      own = value
    },
  })
  const { clone } = agent
  Object.defineProperty(agent, 'clone', {
    configurable: true,
    value: (config: object) => guardAgent(clone.call(agent, config), runs),
  })
  return agent
}
