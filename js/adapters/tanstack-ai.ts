/**
 * loophound for TanStack AI 0.58: a middleware for `chat`.
 *
 * TanStack AI is not imported.
 *
 * @module
 */

import type { LoopGuard, StepContent, ToolCall } from 'loophound'
import type { GuardSource } from './shared/guards.js'
import { HeldResults } from './shared/held-results.js'
import { keyedGuards } from './shared/keyed-guards.js'
import { failureText } from './shared/tools.js'
import type {
  AfterToolCall,
  BeforeToolCall,
  ChatChunk,
  ChatConfig,
  ChatContext,
  ChatMessage,
  ChatToolCall,
  ToolPhase,
} from './tanstack-ai/types.js'

export type { GuardSource } from './shared/guards.js'
export type * from './tanstack-ai/types.js'

/** A run of `chat`, for a function that returns its guard. */
export type ChatRun = Pick<ChatContext, 'threadId' | 'runId'>

/** The name of the custom event that tells a client about a stop. */
const STOP_EVENT = 'loophound.stopped'

/** The channels of the chunks that have text. */
const CHANNELS: Readonly<Record<string, 'text' | 'reasoning'>> = {
  TEXT_MESSAGE_CONTENT: 'text',
  REASONING_MESSAGE_CONTENT: 'reasoning',
}

/** The middleware for `chat`. */
export interface LoopGuardMiddleware {
  readonly name: 'loophound'
  onConfig<Message extends ChatMessage>(
    context: ChatContext,
    config: ChatConfig<Message>,
  ): { providerMessages: Message[] } | undefined
  onBeforeToolCall(
    context: ChatContext,
    call: BeforeToolCall,
  ): { type: 'skip'; result: { error: string } } | undefined
  onAfterToolCall(context: ChatContext, result: AfterToolCall): void
  onToolPhaseComplete(context: ChatContext, phase: ToolPhase): void
  onShouldContinue(
    context: ChatContext,
    state: { readonly lastTurnToolCallCount: number },
  ): false | undefined
  onChunk(context: ChatContext, chunk: ChatChunk): undefined
  onFinish(context: ChatContext, info: { readonly content: string }): void
  onAbort(context: ChatContext): void
  onError(context: ChatContext): void
}

/**
 * Makes a middleware that ends loops. One is enough for all runs of `chat`: each thread has its own
 * guard.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as the call's `error`), and finally the run ends after the
 * step, with a custom event `loophound.stopped` that has `guard.outcome`. Text that repeats itself
 * is cut off: the run is aborted, with the reason. A user message resets the guard.
 *
 * @param guard A preset, options, a guard, or a function that returns the guard for a run.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import { chat } from '@tanstack/ai'
 * import { loopGuardMiddleware } from 'loophound/tanstack-ai'
 *
 * chat({ adapter, messages, tools, threadId, middleware: [loopGuardMiddleware()] })
 * ```
 */
export function loopGuardMiddleware(guard?: GuardSource<ChatRun>): LoopGuardMiddleware {
  const guardOf = keyedGuards(guard, ({ threadId }: ChatRun) => threadId)
  const runs = new WeakMap<object, Run>()
  const runOf = (context: ChatContext): Run => {
    const { threadId, runId } = context
    const run = runs.get(context) ?? new Run(guardOf({ threadId, runId }))
    runs.set(context, run)
    return run
  }
  return {
    name: 'loophound',
    onConfig(context, config) {
      const run = runOf(context)
      if (context.phase === 'init') resume(run, config.messages)
      return context.phase === 'beforeModel' ? prepare(run, context, config) : undefined
    },
    onBeforeToolCall(context, { toolCallId: id, toolName: name, args }) {
      const { reply } = runOf(context).guard.call({ id, name, args })
      return reply === null ? undefined : { type: 'skip', result: { error: reply } }
    },
    onAfterToolCall(context, { toolCallId: id, toolName: name, ok, result, error }) {
      const outcome = ok ? { output: result } : { ok, output: failureText(error) }
      runOf(context).results.hold({ id, name, ...outcome })
    },
    onToolPhaseComplete(context, phase) {
      const run = runOf(context)
      const { needsApproval = [], needsClientExecution = [] } = phase
      run.isWaiting = needsApproval.length + needsClientExecution.length > 0
      // Calls that wait for a person or the client end their step in the run that has their results.
      if (run.isWaiting) run.results.flush()
      // The event must come before the end of the run.
      else if (run.results.endStep(contentOf(phase))) tellClient(run, context)
    },
    onShouldContinue(context, { lastTurnToolCallCount }) {
      // After a turn without calls the run is over: `onFinish` ends the step.
      if (lastTurnToolCallCount === 0) return undefined
      const run = runOf(context)
      if (run.isWaiting) return undefined
      run.results.endStep()
      // The next step begins here, where it can still be prevented.
      run.hasBegun = run.guard.beginStep()
      if (run.hasBegun) return undefined
      tellClient(run, context)
      return false
    },
    onChunk(context, { type, delta }) {
      const channel = CHANNELS[type]
      if (channel === undefined || typeof delta !== 'string') return undefined
      const { guard } = runOf(context)
      // The reason is for people: what happened, not what to do instead.
      if (guard.pushText(delta, channel)) context.abort(guard.detector.verdict.summary ?? undefined)
      return undefined
    },
    onFinish(context, { content }) {
      const run = runOf(context)
      // Your strategy may have ended the run before the step that has begun.
      if (!run.hasBegun && !run.isWaiting) run.results.endStep({ text: content })
    },
    onAbort: (context) => runOf(context).results.flush(),
    onError: (context) => runOf(context).results.flush(),
  }
}

