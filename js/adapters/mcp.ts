/**
 * loophound for MCP clients (`@modelcontextprotocol/sdk`): wraps `callTool`.
 *
 * Nothing of the package is imported.
 *
 * @module
 */

import { Caller } from './mcp/caller.js'
import type { McpCall, McpCallOptions } from './mcp/types.js'
import { type GuardSource, guardsFrom } from './shared/source.js'

export type { McpCall } from './mcp/types.js'
export type { GuardSource } from './shared/source.js'

/**
 * Guards an MCP client: gives back the same client, of the same type, whose `callTool` ends loops.
 *
 * A repeated call is first answered with a nudge (one more text in its result), then refused (a
 * result with `isError` and the reason). A client cannot end a run: after a stop, the repeated calls
 * stay refused, and the first other call begins anew. `onVerdict` is where you can end the run.
 *
 * Calls under way at the same time are one round; a call that is made when none is under way begins
 * the next. Make one wrapper for each conversation, if a client serves several: it is only a proxy.
 *
 * @param client The client; anything that has a `callTool`.
 * @param guard A preset, options, a guard, or a function that gives the guard.
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
  const caller = new Caller(guardsFrom(guard)(undefined))
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'callTool') return value.bind(target)
      return (call: McpCall, schema?: unknown, options?: McpCallOptions) =>
        caller.call(call, () => value.call(target, call, schema, options), options?.signal)
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  })
}
