/**
 * loophound for LangChain 1: a middleware for `createAgent`.
 *
 * LangChain itself is imported, because the middleware must use its classes.
 *
 * @module
 */

/// <reference path="./langchain/modules.d.ts" />

import { type AgentMiddleware, createMiddleware, type Runtime as LangChainRuntime } from 'langchain'
import { z } from 'zod'
import { answerModel, answerTool } from './langchain/middleware.js'
import { FIELD, Threads } from './langchain/threads.js'
import type { GuardSource } from './shared/guards.js'

export type { GuardSource } from './shared/guards.js'

/** A run, for a function that returns its guard. */
export type ThreadInfo = Pick<LangChainRuntime, 'configurable'>

/** The middleware, as `createAgent` takes it. */
export type LoopGuardMiddleware = AgentMiddleware<
  undefined,
  undefined,
  unknown,
  readonly [],
  readonly []
>

/**
 * Makes a middleware that ends loops. One is enough for an agent, even with concurrent runs: the
 * guard's memory is part of the graph's state, so your checkpointer saves it with the thread, and
 * counting continues when the thread is resumed, even in another process.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as a `ToolMessage` with the status `error`), and finally the
 * run ends before the next model call: its last message is `guard.outcome.summary`. A user message
 * resets the guard.
 *
 * Put it first, so that your other middleware sees the errors of your tools first.
 *
 * @param guard A preset or options. With your own guard, or a function that returns the guard for a
 * run, nothing is saved with the thread: you keep the guard yourself.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import { createAgent } from 'langchain'
 * import { loopGuardMiddleware } from 'loophound/langchain'
 *
 * const agent = createAgent({ model, tools, middleware: [loopGuardMiddleware()] })
 * ```
 */
export function loopGuardMiddleware(guard?: GuardSource<ThreadInfo>): LoopGuardMiddleware {
  const threads = new Threads(guard)
  return createMiddleware({
    name: 'LoopGuard',
    // Private because of its first character: part of neither the agent's input nor its
    // output.
    stateSchema: z.object({ [FIELD]: z.any().optional() }),
    // No hooks that become nodes of the graph, which would count toward the recursion
    // limit.
    wrapModelCall: (request, handler) => answerModel(threads, request, handler),
    wrapToolCall: answerTool,
  })
}
