/**
 * Reports the turns and steps of a Think agent to its guard.
 *
 * @module
 */

import type { LoopGuard, ToolResult } from 'loophound'
import { contentOf } from '../ai-sdk/run.js'
import type { Message, Step } from '../ai-sdk/types.js'
import { finishPart, watchModel } from '../ai-sdk/watch.js'
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

/** A person writes in a chat, or through a messenger or a page that calls `chat()`. */
const FROM_PERSON = ['ws-chat', 'rpc']
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
    // Results that came from the client, or after a person's approval.
    if (continuation) for (const result of lastResults(messages)) this.guard.result(result)
    // If a step was going on, it was interrupted.
    this.#results.endStep()
    if (continuation || (trigger !== undefined && RECOVERY.includes(trigger))) return
    const isFromPerson = trigger === undefined || FROM_PERSON.includes(trigger)
    // A stop only ends one run; this is the next one, whether or not a person started it.
    if (isFromPerson || this.guard.stopped) this.guard.userMessage()
  }

  /** Begins a step; returns its settings, with the nudge, and with a model that is watched. */
  begin({ messages }: StepContext, prepared: StepConfig | undefined, model: object): StepConfig {
    this.#isSummary = !this.guard.beginStep()
    if (this.#isSummary) return { ...prepared, model: sayInstead(model, this.#summary) }
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
    const { reply } = this.guard.call({ id, name, args })
    return reply === null ? undefined : { action: 'block', reason: reply }
  }

  /** Holds the result back: other calls of the step may not have begun yet. */
  answer({ toolCallId: id, toolName: name, toolOutput }: CallResult): void {
    const isFailure = toolOutput.type === 'tool-error'
    const output = isFailure ? failureText(toolOutput.error) : toolOutput.output
    this.#results.hold({ id, name, ok: !isFailure, output })
  }

  end(step: Step): void {
    if (this.#isSummary) return
    this.#results.endStep(contentOf(step))
  }

  get #summary(): string {
    return this.guard.outcome.summary ?? 'The run was stopped.'
  }
}

/** Reads the results at the end of a conversation. */
function lastResults(messages: readonly Message[]): ToolResult[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool' || !Array.isArray(last.content)) return []
  return last.content.flatMap((part: ResultPart) => {
    const { type, toolCallId: id, toolName: name, output } = part
    if (type !== 'tool-result' || output === undefined) return []
    return { id, name, ok: !output.type.startsWith('error'), output: output.value }
  })
}

interface ResultPart {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly output?: { readonly type: string; readonly value?: unknown }
}

/** Returns a model that only returns a fixed text. */
function sayInstead(model: object, delta: string): object {
  const isV2 = (model as { specificationVersion?: unknown }).specificationVersion === 'v2'
  const doStream = async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: 'loophound' })
        controller.enqueue({ type: 'text-delta', id: 'loophound', delta })
        controller.enqueue({ type: 'text-end', id: 'loophound' })
        controller.enqueue(finishPart(isV2, 'stop', 'loophound'))
        controller.close()
      },
    }),
  })
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doStream') return doStream
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
