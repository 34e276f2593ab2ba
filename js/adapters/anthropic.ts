/**
 * loophound for `@anthropic-ai/sdk`: the tool runner, and your own agent loops on the Messages API.
 *
 * The package is not imported.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { guardRunner, guardTools } from './anthropic/runner.js'
import type { AnyBlock, RunnerParams, ToolRunner } from './anthropic/types.js'
import { type GuardSource, guardsFrom } from './shared/guards.js'

export {
  answerMessage,
  type MessageReply,
  type ReplyBlock,
  watchMessage,
} from './anthropic/messages.js'
export type { AssistantMessage, Block, RunnerParams } from './anthropic/types.js'
export type { GuardSource } from './shared/guards.js'
export type { RequestedCall, RunTool } from './shared/tools.js'

/**
 * Guards the tool runner: returns the same `client.beta.messages`, of the same type, whose
 * `toolRunner` ends loops. Everything else in it is unchanged.
 *
 * Each run has its own guard. A repeated call is first answered with a nudge (text after the
 * results of the tools), then refused (the model gets the reason as the call's result), and finally
 * the run is ended after the step: the runner is done, with the message that it ended at.
 *
 * @param messages `client.beta.messages`, or anything else that has a `toolRunner`, such as a thread.
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * const messages = withLoopGuard(client.beta.messages)
 * const last = await messages.toolRunner({ model, max_tokens: 1024, tools, messages: [question] })
 * ```
 */
export function withLoopGuard<Messages extends { toolRunner(...args: never[]): unknown }>(
  messages: Messages,
  guard?: GuardSource<RunnerParams>,
): Messages {
  const guardOf = guardsFrom(guard)
  return new Proxy(messages, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'toolRunner') return value.bind(target)
      return (params: RunnerParams, ...rest: unknown[]) => {
        const watched = guardOf(params)
        const runner: ToolRunner = value.call(target, guardParams(params, watched), ...rest)
        return guardRunner(runner, watched)
      }
    },
  })
}

function guardParams(params: RunnerParams, guard: LoopGuard): RunnerParams {
  if (endsWithUserMessage(params)) guard.userMessage()
  return params.tools ? { ...params, tools: guardTools(params.tools, guard) } : params
}

/** Returns whether the last message is from a person. Tool results are in user messages as well. */
function endsWithUserMessage({ messages }: RunnerParams): boolean {
  const last = messages?.at(-1)
  if (last?.role !== 'user') return false
  const blocks = Array.isArray(last.content) ? (last.content as readonly AnyBlock[]) : []
  return !blocks.some((block) => block?.type === 'tool_result')
}
