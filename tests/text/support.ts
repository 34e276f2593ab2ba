/** Text cut into chunks, and what a detector says to it. */

import { LoopDetector, type LoopDetectorOptions, type TextChannel, type Verdict } from 'loophound'

/** Chunk sizes that every sample is streamed in; the last is all of it at once. */
export const SIZES = [1, 3, 20, 1000, Number.POSITIVE_INFINITY]

export function* chunksOf(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** A report, and the offset at which the chunk that brought it ended. */
export interface Report {
  readonly end: number
  readonly verdict: Verdict
}

/** Everything that is said to a stream. */
export function reports(
  chunks: Iterable<string>,
  options: LoopDetectorOptions = {},
  channel?: TextChannel,
): Report[] {
  const detector = new LoopDetector(options)
  const found: Report[] = []
  let end = 0
  for (const chunk of chunks) {
    end += chunk.length
    const verdict = detector.pushText(chunk, channel)
    if (verdict.action !== 'continue') found.push({ end, verdict })
  }
  detector.free()
  return found
}

/** Everything that is said to a text, in chunks of one size. */
export function stream(
  text: string,
  size: number,
  options?: LoopDetectorOptions,
  channel?: TextChannel,
): Report[] {
  return reports(chunksOf(text, size), options, channel)
}

/** Chunks of random sizes, the same in every run. */
export function* randomChunksOf(text: string, seed: number): Generator<string> {
  const next = random(seed)
  for (let at = 0, size = 0; at < text.length; at += size) {
    size = 1 + Math.floor(next() * 40)
    yield text.slice(at, at + size)
  }
}

/** The same numbers in every run. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}
