/**
 * Guards tools: adds a guardrail that refuses calls, and reports results to the guard. The error of
 * a tool is only known there: the SDK gives the model the same sentence for all errors.
 *
 * @module
 */

import { failureText } from '../shared/tools.js'
import type { Runs } from './runs.js'
import type { AnyFunction, GuardrailInput, ToolDetails, ToolOptions } from './types.js'

const ALLOWED = { behavior: { type: 'allow' } } as const

export function guardTool<Tool extends AnyFunction>(tool: Tool, runs: Runs): Tool {
  return new Proxy(tool, {
    apply(make, self, [options, ...rest]: [ToolOptions, ...unknown[]]) {
      const guarded = {
        ...options,
        execute: guardExecute(options.execute, runs),
        // First, so that a call counts even if another guardrail refuses it.
        inputGuardrails: [guardrailOf(runs), ...(options.inputGuardrails ?? [])],
      }
      return Reflect.apply(make as unknown as (...args: unknown[]) => unknown, self, [
        guarded,
        ...rest,
      ])
    },
  })
}

function guardrailOf(runs: Runs) {
  return {
    type: 'tool_input',
    name: 'loophound',
    async run({ context, agent, toolCall }: GuardrailInput) {
      const run = runs.of(context)
      if (!run) runs.warnUnguarded(agent, context)
      if (!run || run.agent !== agent) return ALLOWED
      const { callId: id, name, arguments: args } = toolCall
      const { reply } = run.guard.call({ id, name, args })
      runs.update(context)
      return reply === null ? ALLOWED : { behavior: { type: 'rejectContent', message: reply } }
    },
  }
}

function guardExecute(execute: ToolOptions['execute'], runs: Runs): ToolOptions['execute'] {
  const guarded: ToolOptions['execute'] = async (input, context, details) => {
    const report = reporter(runs, context, details)
    try {
      const output = await execute(input, context, details)
      report(true, output)
      return output
    } catch (error) {
      // An aborted call says nothing about the tool.
      if (!details?.signal?.aborted) report(false, failureText(error))
      throw error
    }
  }
  // A tool without a name is named after its function.
  return Object.defineProperty(guarded, 'name', { value: execute.name })
}

function reporter(runs: Runs, context: object | undefined, details: ToolDetails | undefined) {
  return (ok: boolean, output: unknown) => {
    const { callId: id, name } = details?.toolCall ?? {}
    if (!context || id === undefined) return
    // The guard ignores results of calls that it was not asked about.
    runs.of(context)?.guard.result({ id, name, ok, output })
    runs.update(context)
  }
}
