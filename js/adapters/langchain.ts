/**
 * loophound for LangChain 1: a middleware for `createAgent`.
 *
 * LangChain itself is imported, as the middleware has to use its classes.
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
 * Makes a middleware that ends loops. One is enough for an agent, whatever runs it has at the same
 * time: the guard's memory is part of the graph's state, so your checkpointer saves it with the thread,
 * and counting continues when the thread is resumed, in another process as well.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as a `ToolMessage` with the status `error`), and finally
 * the run ends before the next model call, with the reason as its last message. A message of the user
 * starts over.
 *
 * Put it first, so that the errors of your tools reach your other middleware first.
 *
 * @param guard A preset or options. With a guard of yours, or a function that returns the guard for a
 * run, nothing is saved with the thread: the guard is yours to keep.
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
    // Private, by its first letter: part of neither the agent's input nor its output.
    stateSchema: z.object({ [FIELD]: z.any().optional() }),
    // No hooks that become nodes of the graph: those would use up the recursion limit.
    wrapModelCall: (request, handler) => answerModel(threads, request, handler),
    wrapToolCall: answerTool,
  })
}
