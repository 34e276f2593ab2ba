/**
 * Reads messages whose parts hold several steps, with a call and its result in one part.
 *
 * @module
 */

import { describe } from '../input/check.js'
import { type Fields, typeOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import type { ReadLog } from './reader.js'

/**
 * Reads the parts of an assistant message. Each step is a turn.
 *
 * @param readPart Returns the events of a part that is neither text nor reasoning, or `null` if it
 * has none.
 */
export function* readSteps(
  parts: readonly Fields[],
  at: unknown,
  log: ReadLog,
  readPart: (part: Fields, type: string) => Iterable<RawEvent> | null,
): Iterable<RawEvent> {
  let isOpen = false
  for (const part of parts) {
    const type = typeOf(part)
    const isStart = type === 'step-start'
    if (isStart || !isOpen) {
      yield { t: 'turn', at }
      isOpen = true
    }
    if (isStart) continue
    if (type === 'text') yield { t: 'text', text: part.text, at }
    else if (type === 'reasoning') yield { t: 'chunk', text: part.text, channel: 'reasoning', at }
    else {
      const events = readPart(part, type)
      if (!events) log.skip(`part type ${describe(type)}`)
      yield* events ?? []
    }
  }
}
