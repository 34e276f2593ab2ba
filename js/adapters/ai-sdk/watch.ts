/**
 * Watches what a model streams. Text that loops is cut off, and the model is called again with the
 * nudge, within the same step.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'

/** The option of a model call that holds the guard that already watches it. */
const WATCHED_BY = Symbol('loophound')

/** How many times one model call is repeated. Usually the guard stops the run before that. */
const MAX_RETRIES = 3

/** A request to a model. */
export interface ModelRequest {
  readonly prompt: readonly unknown[]
  readonly [WATCHED_BY]?: LoopGuard
}

interface Generated {
  readonly content: readonly object[]
}

export interface Streamed {
  readonly stream: ReadableStream<object>
}

/** The parts of a stream that are read, or added when it is cut. */
interface StreamPart {
  readonly type: string
  readonly id?: string
  readonly delta?: string
}

/** Calls a model again, with another prompt. */
export type AskAgain = (request: ModelRequest) => PromiseLike<Streamed>

/** Returns the same model, with streams that are watched; its last turn ends the guard's step. */
export function watchModel<Model extends object>(model: Model, guard: LoopGuard): Model {
  const isV2 = isVersion2(model)
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name === 'doStream') {
        const ask: AskAgain = (request) => value.call(target, request)
        return async (request: ModelRequest) => {
          const watched = { ...request, [WATCHED_BY]: guard }
          return watchStream(await ask(watched), { guard, isV2, ask, request: watched })
        }
      }
      if (name === 'doGenerate') {
        return async (request: ModelRequest) => {
          const result: Generated = await value.call(target, request)
          const types = result.content.map((part) => (part as StreamPart).type)
          if (!types.includes('tool-call')) guard.endStep()
          return result
        }
      }
      return value.bind(target)
    },
  })
}

interface WatchOptions {
  readonly guard: LoopGuard
  /** Whether the model has the first version of the interface, where usage and reasons are plain. */
  readonly isV2: boolean
  readonly ask: AskAgain
  readonly request: ModelRequest
}

/** Returns whether the guard already watches this model call: text must not be counted twice. */
export const isWatched = (request: ModelRequest | undefined, guard: LoopGuard): boolean =>
  request?.[WATCHED_BY] === guard

/** Returns the result with a stream that is cut, and continued, when the guard says so. */
export function watchStream<Result extends Streamed>(
  result: Result,
  options: WatchOptions,
): Result {
  const source = new WatchedStream(result.stream, options)
  // Nothing is read before it is requested.
  return { ...result, stream: new ReadableStream(source, { highWaterMark: 0 }) }
}

type Controller = ReadableStreamDefaultController<object>

/** Passes parts on until the guard cuts the stream. */
class WatchedStream implements UnderlyingDefaultSource<object> {
  readonly #options: WatchOptions
  #reader: ReadableStreamDefaultReader<object>
  /** The text and reasoning parts that have started and not ended. */
  readonly #open = new Map<string, string>()
  #text = ''
  #hasCalls = false
  #retries = 0

  constructor(stream: ReadableStream<object>, options: WatchOptions) {
    this.#reader = stream.getReader()
    this.#options = options
  }

  async pull(controller: Controller): Promise<void> {
    let isPassedOn = false
    while (!isPassedOn) {
      const { done, value } = await this.#reader.read()
      if (done) return controller.close()
      isPassedOn = await this.#pass(value as StreamPart, controller)
    }
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason)
  }

  /** Passes a part on; returns whether it did. */
  async #pass(given: StreamPart, controller: Controller): Promise<boolean> {
    const { guard } = this.#options
    // The stream has already begun.
    if (this.#retries > 0 && given.type === 'stream-start') return false
    const [channel = '', event] = given.type.split('-')
    const isText = channel === 'text' || channel === 'reasoning'
    // Parts of the next answer may have the same ids as those of the first.
    const part =
      isText && this.#retries > 0 ? { ...given, id: `${given.id}:${this.#retries}` } : given
    controller.enqueue(part)
    if (part.type === 'tool-call' || part.type === 'tool-input-start') this.#hasCalls = true
    if (part.type === 'finish' && !this.#hasCalls) guard.endStep()
    if (!isText) return true
    if (event === 'start') this.#open.set(part.id ?? '', channel)
    if (event === 'end') this.#open.delete(part.id ?? '')
    if (event !== 'delta') return true
    const { delta = '' } = part
    if (channel === 'text') this.#text += delta
    if (guard.pushText(delta, channel)) await this.#cut(controller)
    return true
  }

  /** Ends the stream, and calls the model again if that helps. */
  async #cut(controller: Controller): Promise<void> {
    for (const [id, type] of this.#open) controller.enqueue({ type: `${type}-end`, id })
    this.#open.clear()
    const prompt = this.#nextPrompt()
    // Closes the connection, so that no further tokens are billed.
    await this.#reader.cancel().catch(() => {})
    if (!prompt) {
      controller.enqueue(this.#finish())
      controller.close()
      return
    }
    this.#text = ''
    this.#retries += 1
    const { ask, request } = this.#options
    const { stream } = await ask({ ...request, prompt })
    this.#reader = stream.getReader()
  }

  /**
   * Returns the prompt with the text from before the repetition, and the nudge. `null` if the run
   * stops, or if tools were called, so that there is a next step anyway.
   */
  #nextPrompt(): readonly unknown[] | null {
    const { guard, request } = this.#options
    const { details } = guard.detector.verdict
    if (this.#hasCalls || this.#retries >= MAX_RETRIES) return null
    guard.endStep()
    const nudge = guard.beginStep() ? guard.takeNudge() : null
    if (nudge === null) return null
    const said = details?.channel === 'text' ? this.#text.slice(0, details.since) : this.#text
    return [
      ...request.prompt,
      ...(said.trim() === '' ? [] : [message('assistant', said)]),
      message('user', nudge),
    ]
  }

  #finish(): object {
    const { guard, isV2 } = this.#options
    return finishPart(isV2, 'other', `loophound:${guard.stopped?.kind ?? 'chant'}`)
  }
}

/** Returns a model that is not asked: its answer is why the guard stopped the run. */
export function sayStopped<Model extends object>(model: Model, { outcome }: LoopGuard): Model {
  const isV2 = isVersion2(model)
  const text = outcome.summary ?? 'The run was stopped.'
  const finish = finishPart(isV2, 'stop', 'loophound')
  const doGenerate = async () => ({
    ...finish,
    content: [{ type: 'text', text }],
    warnings: [],
  })
  const doStream = async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: 'loophound' })
        controller.enqueue({ type: 'text-delta', id: 'loophound', delta: text })
        controller.enqueue({ type: 'text-end', id: 'loophound' })
        controller.enqueue(finish)
        controller.close()
      },
    }),
  })
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doStream') return doStream
      if (name === 'doGenerate') return doGenerate
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const isVersion2 = (model: object): boolean =>
  (model as { specificationVersion?: unknown }).specificationVersion === 'v2'

/** Makes the part that ends a stream. */
function finishPart(isV2: boolean, reason: 'other' | 'stop', raw: string): object {
  return isV2
    ? { type: 'finish', finishReason: reason, usage: NO_USAGE_V2 }
    : { type: 'finish', finishReason: { unified: reason, raw }, usage: NO_USAGE }
}

const message = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })

/** Usage is reported at the end of a stream, which a cut stream does not reach. */
const NO_USAGE_V2 = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }
const NO_USAGE = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
