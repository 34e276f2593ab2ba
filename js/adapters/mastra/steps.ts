/**
 * Guards steps: a nudge before one, a stop after one, and reading its content.
 *
 * @module
 */

import type { LoopGuard, StepContent } from 'loophound'
import type { CallOptions, PrepareStep, Step, StepPart, StopCondition } from './types.js'

/** Mastra's own limit without `stopWhen` and `maxSteps`. */
const DEFAULT_STEPS = 5

/** Adds the nudge to the step that the user's own function returns. */
export function guardPrepareStep(own: PrepareStep | undefined, guard: LoopGuard): PrepareStep {
  return async (step) => {
    guard.beginStep()
    const prepared = await own?.(step)
    const model = prepared?.model ?? step.model
    // The name of a model cannot be wrapped.
    if (typeof model !== 'object' || model === null) return prepared
    const nudge = guard.takeNudge({ sticky: true })
    return nudge === null ? prepared : { ...prepared, model: withNudge(model, nudge) }
  }
}

/**
 * Adds a condition to the user's own. Version 1 uses both `maxSteps` and conditions, version 0 only one
 * of them.
 */
export function guardStops(
  { maxSteps, stopWhen }: CallOptions,
  guard: LoopGuard,
  isVersion1: boolean,
): Pick<CallOptions, 'maxSteps' | 'stopWhen'> {
  const own = stopWhen === undefined ? [] : [stopWhen].flat()
  const isStopped = stopCondition(guard)
  if (maxSteps) {
    return isVersion1
      ? { stopWhen: [...own, isStopped] }
      : { maxSteps: undefined, stopWhen: [after(maxSteps), isStopped] }
  }
  return { stopWhen: [...(stopWhen === undefined ? [after(DEFAULT_STEPS)] : own), isStopped] }
}

const after =
  (count: number): StopCondition =>
  ({ steps }) =>
    steps.length >= count

/** Makes a condition that is evaluated once after each step that another may follow. */
function stopCondition(guard: LoopGuard): StopCondition {
  let ended = 0
  return ({ steps }) => {
    if (steps.length > ended) {
      ended = steps.length
      guard.endStep(contentOf(steps.at(-1)))
    }
    // The next step begins here, where it can still be prevented.
    return !guard.beginStep()
  }
}

/** Reads a step's content, which includes calls that the provider ran itself. */
function contentOf(step: Step | undefined): StepContent {
  return {
    calls: parts(step?.toolCalls).map(({ toolCallId: id, toolName = '', args, input }) => ({
      id,
      name: toolName,
      args: args ?? input,
    })),
    results: parts(step?.toolResults).map(({ toolCallId: id, isError, result, output }) => ({
      id,
      ok: !isError,
      output: result ?? output,
    })),
    text: step?.text ?? '',
  }
}

const parts = (list: readonly StepPart[] = []): readonly StepPart[] =>
  list.map((part) => part.payload ?? part)

/** A request to a model. */
interface Request {
  readonly prompt: readonly unknown[]
}

/**
 * Adds the nudge to the prompt of one step. Messages given to Mastra would be stored, or replace
 * the instructions; a prompt that is changed inside the model only reaches the model.
 */
function withNudge(model: object, nudge: string): object {
  const message = { role: 'user', content: [{ type: 'text', text: nudge }] }
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'doGenerate' && name !== 'doStream') return value.bind(target)
      return (request: Request, ...rest: unknown[]) => {
        const nudged = { ...request, prompt: [...request.prompt, message] }
        return Reflect.apply(value, target, [nudged, ...rest])
      }
    },
  })
}
