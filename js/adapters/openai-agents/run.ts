/**
 * Guards runs: each has a guard, and a filter for the input of the model, in which one turn ends,
 * the next begins, and a nudge is added.
 *
 * @module
 */

import type { StepContent, ToolCall, ToolResult } from 'loophound'
import { LoopStoppedError } from '../shared/stopped-error.js'
import type { Run, Runs } from './runs.js'
import type {
  AnyClass,
  AnyFunction,
  FilterInput,
  InputFilter,
  Item,
  ModelData,
  RunOptions,
} from './types.js'

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
      isStored: Boolean(options.conversationId ?? options.previousResponseId),
    }),
  }
  return whenFinished(start(agent, input, settings), (result) => {
    runs.end(context)
    // A run that waits for an approval is not over.
    if (result && !result.interruptions?.length) run.guard.endStep()
  })
}

/** The parts of a run's result that are used. */
interface RunResult {
  readonly interruptions?: readonly unknown[]
  /** Only in a streamed result. */
  readonly completed?: Promise<unknown>
}

/** Returns the context of a state that a run continues from. */
function stateContext(input: unknown): object | null {
  const state = input as { readonly _context?: object; readonly _currentAgent?: object } | null
  const isState = typeof input === 'object' && state?._currentAgent !== undefined
  return isState ? (state?._context ?? null) : null
}

/**
 * Calls `end` with the result when it is there, or when a streamed result is complete; without one
 * if the run failed.
 */
async function whenFinished(
  result: unknown,
  end: (result: RunResult | null) => void,
): Promise<unknown> {
  try {
    const settled = (await result) as RunResult
    if (settled?.completed) {
      settled.completed.then(
        () => end(settled),
        () => end(null),
      )
    } else end(settled)
    return settled
  } catch (error) {
    end(null)
    throw error
  }
}

interface FilterOptions {
  readonly own: InputFilter | undefined
  /** Whether the run continues from a state, so that there is no new message from a person. */
  readonly isResumed: boolean
  /** Whether what is sent becomes part of a conversation that OpenAI stores. */
  readonly isStored: boolean
}

function guardFilter(run: Run, { own, isResumed, isStored }: FilterOptions): InputFilter {
  const { guard } = run
  let isFirst = true
  const filter: InputFilter = async (turn) => {
    const { input } = turn.modelData
    guard.endStep(isFirst ? {} : contentOf(newItems(run, input)))
    if (isFirst && !isResumed && input.at(-1)?.role === 'user') guard.userMessage()
    isFirst = false
    run.agent = turn.agent
    run.seen = input.length
    if (!guard.beginStep()) throw new LoopStoppedError(guard.stopped)
    // What is stored stays in the turns that follow.
    const nudge = guard.takeNudge({ sticky: !isStored })
    const data = await applyFilter(own, turn)
    return nudge === null ? data : withNudge(data, nudge)
  }
  // A filter may have properties of its own.
  return Object.assign(filter, own)
}

const applyFilter = async (own: InputFilter | undefined, turn: FilterInput): Promise<ModelData> =>
  own ? own(turn) : turn.modelData

/** Adds the nudge as a user message. Never as instructions, because it may quote a tool's output. */
function withNudge(data: ModelData, nudge: string): ModelData {
  const message = { type: 'message', role: 'user', content: nudge }
  return { ...data, input: [...data.input, message] }
}

/** Returns the items since the last turn; all of them, if only new ones are sent. */
function newItems({ seen }: Run, input: readonly Item[]): readonly Item[] {
  return input.length >= seen ? input.slice(seen) : input
}

/** Reads items, which include calls of hosted tools and of MCP servers. */
function contentOf(items: readonly Item[]): StepContent {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  for (const item of items) {
    const { type = '', callId, id, name, output } = item
    const place = callId ?? id
    if (type.endsWith('_call')) {
      const args = item.arguments ?? item.action ?? item.operation
      calls.push({ id: place, name: name ?? type, args })
    }
    // A hosted tool's item is both the call and its result.
    if (output !== undefined && /_call(_result|_output)?$/.test(type)) {
      results.push({ id: place, output: (output as { text?: unknown } | null)?.text ?? output })
    }
  }
  return { calls, results }
}
