/**
 * A language-model middleware that watches what streams.
 *
 * @module
 */

import { type GuardSource, guardsFrom } from '../shared/guards.js'
import { type AskAgain, isWatched, type ModelRequest, type Streamed, watchStream } from './watch.js'

interface Generated {
  readonly content: readonly object[]
}

/** The model that is wrapped, with the parts that are used. */
interface WrappedModel {
  readonly specificationVersion?: string
  doStream(...args: never[]): unknown
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
    params: object
  }): Promise<Result>
}

/**
 * Makes a middleware that watches text and reasoning as they stream, for models that are used
 * without `withLoopGuard`. If they loop, the stream is cut: open parts are closed, and so is the
 * connection to the provider, so that no further tokens are billed. Then the model is called again
 * with the nudge, and its answer continues in the same stream. After a stop the stream ends: the
 * finish reason is `other` (raw: `loophound:` and the pattern).
 *
 * @param guard The guard of the run, so that calls and text are judged together; from options, each
 * model call gets its own guard.
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
      // There is nothing to cut, but the guard gets the text, and may end the run after
      // this step.
      for (const part of result.content as readonly { type?: string; text?: string }[]) {
        if (part.type === 'text' || part.type === 'reasoning') {
          watched.pushText(part.text ?? '', part.type)
        }
      }
      return result
    },
    async wrapStream({ doStream, model, params }) {
      const [watched, result] = [guardOf(undefined), await doStream()]
      const request = params as ModelRequest
      if (isWatched(request, watched)) return result
      watched.beginStep()
      return watchStream(result, {
        guard: watched,
        isV2: model.specificationVersion === 'v2',
        ask: (model.doStream as unknown as AskAgain).bind(model),
        request,
      })
    },
  }
}
