/**
 * loophound for Genkit 1: a middleware for `generate` and `generateStream`.
 *
 * Genkit itself is imported, because it makes the middleware.
 *
 * @module
 */

/// <reference path="./genkit/modules.d.ts" />

import { generateMiddleware, type MiddlewareRef } from 'genkit'
import { Run } from './genkit/run.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export type { GuardSource } from './shared/guards.js'
export { LoopStoppedError } from './shared/stopped-error.js'

/**
 * Makes a middleware that ends loops. From options, each run of `generate` has its own guard; pass
 * a guard to keep one for a conversation.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as the call's output), and finally the model is not called
 * again: the response's text is `guard.outcome.summary`. A response with a schema cannot end like
 * that: then `generate` throws a `LoopStoppedError`. A user message resets the guard.
 *
 * Put it last in `use`, so that it sees the errors of your tools before other middleware does.
 *
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import { loopGuard } from 'loophound/genkit'
 *
 * await ai.generate({ prompt, tools, maxTurns: 20, use: [loopGuard()] })
 * ```
 */
export function loopGuard(guard?: GuardSource<undefined>): MiddlewareRef {
  const guardOf = guardsFrom(guard)
  const middleware = generateMiddleware(
    { name: 'loophound', description: 'Ends loops of tool calls and of text.' },
    () => {
      // Genkit creates the hooks again for each run.
      const run = new Run(guardOf(undefined))
      return {
        generate: (envelope, options, next) =>
          run.turn(envelope.request, () => next(envelope, options)),
        model: (request, options, next) => run.model(request, options, next),
        tool: (request, options, next) => run.tool(request, options, next),
      }
    },
  )
  return middleware()
}
