/**
 * Tools that ask the guard before they run, and report their results to it.
 *
 * @module
 */

import type { Decision, LoopGuard, Verdict } from 'loophound'
import { failureText } from '../shared/tools.js'
import type { Execute, Tool, ToolApproval, ToolCallOptions } from './types.js'

/**
 * Thrown instead of running a refused call. The AI SDK gives its message to the model as the call's
 * result, as with every error of a tool; a result of the tool's own type cannot be invented.
 */
export class LoopBlockedError extends Error {
  override readonly name = 'LoopBlockedError'
  /** Why the call was refused. */
  readonly verdict: Verdict

  constructor({ verdict, reply }: Decision) {
    super(reply ?? '')
    this.verdict = verdict
  }

  /** Returns only the message: version 7 gives this text to the model. */
  override toString(): string {
    return this.message
  }
}

type OnError = (error: unknown) => string

/** What the AI SDK shows for every error by default. */
const MASKED: OnError = () => 'An error occurred.'

/**
 * Makes an `onError` for UI streams that shows why a call was refused. The AI SDK would show "An
 * error occurred.", as for every error; other errors still go to yours.
 *
 * The results of a guarded `streamText` or agent already have it. Use it with functions that get a
 * stream of parts, such as `toUIMessageStream` in version 7.
 *
 * @param own Your own `onError`.
 *
 * @example
 * ```ts
 * toUIMessageStream({ stream: result.stream, onError: withBlockReason() })
 * ```
 */
export function withBlockReason(own: OnError = MASKED): OnError {
  return (error) => (isBlocked(error) ? error.message : own(error))
}

/** Recognises the error by its name: the package may be loaded twice, once in each module system. */
function isBlocked(error: unknown): error is LoopBlockedError {
  return error instanceof Error && error.name === 'LoopBlockedError'
}

interface UIStreamOptions {
  readonly onError?: OnError
}

/** Adds the reasons of refused calls to the UI streams of a result, if it has any. */
export function keepReasons<Result>(result: Result): Result {
  const streams = result as { toUIMessageStream?: unknown } | null | undefined
  const { toUIMessageStream } = streams ?? {}
  if (typeof toUIMessageStream !== 'function') return result
  // Responses are made with this method as well.
  Object.defineProperty(streams, 'toUIMessageStream', {
    configurable: true,
    value: (options?: UIStreamOptions) =>
      toUIMessageStream.call(streams, { ...options, onError: withBlockReason(options?.onError) }),
  })
  return result
}

type Tools = Readonly<Record<string, Tool>>

/** Guards tools; one without `execute` runs elsewhere, and is left as it is. */
export function guardTools(tools: Tools, guard: LoopGuard): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool, guard)])
  return Object.fromEntries(guarded)
}

function guardTool(name: string, tool: Tool, guard: LoopGuard): Tool {
  const { execute, needsApproval } = tool
  if (typeof execute !== 'function') return tool
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, {
    execute: guardExecute(name, execute, guard),
    ...(needsApproval ? { needsApproval: guardNeedsApproval(name, needsApproval, guard) } : {}),
  })
}

function guardExecute(name: string, execute: Execute, guard: LoopGuard): Execute {
  return function (this: unknown, input, options) {
    const id = options?.toolCallId
    const decision = guard.call({ id, name, args: input })
    if (!decision.run) throw new LoopBlockedError(decision)
    const report = new ResultReport(guard, id, name, options)
    try {
      const output = execute.call(this, input, options)
      if (isAsyncIterable(output)) return report.iterable(output)
      if (isThenable(output)) return report.promise(output)
      return report.success(output)
    } catch (error) {
      throw report.failure(error)
    }
  }
}

/** Asks for approval only for calls that the guard lets run. */
function guardNeedsApproval(
  name: string,
  needsApproval: NonNullable<Tool['needsApproval']>,
  guard: LoopGuard,
): NonNullable<Tool['needsApproval']> {
  return (input, options) => {
    if (!guard.call({ id: options?.toolCallId, name, args: input }).run) return false
    return typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval
  }
}

/** Reports a call's result to the guard, whether the tool returns, resolves or yields it. */
class ResultReport {
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
    // An aborted call says nothing about the tool.
    if (!this.#options?.abortSignal?.aborted) {
      const output = failureText(error)
      this.#guard.result({ id: this.#id, name: this.#name, ok: false, output })
    }
    return error
  }

  async promise<T>(output: PromiseLike<T>): Promise<T> {
    try {
      return this.success(await output)
    } catch (error) {
      throw this.failure(error)
    }
  }

  /** Passes on what a tool yields; the last value is its output. */
  async *iterable<T>(outputs: AsyncIterable<T>): AsyncGenerator<T, void, void> {
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
    // The tool decides if there is no entry, or if it is undefined.
    return [name, status == null ? status : guarded]
  })
  return Object.fromEntries(entries)
}

const denial = ({ reply }: Decision) => ({ type: 'denied', reason: reply })