/** One run of `chat`. */
class Run {
  readonly guard: LoopGuard
  readonly results: HeldResults
  /** Whether the next step has begun before its model call. */
  hasBegun = false
  /** Whether the run ended within a step, because a call waits for a person or the client. */
  isWaiting = false
  /** Whether the client was told about the stop. */
  hasTold = false

  constructor(guard: LoopGuard) {
    this.guard = guard
    this.results = new HeldResults(guard)
  }
}

/** Tells the client about a stop, once. */
function tellClient(run: Run, context: ChatContext): void {
  if (run.hasTold) return
  run.hasTold = true
  context.emitCustomEvent(STOP_EVENT, { ...run.guard.outcome })
}

/** Begins a run: a person spoke, or the client sends the results of the last step. */
function resume({ guard, results }: Run, messages: readonly ChatMessage[]): void {
  if (messages.at(-1)?.role === 'user') guard.userMessage()
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  const answers = messages.slice(last + 1).filter((message) => !isPending(message))
  if (answers.length === 0) return
  const ids = new Set(answers.map(({ toolCallId }) => toolCallId))
  const calls = (messages[last]?.toolCalls ?? []).filter(({ id }) => ids.has(id))
  results.endStep({
    calls: calls.map(callOf),
    results: answers.map(({ toolCallId: id = '', content, error }) =>
      error === undefined ? { id, output: content } : { id, ok: false, output: error },
    ),
  })
}

/** Recognises a message in the place of a result: the call was approved, and is run now. */
function isPending({ content }: ChatMessage): boolean {
  return typeof content === 'string' && /^\{.*"pendingExecution":true/.test(content)
}

/** Begins a step, and adds the nudge to the request, never to the conversation. */
function prepare<Message extends ChatMessage>(
  run: Run,
  context: ChatContext,
  { messages, providerMessages }: ChatConfig<Message>,
): { providerMessages: Message[] } | undefined {
  const { guard } = run
  if (!run.hasBegun) run.results.endStep()
  run.hasBegun = false
  if (!guard.beginStep()) {
    // Stopped before this run began, without a message from a person since.
    tellClient(run, context)
    context.abort(guard.outcome.summary ?? undefined)
    return undefined
  }
  const nudge = guard.takeNudge({ sticky: true })
  if (nudge === null) return undefined
  const message: ChatMessage & { content: string } = { role: 'user', content: nudge }
  return { providerMessages: [...(providerMessages ?? messages), message as unknown as Message] }
}

const callOf = ({ id, function: { name, arguments: args } }: ChatToolCall): ToolCall => ({
  id,
  name,
  args,
})

/** Reads a step; calls with arguments that do not fit the tool's schema are seen only here. */
function contentOf({ toolCalls, results }: ToolPhase): StepContent {
  return {
    calls: toolCalls.map(callOf),
    results: results.map(({ toolCallId: id, result }) => ({ id, output: result })),
  }
}
