/**
 * Checks the text of a stream that the caller reads.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'

/** A stream of the `openai` or `@anthropic-ai/sdk` package has a controller that closes its connection. */
export interface Abortable {
  readonly controller?: { abort(): void }
}

/** What a chunk adds to the two channels; anything but a string is ignored. */
interface AddedText {
  readonly text?: unknown
  readonly reasoning?: unknown
}

/** Passes on the chunks of a stream, and aborts it when the guard says so. */
export async function* watch<Chunk>(
  guard: LoopGuard,
  stream: AsyncIterable<Chunk> & Abortable,
  read: (chunk: Chunk) => AddedText,
): AsyncGenerator<Chunk, void, void> {
  for await (const chunk of stream) {
    yield chunk
    const { text, reasoning } = read(chunk)
    const mustCut =
      (typeof reasoning === 'string' && guard.pushText(reasoning, 'reasoning')) ||
      (typeof text === 'string' && guard.pushText(text))
    if (!mustCut) continue
    stream.controller?.abort()
    return
  }
}
