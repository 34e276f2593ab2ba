/**
 * Tools that ask the guard before they run, and report their results to it.
 *
 * @module
 */

import type { Decision, LoopGuard, Verdict } from 'loophound'
import { failureText } from '../shared/tools.js'
import type { Execute, Tool, ToolApproval, ToolCallOptions } from './types.js'

/**
 * Takes the place of a refused call's output. The AI SDK gives its message to the model as the
 * call's result, as it does with every error of a tool; a result of the tool's own type could not be
 * made up.
 */
export class LoopBlockedError extends Error {
  override readonly name = 'LoopBlockedError'
  /** Why the call was refused. */
  readonly verdict: Verdict

  constructor({ verdict, reply }: Decision) {
    super(reply ?? '')
    this.verdict = verdict
  }
}

type Tools = Readonly<Record<string, Tool>>

/** The same tools, guarded; one without `execute` is run elsewhere, and left as it is. */
export function guardTools(tools: Tools, guard: LoopGuard): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool, guard)])
  return Object.fromEntries(guarded)
}

function guardTool(name: string, tool: Tool, guard: LoopGuard): Tool {
  const { execute, needsApproval } = tool
  if (typeof execute !== 'function') return tool
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, {
    execute: guardExecute(name, execute, guard),
    ...(needsApproval ? { needsApproval: guardQuestion(name, needsApproval, guard) } : {}),
  })
}

function guardExecute(name: string, execute: Execute, guard: LoopGuard): Execute {
  return function (this: unknown, input, options) {
    const id = options?.toolCallId
    const decision = guard.call({ id, name, args: input })
    if (!decision.run) throw new LoopBlockedError(decision)
    const report = new Report(guard, id, name, options)
    try {
      const output = execute.call(this, input, options)
      if (isAsyncIterable(output)) return report.each(output)
      if (isThenable(output)) return report.later(output)
      return report.success(output)
    } catch (error) {
      throw report.failure(error)
    }
  }
}

/** Nobody is asked about a call that will be refused. */
function guardQuestion(
  name: string,
  needsApproval: NonNullable<Tool['needsApproval']>,
  guard: LoopGuard,
): NonNullable<Tool['needsApproval']> {
  return (input, options) => {
    if (!guard.call({ id: options?.toolCallId, name, args: input }).run) return false
    return typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval
  }
}

/** Tells the guard what came of a call, however the tool hands it over. */
class Report {
  readonly #guard: LoopGuard
  readonly #id: string | undefined
  readonly #name: string
  readonly #options: ToolCallOptions | undefined

  constructor(
    guard: LoopGuard,
    id: string | undefined,
    name: string,
    options: ToolCallOptions | undefined,
  ) {
    this.#guard = guard
    this.#id = id
    this.#name = name
    this.#options = options
  }

  success<T>(output: T): T {
    this.#guard.result({ id: this.#id, name: this.#name, ok: true, output })
    return output
  }

  failure(error: unknown): unknown {
    // A call that was broken off says nothing about the tool.
    if (!this.#options?.abortSignal?.aborted) {
      const output = failureText(error)
      this.#guard.result({ id: this.#id, name: this.#name, ok: false, output })
    }
    return error
  }

  async later<T>(output: PromiseLike<T>): Promise<T> {
    try {
      return this.success(await output)
    } catch (error) {
      throw this.failure(error)
    }
  }

  /** A tool that yields: what it yields last is its output. */
  async *each<T>(outputs: AsyncIterable<T>): AsyncGenerator<T, void, void> {
    let last: T | undefined
    try {
      for await (const output of outputs) {
        last = output
        yield output
      }
    } catch (error) {
      throw this.failure(error)
    }
    this.success(last)
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Asks the user's `toolApproval` (version 7) only about calls that the guard lets run. */
export function guardApproval(approval: ToolApproval, guard: LoopGuard): ToolApproval {
  if (typeof approval === 'function') {
    return (request) => {
      const { toolCallId: id, toolName: name = '', input } = request.toolCall
      const decision = guard.call({ id, name, args: input })
      return decision.run ? approval(request) : denial(decision)
    }
  }
  const entries = Object.entries(approval).map(([name, status]) => {
    const guarded = (input: unknown, options: ToolCallOptions) => {
      const decision = guard.call({ id: options?.toolCallId, name, args: input })
      if (!decision.run) return denial(decision)
      return typeof status === 'function' ? status(input, options) : status
    }
    // No entry means that the tool decides, and so does an entry that is undefined.
    return [name, status == null ? status : guarded]
  })
  return Object.fromEntries(entries)
}

const denial = ({ reply }: Decision) => ({ type: 'denied', reason: reply })
