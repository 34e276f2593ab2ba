/**
 * Streams a text through a guard, and reports where it would have been cut.
 *
 * @module
 */

import {
  type LoopDetectorOptions,
  LoopGuard,
  presets,
  type TextChannel,
  type Verdict,
} from 'loophound'

/** The outcome of a stream. */
export interface StreamOutcome {
  /** Characters that had been streamed when the guard cut it; `null` if it did not. */
  readonly cutAt: number | null
  /** The alarms, and after how many characters each came. */
  readonly alarms: readonly { readonly at: number; readonly verdict: Verdict }[]
}

/** Whether these options look for text that repeats itself: among the presets, `balanced` does. */
export function watchesText({ preset = 'balanced', detectors }: LoopDetectorOptions): boolean {
  return (detectors?.chant ?? presets[preset].detectors?.chant ?? false) !== false
}

/**
 * Streams a text in chunks of this many characters.
 *
 * @throws TypeError or RangeError for options that a detector refuses.
 */
export function streamText(
  text: string,
  chunk: number,
  channel: TextChannel,
  options: LoopDetectorOptions,
): StreamOutcome {
  const alarms: { at: number; verdict: Verdict }[] = []
  let at = 0
  const guard = new LoopGuard({
    detector: options,
    onWarning: false,
    onVerdict: (verdict) => alarms.push({ at, verdict }),
  })
  try {
    guard.beginStep()
    while (at < text.length) {
      const piece = text.slice(at, at + chunk)
      at += piece.length
      if (guard.pushText(piece, channel)) return { cutAt: at, alarms }
    }
    return { cutAt: null, alarms }
  } finally {
    guard.free()
  }
}
