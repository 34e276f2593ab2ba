/**
 * Runs the allowed calls of one step in parallel.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'

/** A tool call of the model. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** The arguments, parsed; the text itself if it is not JSON, or if the tool takes text. */
  readonly args: unknown
  /** The arguments as the model wrote them. */
  readonly text: string
}

/**
 * Runs a tool. Its return value goes to the model: text as it is, anything else as JSON. Errors go
 * to the model as well.
 */
export type RunTool = (call: RequestedCall) => unknown

/** Makes a {@link RequestedCall} from the arguments as JSON, or as plain text. */
export function requestedCall(
  id: string,
  name: string,
  text: string,
  isJson: boolean,
): RequestedCall {
  return { id, name, args: isJson ? parseArguments(text) : text, text }
}

/** The answer to a call. */
export interface CallAnswer {
  readonly text: string
  /** What the tool returned, as it is. */
  readonly output?: unknown
  /** Whether the tool threw. */
  readonly failed: boolean
}

/** Asks the guard about the calls, runs the allowed ones, and returns the answers in order. */
export async function runAll(
  guard: LoopGuard,
  calls: readonly RequestedCall[],
  run: RunTool,
): Promise<CallAnswer[]> {
  const decisions = guard.calls(calls.map(({ id, name, text }) => ({ id, name, args: text })))
  return Promise.all(
    calls.map(async (call, index) => {
      const decision = decisions[index]
      if (decision?.reply != null) return { text: decision.reply, failed: false }
      return runOne(guard, call, run)
    }),
  )
}

async function runOne(guard: LoopGuard, call: RequestedCall, run: RunTool): Promise<CallAnswer> {
  const { id, name } = call
  try {
    const output = await run(call)
    guard.result({ id, name, ok: true, output })
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
    return { text, output, failed: false }
  } catch (error) {
    const output = failureText(error)
    guard.result({ id, name, ok: false, output })
    return { text: output, failed: true }
  }
}

function parseArguments(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Describes what a tool threw, so that different failures have different texts; never throws
 * itself.
 */
export function failureText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  } catch {
    return 'something that cannot be shown'
  }
}
