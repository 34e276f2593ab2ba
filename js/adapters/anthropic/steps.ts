/**
 * The steps of a tool runner: what each held, a nudge after one, and the end after one.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { contentOf } from './content.js'
import type { AssistantMessage, MessageStream, ToolResponse, ToolRunner } from './types.js'

type Item = AssistantMessage | MessageStream

export class Steps {
  /**
   * Whether the user changed the conversation while handling this step. The runner then drops the
   * step's message and runs no tools for it.
   */
  isTakenOver = false

  readonly #runner: ToolRunner
  readonly #guard: LoopGuard
  readonly #completion = new Completion<AssistantMessage>()
  #isConsumed = false
  /** The message at which the run was ended, where the runner itself has not ended. */
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
      this.#guard.beginStep()
      for await (const item of this.#runner) {
        this.isTakenOver = false
        if ('finalMessage' in item) this.#watch(item)
        yield item
        await this.#endStep(item)
        if (this.#ended) break
      }
      // A runner that is left in the middle never completes by itself.
      this.#completion.resolve(this.#ended ?? this.#runner.done())
    } catch (error) {
      this.#isConsumed = false
      this.#completion.fail(error)
      throw error
    } finally {
      this.#guard.endStep()
    }
  }

  /** Text that goes in circles is broken off; the message is what there is of it by then. */
  #watch(stream: MessageStream): void {
    const take = (channel: 'text' | 'reasoning') => (delta: string) => {
      if (!this.#guard.pushText(delta, channel) || this.#ended) return
      this.#ended = copyOf(stream.currentMessage)
      stream.abort?.()
    }
    stream.on?.('text', take('text'))
    stream.on?.('thinking', take('reasoning'))
  }

  async #endStep(item: Item): Promise<void> {
    const message = await attempt('finalMessage' in item ? item.finalMessage() : item)
    // What failed, the runner is about to tell.
    if (!message || this.#ended) return
    const response = this.#runsTools(message)
      ? await attempt(this.#runner.generateToolResponse())
      : null
    this.#guard.endStep(contentOf(message.content, blocksOf(response)))
    const goesOn = this.isTakenOver || response || message.stop_reason === 'pause_turn'
    if (!goesOn) return
    // The next step begins here, where it can still be prevented.
    if (this.#guard.beginStep()) this.#speak(response)
    else this.#ended = message
  }

  /** As the runner decides it; it keeps what we ask for here, and runs nothing twice. */
  #runsTools({ stop_reason }: AssistantMessage): boolean {
    return !this.isTakenOver && stop_reason === 'tool_use'
  }

  /** The nudge goes where the model looks next: behind the results. */
  #speak(response: ToolResponse | null): void {
    if (!Array.isArray(response?.content)) return
    const text = this.#guard.takeNudge()
    if (text !== null) response.content.push({ type: 'text', text })
  }
}

/** The stream goes on adding to its own for as long as it has something in hand. */
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

/** A promise that is settled from outside, and made anew once it was rejected. */
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

  /** Whoever waits is told; where nobody does, that is no error of its own. */
  fail(error: unknown): void {
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
