/**
 * The calls of one client, which has neither ids nor steps of its own.
 *
 * @module
 */

import { computeToolFingerprint, type LoopGuard, type Verdict } from 'loophound'
import { failureText } from '../shared/failure.js'
import type { McpCall, McpCallOptions, McpResult } from './types.js'

/** More than any cycle that is looked for has calls. */
const REMEMBERED = 64

export class Caller {
  readonly #guard: LoopGuard
  /** How many calls are under way. */
  #open = 0
  /** Ids of our own must be new to a guard that goes on from a snapshot. */
  readonly #name = Math.random().toString(36).slice(2)
  #number = 0
  /** The latest calls, and those that stay refused after a stop. */
  readonly #recent: string[] = []
  readonly #refused = new Set<string>()

  constructor(guard: LoopGuard) {
    this.#guard = guard
  }

  async call(
    call: McpCall,
    run: () => Promise<McpResult>,
    signal: McpCallOptions['signal'],
  ): Promise<McpResult> {
    this.#begin(call)
    try {
      return await this.#attempt(call, run, signal)
    } finally {
      this.#end()
    }
  }

  async #attempt(
    { name, arguments: args }: McpCall,
    run: () => Promise<McpResult>,
    signal: McpCallOptions['signal'],
  ): Promise<McpResult> {
    const guard = this.#guard
    const id = `${this.#name}_${this.#number++}`
    const { reply, verdict } = guard.call({ id, name, args })
    if (reply !== null) return this.#refuse(reply, verdict)
    try {
      const result = await run()
      guard.result({ id, name, ok: result?.isError !== true, output: outputOf(result) })
      return withNudge(result, guard)
    } catch (error) {
      // A call that was broken off says nothing about the tool.
      if (!signal?.aborted) guard.result({ id, name, ok: false, output: failureText(error) })
      throw error
    }
  }

  #begin({ name, arguments: args }: McpCall): void {
    const key = keyOf(name, args)
    // The model does something else: this client is as good as new.
    if (this.#guard.stopped && !this.#refused.has(key)) {
      this.#refused.clear()
      this.#guard.userMessage()
    }
    this.#recent.push(key)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    this.#open += 1
  }

  #refuse(text: string, { action, period }: Verdict): McpResult {
    if (action === 'stop') {
      for (const key of this.#recent.slice(-Math.max(1, period))) this.#refused.add(key)
    }
    return { isError: true, content: [{ type: 'text', text }] }
  }

  #end(): void {
    this.#open -= 1
    if (this.#open === 0) this.#guard.endStep()
  }
}

function keyOf(name: string, args: unknown): string {
  try {
    return computeToolFingerprint(name, args)
  } catch {
    // What cannot be read is not recorded either.
    return name
  }
}

/** The text of a result; all of it where there is more than text. */
function outputOf(result: McpResult | undefined): unknown {
  const { content, structuredContent } = result ?? {}
  if (structuredContent !== undefined) return structuredContent
  if (!Array.isArray(content)) return result
  const texts = content.map((item: { text?: unknown } | null) => item?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content
}

/** A copy: the result may be the server's own object, where both are in one process. */
function withNudge(result: McpResult, guard: LoopGuard): McpResult {
  if (!Array.isArray(result?.content)) return result
  const text = guard.takeNudge()
  return text === null
    ? result
    : { ...result, content: [...result.content, { type: 'text', text }] }
}
