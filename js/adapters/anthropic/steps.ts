/**
 * Guards the steps of a tool runner: reports the content of each, and adds a nudge or ends the run
 * after one.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { contentOf } from './content.js'
import type { AssistantMessage, MessageStream, ToolResponse, ToolRunner } from './types.js'

type Item = AssistantMessage | MessageStream

/** Iterates over a runner's steps for the guard. */
export class Steps {
  /**
   * Whether the user changed the conversation while handling this step. The runner then drops the
   * step's message and runs no tools for it.
   */
  isOverridden = false

  readonly #runner: ToolRunner
  readonly #guard: LoopGuard
  readonly #completion = new Completion<AssistantMessage>()
  #isConsumed = false
  #isInStep = false
  /** The message at which the run was ended, if the runner itself has not ended. */
  #ended: AssistantMessage | undefined

  constructor(runner: ToolRunner, guard: LoopGuard) {
    this.#runner = runner
    this.#guard = guard
  }

  get done(): Promise<AssistantMessage> {
    return this.#completion.promise
  }

  async runUntilDone(): Promise<AssistantMessage> {
    if (!this.#isConsumed) for await (const _ of this.iterate());
    return this.done
  }

  async *iterate(): AsyncGenerator<Item, void, void> {
    this.#isConsumed = true
    try {
      this.#beginStep()
      for await (const item of this.#runner) {
        this.isOverridden = false
        if ('finalMessage' in item) this.#watch(item)
        yield item
        await this.#endStep(item)
        if (this.#ended) break
      }
      // A runner that is left in the middle never completes by itself.
      this.#completion.resolve(this.#ended ?? this.#runner.done())
    } catch (error) {
      this.#isConsumed = false
      this.#completion.reject(error)
      throw error
    } finally {
      // An aborted step.
      if (this.#isInStep) this.#guard.endStep()
      this.#isInStep = false
    }
  }

  #beginStep(): boolean {
    this.#isInStep = this.#guard.beginStep()
    return this.#isInStep
  }

  /** Aborts a stream whose text loops; the message is the part received so far. */
  #watch(stream: MessageStream): void {
    const push = (channel: 'text' | 'reasoning') => (delta: string) => {
      if (!this.#guard.pushText(delta, channel) || this.#ended) return
      this.#ended = copyOf(stream.currentMessage)
      stream.abort?.()
    }
    stream.on?.('text', push('text'))
    stream.on?.('thinking', push('reasoning'))
  }

  async #endStep(item: Item): Promise<void> {
    const message = await attempt('finalMessage' in item ? item.finalMessage() : item)
    // The runner is about to report the error.
    if (!message || this.#ended) return
    const response = this.#runsTools(message)
      ? await attempt(this.#runner.generateToolResponse())
      : null
    this.#guard.endStep(contentOf(message.content, blocksOf(response)))
    this.#isInStep = false
    const continues = this.isOverridden || response || message.stop_reason === 'pause_turn'
    if (!continues) return
    // The next step begins here, where it can still be prevented.
    if (this.#beginStep()) this.#addNudge(response)
    else this.#ended = message
  }

  /** Decides as the runner does whether it runs tools. */
  #runsTools({ stop_reason }: AssistantMessage): boolean {
    return !this.isOverridden && stop_reason === 'tool_use'
  }

  /** Adds the nudge after the results. */
  #addNudge(response: ToolResponse | null): void {
    if (!Array.isArray(response?.content)) return
    const text = this.#guard.takeNudge()
    if (text !== null) response.content.push({ type: 'text', text })
  }
}

/** Copies a message that its stream may still add to. */
function copyOf(message: AssistantMessage | undefined): AssistantMessage | undefined {
  return message && { ...message, content: message.content.map((block) => ({ ...block })) }
}

const blocksOf = (response: ToolResponse | null) =>
  Array.isArray(response?.content) ? response.content : []

async function attempt<T>(value: T | Promise<T>): Promise<T | null> {
  try {
    return await value
  } catch {
    return null
  }
}

/** A promise that is settled from outside, and replaced after it was rejected. */
class Completion<T> {
  promise!: Promise<T>
  #resolve!: (value: T | PromiseLike<T>) => void
  #reject!: (error: unknown) => void

  constructor() {
    this.#renew()
  }

  resolve(value: T | PromiseLike<T>): void {
    this.#resolve(value)
  }

  /** Rejects the promise; not an unhandled rejection if nobody waits for it. */
  reject(error: unknown): void {
    this.promise.catch(() => {})
    this.#reject(error)
    this.#renew()
  }

  #renew(): void {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }
}
