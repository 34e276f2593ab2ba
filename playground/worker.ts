/**
 * The judge in a worker: long transcripts must not make the page wait.
 *
 * @module
 */

import { type Answer, Judge, type Request } from './judge.js'

const judge = new Judge()

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  self.postMessage(answer(data))
})

function answer({ id, method, args }: Request): Answer {
  try {
    return {
      id,
      value: (judge[method] as (...given: readonly unknown[]) => unknown).apply(judge, args),
    }
  } catch (error) {
    return { id, error: (error as Error).message }
  }
}
