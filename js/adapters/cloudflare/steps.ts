/**
 * Reports the turns and steps of a Think agent to its guard.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { lastAnswered } from '../ai-sdk/messages.js'
import { contentOf } from '../ai-sdk/run.js'
import type { Step } from '../ai-sdk/types.js'
import { sayStopped, watchModel } from '../ai-sdk/watch.js'
import { HeldResults } from '../shared/held-results.js'
import { failureText } from '../shared/tools.js'
import type {
  CallContext,
  CallDecision,
  CallResult,
  StepConfig,
  StepContext,
  Turn,
} from './types.js'

/**
 * A person writes in a chat, or through a messenger or a page that calls `chat()`; or the time has
 * come for a task, which may find the same each time.
 */
const STARTS_OVER = ['ws-chat', 'rpc', 'scheduled']
/** Continues an interrupted turn. */
const RECOVERY = ['recovery-continue', 'recovery-retry']

/** The turns of an agent, one after the other. */
export class Steps {
  readonly guard: LoopGuard
  readonly #results: HeldResults
  /** Whether the step is not a model call, but tells the user about the stop. */
  #isSummary = false

  constructor(guard: LoopGuard) {
    this.guard = guard
    this.#results = new HeldResults(guard)
  }

  beginTurn({ messages, continuation = false, trigger }: Turn): void {
    // If a step was going on, it was interrupted, or the client had calls to run.
    this.#results.endStep(continuation ? lastAnswered(messages) : {})
    if (continuation || (trigger !== undefined && RECOVERY.includes(trigger))) return
    const startsOver = trigger === undefined || STARTS_OVER.includes(trigger)
    // A stop only ends one run; this is the next one, whether or not a person started it.
    if (startsOver || this.guard.stopped) this.guard.userMessage()
  }

  /** Begins a step; returns its settings, with the nudge, and with a model that is watched. */
  begin({ messages }: StepContext, prepared: StepConfig | undefined, model: object): StepConfig {
    this.#isSummary = !this.guard.beginStep()
    if (this.#isSummary) return { ...prepared, model: sayStopped(model, this.guard) }
    const content = this.guard.takeNudge()
    return {
      ...prepared,
      model: watchModel(model, this.guard),
      ...(content !== null && {
        messages: [...(prepared?.messages ?? messages), { role: 'user', content }],
      }),
    }
  }

  /** Decides on a call; returns what to do instead of running it. */
  call({ toolCallId: id, toolName: name, input: args }: CallContext): CallDecision | undefined {
    // Turns may be hours apart: what is repeated then is polling.
    const { reply } = this.guard.call({ id, name, args, at: Date.now() })
    return reply === null ? undefined : { action: 'block', reason: reply }
  }

  /** Holds the result back: other calls of the step may not have begun yet. */
  answer({ toolCallId: id, toolName: name, toolOutput }: CallResult): void {
    const isFailure = toolOutput.type === 'tool-error'
    const output = isFailure ? failureText(toolOutput.error) : toolOutput.output
    this.#results.hold({ id, name, ok: !isFailure, output, at: Date.now() })
  }

  end(step: Step): void {
    if (this.#isSummary) return
    // What the client runs is not over: the turn that has the results ends the step.
    if (!isWaitingForClient(step)) this.#results.endStep(contentOf(step))
  }
}

/** Returns whether calls of a step have no result, and nobody else is to run or to approve them. */
function isWaitingForClient({ content = [] }: Step): boolean {
  const calls = content.filter(
    ({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted,
  )
  const others = content.filter(({ type }) => type !== 'tool-call')
  const ids = new Set(others.map(({ toolCallId, toolCall }) => toolCallId ?? toolCall?.toolCallId))
  return calls.some(({ toolCallId }) => !ids.has(toolCallId))
}
