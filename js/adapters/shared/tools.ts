/**
 * Runs the calls of one step side by side, those that may run.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'

/** A tool call of the model. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** The arguments, parsed; the text itself where it is not JSON, or where the tool takes text. */
  readonly args: unknown
  /** The arguments as the model wrote them. */
  readonly text: string
}

/**
 * Runs a tool; what it gives back goes to the model: text as it is, anything else as JSON. What it
 * throws goes to the model as well.
 */
export type RunTool = (call: RequestedCall) => unknown

/** Whether a call takes JSON, or text as it is. */
export function requested(id: string, name: string, text: string, isJson: boolean): RequestedCall {
  return { id, name, args: isJson ? parsed(text) : text, text }
}

/** What to answer a call with. */
export interface Answered {
  readonly text: string
  /** What the tool gave back, as it is. */
  readonly output?: unknown
  /** Whether the tool threw. */
  readonly failed: boolean
}

/** The answers to the calls, in order. */
export async function runAll(
  guard: LoopGuard,
  calls: readonly RequestedCall[],
  run: RunTool,
): Promise<Answered[]> {
  const decisions = guard.calls(calls.map(({ id, name, text }) => ({ id, name, args: text })))
  return Promise.all(
    calls.map(async (call, index) => {
      const decision = decisions[index]
      if (decision?.reply != null) return { text: decision.reply, failed: false }
      return runOne(guard, call, run)
    }),
  )
}

async function runOne(guard: LoopGuard, call: RequestedCall, run: RunTool): Promise<Answered> {
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

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

/** Never throws, whatever was thrown. */
export function failureText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  } catch {
    return 'something that cannot be shown'
  }
}
