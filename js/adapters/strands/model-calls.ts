/**
 * Guards model calls: adds a nudge before one, and ends one whose text repeats itself.
 *
 * @module
 */

import {
  type Block,
  type InvokeModelContext,
  type InvokeModelResult,
  Message,
  type ModelCall,
  type StreamEvent,
  TextBlock,
} from '@strands-agents/sdk'
import type { LoopGuard } from 'loophound'

type Running = AsyncGenerator<StreamEvent, InvokeModelResult, undefined>

/** Makes a middleware around model calls. */
export function watchModel(guard: LoopGuard) {
  return async function* (context: InvokeModelContext, next: ModelCall): Running {
    const running = next(withNudge(context, guard.takeNudge({ sticky: true })))
    let text = ''
    try {
      for (let piece = await running.next(); ; piece = await running.next()) {
        if (piece.done) return piece.value
        const added = textIn(piece.value)
        if (added && guard.pushText(added.text, added.channel)) return cutAfter(text)
        if (added?.channel === 'text') text += added.text
        yield piece.value
      }
    } finally {
      // Lets the middleware below clean up, if the response has not ended.
      await running.return(undefined as never)
    }
  }
}

function textIn({ type, event }: StreamEvent) {
  if (type !== 'modelStreamUpdateEvent' || event?.type !== 'modelContentBlockDeltaEvent') {
    return undefined
  }
  const { type: kind, text } = event.delta ?? {}
  if (typeof text !== 'string') return undefined
  if (kind === 'textDelta') return { text, channel: 'text' } as const
  return kind === 'reasoningContentDelta' ? ({ text, channel: 'reasoning' } as const) : undefined
}

/** Ends the turn with the text so far. */
function cutAfter(text: string): InvokeModelResult {
  // A message must not be empty.
  const content = [new TextBlock(text === '' ? '…' : text)]
  return { result: { message: new Message({ role: 'assistant', content }), stopReason: 'endTurn' } }
}

/**
 * Adds the nudge to the end of the last user message, as the SDK does with temporary content: some
 * providers do not accept two user messages in a row.
 */
function withNudge(context: InvokeModelContext, nudge: string | null): InvokeModelContext {
  const { messages, dynamicTrailingBlocks = 0 } = context
  const last = messages.at(-1)
  if (nudge === null || last?.role !== 'user') return context
  const { content, trackingId, metadata } = last
  const nudged = new Message({
    role: 'user',
    content: [...content, new TextBlock(nudge)],
    trackingId,
    ...(metadata === undefined ? {} : { metadata }),
  })
  return {
    ...context,
    messages: [...messages.slice(0, -1), nudged],
    dynamicTrailingBlocks: dynamicTrailingBlocks + 1,
  }
}

/** Returns the text of a message. */
export function textOf(content: readonly Block[]): string {
  return content.map(({ type, text = '' }) => (type === 'textBlock' ? text : '')).join('')
}
