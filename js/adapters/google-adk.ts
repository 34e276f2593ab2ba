/**
 * loophound for Google's Agent Development Kit 2: a plugin for `Runner`.
 *
 * The ADK itself is imported, because a plugin must extend its class.
 *
 * @module
 */

/// <reference path="./google-adk/modules.d.ts" />

import {
  BasePlugin,
  type Content,
  type Context,
  createEvent,
  type InvocationContext,
  type LlmRequest,
  type LlmResponse,
  type ToolCallParams,
} from '@google/adk'
import type { LoopGuard } from 'loophound'
import { hasForgotten, isFromPerson, type RunInfo, Runs } from './google-adk/runs.js'
import type { GuardSource } from './shared/guards.js'
import { failureText } from './shared/tools.js'

export type { RunInfo } from './google-adk/runs.js'
export type { GuardSource } from './shared/guards.js'

/** The `errorCode` of an event whose text was cut off. */
const TEXT_LOOP = 'LOOP_DETECTED'

/**
 * A plugin that ends loops, in all agents of a runner. One is enough, even for concurrent sessions:
 * each has its own guard, and so does each branch of a `ParallelAgent`.
 *
 * A repeated call is first answered with a nudge (a user content that only the model sees), then
 * refused (the model gets the reason as the call's `error`), and finally the model is not called
 * again: the last event is `guard.outcome.summary`. A user message resets the guard.
 *
 * Put it first: if a plugin answers for the model or for a tool, later plugins are not called.
 *
 * @example
 * ```ts
 * import { InMemoryRunner } from '@google/adk'
 * import { LoopGuardPlugin } from 'loophound/google-adk'
 *
 * const runner = new InMemoryRunner({ agent, plugins: [new LoopGuardPlugin()] })
 * ```
 *
 * @example Guards that you can inspect afterwards:
 * ```ts
 * const guards = new GuardPool()
 * new LoopGuardPlugin(({ sessionId }) => guards.for(sessionId))
 * ```
 */
export class LoopGuardPlugin extends BasePlugin {
  readonly #runs: Runs

  /**
   * @param guard A preset, options, a guard, or a function that returns the guard for a run.
   * @throws TypeError or RangeError for options that a guard would refuse.
   */
  constructor(guard?: GuardSource<RunInfo>) {
    super('loophound')
    this.#runs = new Runs(guard)
  }

  override async onUserMessageCallback({
    invocationContext,
    userMessage,
  }: {
    invocationContext: InvocationContext
    userMessage?: Content
  }): Promise<undefined> {
    // A runner that is started without a message calls this, too.
    if (userMessage && isFromPerson(userMessage)) {
      this.#runs.of(invocationContext).guard.userMessage()
    }
    return undefined
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: {
    callbackContext: Context
    llmRequest: LlmRequest
  }): Promise<LlmResponse | undefined> {
    const run = this.#runs.of(callbackContext.invocationContext)
    const { guard } = run
    run.endStep(llmRequest.contents)
    // What is stored with the provider is not in the requests that follow, but stays with the model.
    const isStored = llmRequest.previousInteractionId !== undefined
    if (!isStored && hasForgotten(llmRequest.contents)) guard.contextCompacted()
    if (!guard.beginStep()) {
      // Otherwise a LoopAgent would begin its next iteration.
      callbackContext.actions.escalate = true
      return stopResponse(guard)
    }
    const nudge = guard.takeNudge({ sticky: !isStored })
    if (nudge !== null) llmRequest.contents.push({ role: 'user', parts: [{ text: nudge }] })
    return undefined
  }

  override async afterModelCallback({
    callbackContext,
    llmResponse,
  }: {
    callbackContext: Context
    llmResponse: LlmResponse
  }): Promise<undefined> {
    const run = this.#runs.of(callbackContext.invocationContext)
    // An error is the only way to end a response early; `onModelErrorCallback` handles it.
    if (run.hear(llmResponse)) throw new Error(reasonOf(run.guard))
    return undefined
  }

  override async onModelErrorCallback({
    callbackContext,
  }: {
    callbackContext: Context
    llmRequest: LlmRequest
    error: Error
  }): Promise<LlmResponse | undefined> {
    const { invocationContext, agentName } = callbackContext
    const run = this.#runs.of(invocationContext)
    const text = run.takeCut()
    if (text === null) return undefined
    const { invocationId, branch } = invocationContext
    // Passed on as it is, so it must be a complete event.
    return createEvent({
      invocationId,
      author: agentName,
      ...(branch === undefined ? {} : { branch }),
      content: { role: 'model', parts: [{ text }] },
      errorCode: TEXT_LOOP,
      errorMessage: reasonOf(run.guard),
    })
  }

  override async beforeToolCallback({
    tool,
    toolArgs,
    toolContext,
  }: ToolCallParams): Promise<Record<string, unknown> | undefined> {
    // A live run has no steps.
    if (toolContext.invocationContext.liveRequestQueue) return undefined
    const { functionCallId: id, invocationContext } = toolContext
    const { reply } = this.#runs.of(invocationContext).call({ id, name: tool.name, args: toolArgs })
    return reply === null ? undefined : { error: reply }
  }

  override async afterToolCallback({
    tool,
    toolContext,
    result,
  }: ToolCallParams & { result: Record<string, unknown> | null | undefined }): Promise<undefined> {
    const { functionCallId: id, invocationContext } = toolContext
    // A call that waits for a person comes back under the same id. A long-running tool may have no
    // result yet, and the error of a tool that throws something else is not passed: what the model
    // gets of these is in its next request.
    if (result != null && !isWaiting(toolContext)) {
      this.#runs.of(invocationContext).answer({ id, name: tool.name, output: result })
    }
    return undefined
  }

  override async onToolErrorCallback({
    tool,
    toolContext,
    error,
  }: ToolCallParams & { error: Error }): Promise<undefined> {
    const { functionCallId: id, invocationContext, abortSignal } = toolContext
    const run = this.#runs.of(invocationContext)
    // An aborted call says nothing about the tool.
    if (abortSignal?.aborted) run.ignore(id)
    else run.fail({ id, name: tool.name, ok: false, output: ownErrorOf(tool.name, error) })
    return undefined
  }

  override async afterContextCompaction({
    invocationContext,
  }: {
    invocationContext: InvocationContext
  }): Promise<void> {
    this.#runs.of(invocationContext).guard.contextCompacted()
  }

  override async afterRunCallback({
    invocationContext,
  }: {
    invocationContext: InvocationContext
  }): Promise<void> {
    for (const run of this.#runs.all(invocationContext)) run.endStep()
  }
}

/** Makes a response for the user, without calls, so that the run ends with it. */
function stopResponse({ outcome }: LoopGuard): LlmResponse {
  return {
    content: { role: 'model', parts: [{ text: outcome.summary ?? '' }] },
    customMetadata: { loophound: { ...outcome } },
  }
}

/** Returns why text was cut off, for people. */
function reasonOf({ detector }: LoopGuard): string {
  return detector.verdict.summary ?? 'The text repeats itself.'
}

/** Returns the error of a tool, without the prefix of a `FunctionTool`. */
function ownErrorOf(tool: string, error: Error): string {
  const prefix = `Error in tool '${tool}': `
  const { message } = error
  return message.startsWith(prefix) ? message.slice(prefix.length) : failureText(error)
}

function isWaiting({ functionCallId = '', actions }: Context): boolean {
  const { requestedAuthConfigs = {}, requestedToolConfirmations = {} } = actions
  return functionCallId in requestedAuthConfigs || functionCallId in requestedToolConfirmations
}
