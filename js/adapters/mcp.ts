/**
 * loophound for MCP clients (`@modelcontextprotocol/sdk` 1, `@modelcontextprotocol/client` 2): wraps
 * `callTool`.
 *
 * The package is not imported.
 *
 * @module
 */

import { computeToolFingerprint, type LoopGuard, type Verdict } from 'loophound'
import { type GuardSource, guardsFrom } from './shared/guards.js'
import { failureText } from './shared/tools.js'

export type { GuardSource } from './shared/guards.js'

/** More calls than any detected cycle has. */
const REMEMBERED = 64

/** The parameters of `callTool` that are used. */
export interface McpCall {
  readonly name: string
  readonly arguments?: unknown
}

/** The options of a call, with the parts that are used. */
interface McpCallOptions {
  readonly signal?: { readonly aborted: boolean }
}

/** What `callTool` returns. */
interface McpResult {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/**
 * Guards an MCP client: returns the same client, of the same type, whose `callTool` ends loops.
 *
 * A repeated call is first answered with a nudge (one more text in its result), then refused (a
 * result with `isError` and the reason). A client cannot end a run: after a stop, the repeated
 * calls stay refused, and the first different call resets the guard. You can end the run in
 * `onVerdict`.
 *
 * Concurrent calls are one step; a call made while no other is running begins the next step. If a
 * client serves several conversations, make one wrapper for each: it is only a proxy. The clients
 * of one conversation may share a guard.
 *
 * @param client The client; anything that has a `callTool`.
 * @param guard A preset, options, a guard, or a function that returns the guard.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * const client = withLoopGuard(new Client({ name: 'my-agent', version: '1.0.0' }))
 * await client.connect(transport)
 * await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
 * ```
 */
export function withLoopGuard<Client extends { callTool(...args: never[]): unknown }>(
  client: Client,
  guard?: GuardSource<undefined>,
): Client {
  const calls = callsOf(guardsFrom(guard)(undefined))
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'callTool') return value.bind(target)
      return (call: McpCall, ...rest: unknown[]) =>
        calls.call(call, () => value.call(target, call, ...rest), signalOf(rest))
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  })
}

/** Finds the signal in the options: the third argument in version 1, the second in version 2. */
function signalOf(rest: readonly unknown[]): McpCallOptions['signal'] {
  const options = rest as readonly (McpCallOptions | null | undefined)[]
  return options.find((option) => option?.signal !== undefined)?.signal
}

/** The calls of each guard: the clients of one conversation may share it. */
const CALLS = new WeakMap<LoopGuard, ClientCalls>()

function callsOf(guard: LoopGuard): ClientCalls {
  const calls = CALLS.get(guard) ?? new ClientCalls(guard)
  CALLS.set(guard, calls)
  return calls
}

/** Tracks the calls of one conversation; MCP has neither call ids nor steps. */
class ClientCalls {
  readonly #guard: LoopGuard
  /** How many calls are running. */
  #open = 0
  /** A prefix for ids, which must be new to a guard that was restored from a snapshot. */
  readonly #prefix = Math.random().toString(36).slice(2)
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
    const id = `${this.#prefix}_${this.#number++}`
    const { reply, verdict } = guard.call({ id, name, args })
    if (reply !== null) return this.#refuse(reply, verdict)
    try {
      const result = await run()
      guard.result({ id, name, ok: result?.isError !== true, output: outputOf(result) })
      return withNudge(result, guard)
    } catch (error) {
      // An aborted call says nothing about the tool.
      if (!signal?.aborted) guard.result({ id, name, ok: false, output: failureText(error) })
      throw error
    }
  }

  #begin({ name, arguments: args }: McpCall): void {
    const key = keyOf(name, args)
    // The model does something else: start over.
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
    // Arguments that cannot be read are not recorded either.
    return name
  }
}

/**
 * Returns the text of a result; all of its content if there is more than text. Structured content
 * should be in the text as well; a server that has only a part of it in either gets both compared.
 */
function outputOf(result: McpResult | undefined): unknown {
  const { content, structuredContent: data } = result ?? {}
  if (!Array.isArray(content) || content.length === 0) return data ?? result
  const texts = content.map((item: { text?: unknown } | null) => item?.text)
  const text = texts.every((one) => typeof one === 'string') ? texts.join('\n') : null
  if (data === undefined) return text ?? content
  if (text === null) return [...content, data]
  return isTextOf(text, data) ? data : `${text}\n${JSON.stringify(data)}`
}

/** Returns whether a text is that data as JSON. */
function isTextOf(text: string, data: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data)
  } catch {
    return false
  }
}

/**
 * Adds the nudge to a copy of the result, which may be the server's own object if both are in one
 * process.
 */
function withNudge(result: McpResult, guard: LoopGuard): McpResult {
  if (!Array.isArray(result?.content)) return result
  const text = guard.takeNudge()
  return text === null
    ? result
    : { ...result, content: [...result.content, { type: 'text', text }] }
}
