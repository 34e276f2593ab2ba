/**
 * Runs: each with a guard, and with a filter for what the model is asked.
 *
 * @module
 */

import { guardFilter } from './filter.js'
import type { Runs } from './runs.js'
import type { AnyClass, AnyFunction, InputFilter, RunOptions } from './types.js'

type Start = (agent: unknown, input: unknown, options: RunOptions) => unknown

export function guardRun<Run extends AnyFunction>(run: Run, runs: Runs): Run {
  return new Proxy(run, {
    apply(target, self, [agent, input, options]: Parameters<Start>) {
      const start: Start = (...args) => Reflect.apply(target as unknown as Start, self, args)
      return startGuarded(runs, start, [agent, input, options])
    },
  })
}

export function guardRunners<Runner extends AnyClass>(Runner: Runner, runs: Runs): Runner {
  return new Proxy(Runner, {
    construct(target, args, newTarget) {
      const runner = Reflect.construct(target as unknown as new () => RunnerLike, args, newTarget)
      const { run } = runner
      const start: Start = (...args) => Reflect.apply(run, runner, args)
      const guarded = (agent: unknown, input: unknown, options: RunOptions) =>
        startGuarded(runs, start, [agent, input, options], runner.config?.callModelInputFilter)
      return Object.defineProperty(runner, 'run', { configurable: true, value: guarded })
    },
  })
}

interface RunnerLike {
  readonly run: Start
  readonly config?: { readonly callModelInputFilter?: InputFilter }
}

function startGuarded(
  runs: Runs,
  start: Start,
  [agent, input, options = {}]: [unknown, unknown, RunOptions | undefined],
  filter?: InputFilter,
): unknown {
  const state = stateContext(input)
  const { context, run } = runs.begin(agent, state, options.context)
  const settings = {
    ...options,
    context,
    callModelInputFilter: guardFilter(run, {
      own: options.callModelInputFilter ?? filter,
      isResumed: state !== null,
      isKept: Boolean(options.session ?? options.conversationId ?? options.previousResponseId),
    }),
  }
  return finish(start(agent, input, settings), () => runs.end(context))
}

/** The context of a state that is given to go on with. */
function stateContext(input: unknown): object | null {
  const state = input as { readonly _context?: object; readonly _currentAgent?: object } | null
  const isState = typeof input === 'object' && state?._currentAgent !== undefined
  return isState ? (state?._context ?? null) : null
}

/** The run is over when its result is there, or when a streamed result is complete. */
async function finish(result: unknown, end: () => void): Promise<unknown> {
  try {
    const settled = (await result) as { readonly completed?: Promise<unknown> } | undefined
    if (settled?.completed) settled.completed.then(end, end)
    else end()
    return settled
  } catch (error) {
    end()
    throw error
  }
}
