/**
 * A language-model middleware that cuts a stream off when its text loops.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { type GuardSource, guardsFrom } from '../shared/guards.js'

/** The parts of a stream that are read, or added when it is cut. */
interface StreamPart {
  readonly type: string
  readonly id?: string
  readonly delta?: string
}

interface Streamed {
  stream: ReadableStream<object>
}

interface Generated {
  readonly content: readonly object[]
}

/** The model that is wrapped, as far as it is used. */
interface WrappedModel {
  readonly specificationVersion?: string
}

/** A middleware for `wrapLanguageModel`, in versions 5, 6 and 7. */
export interface LoopGuardMiddleware {
  readonly specificationVersion: 'v3'
  wrapGenerate<Result extends Generated>(options: {
    doGenerate: () => PromiseLike<Result>
  }): Promise<Result>
  wrapStream<Result extends Streamed>(options: {
    doStream: () => PromiseLike<Result>
    model: WrappedModel
  }): Promise<Result>
}

/**
 * Makes a middleware that watches text and reasoning as they stream. When they loop, the stream ends
 * there: open parts are closed, the finish reason is `other` (raw: `loophound:` and the pattern), and
 * the connection to the provider is closed, so that nothing more is paid for.
 *
 * @param guard The guard of the run, to have one verdict on calls and text; from options, each model
 * call gets a guard of its own.
 *
 * @example
 * ```ts
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: loopGuardMiddleware() })
 * ```
 */
export function loopGuardMiddleware(guard?: GuardSource<undefined>): LoopGuardMiddleware {
  const guardOf = guardsFrom(guard)
  return {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate }) {
      const [watched, result] = [guardOf(undefined), await doGenerate()]
      // Nothing is left to cut, but the guard learns the text, and may end the run after this step.
      for (const part of result.content as readonly { type?: string; text?: string }[]) {
        if (part.type === 'text' || part.type === 'reasoning') {
          watched.pushText(part.text ?? '', part.type)
        }
      }
      return result
    },
    async wrapStream({ doStream, model }) {
      const result = await doStream()
      const cutter = new StreamCutter(guardOf(undefined), model.specificationVersion === 'v2')
      return { ...result, stream: result.stream.pipeThrough(new TransformStream(cutter)) }
    },
  }
}

/** Passes parts on until the guard cuts the stream. */
class StreamCutter implements Transformer<object, object> {
  readonly #guard: LoopGuard
  readonly #isV2: boolean
  /** The text and reasoning parts that have started and not ended. */
  readonly #open = new Map<string, string>()

  constructor(guard: LoopGuard, isV2: boolean) {
    this.#guard = guard
    this.#isV2 = isV2
  }

  transform(chunk: object, controller: TransformStreamDefaultController<object>): void {
    controller.enqueue(chunk)
    const part = chunk as StreamPart
    const [channel, event] = part.type.split('-')
    if (channel !== 'text' && channel !== 'reasoning') return
    if (event === 'start') this.#open.set(part.id ?? '', channel)
    if (event === 'end') this.#open.delete(part.id ?? '')
    if (event !== 'delta' || !this.#guard.pushText(part.delta ?? '', channel)) return
    for (const [id, type] of this.#open) controller.enqueue({ type: `${type}-end`, id })
    controller.enqueue(this.#finish())
    // Ends this stream, and cancels the one it reads from.
    controller.terminate()
  }

  #finish(): object {
    const raw = `loophound:${this.#guard.stopped?.kind ?? 'chant'}`
    return this.#isV2
      ? { type: 'finish', finishReason: 'other', usage: NO_USAGE_V2 }
      : { type: 'finish', finishReason: { unified: 'other', raw }, usage: NO_USAGE }
  }
}

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
