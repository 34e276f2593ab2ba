/**
 * Watches a stream that the caller reads.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'

/** A stream of the `openai` or `@anthropic-ai/sdk` package has a controller that closes its connection. */
export interface Abortable {
  readonly controller?: { abort(): void }
}

/** What a chunk adds to the two channels; anything but text is nothing. */
interface Added {
  readonly text?: unknown
  readonly reasoning?: unknown
}

export async function* watch<Chunk>(
  guard: LoopGuard,
  stream: AsyncIterable<Chunk> & Abortable,
  read: (chunk: Chunk) => Added,
): AsyncGenerator<Chunk, void, void> {
  for await (const chunk of stream) {
    yield chunk
    const { text, reasoning } = read(chunk)
    const isEnough =
      (typeof reasoning === 'string' && guard.pushText(reasoning, 'reasoning')) ||
      (typeof text === 'string' && guard.pushText(text))
    if (!isEnough) continue
    stream.controller?.abort()
    return
  }
}
