/**
 * A processor that ends a stream whose text loops.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { type GuardSource, guardsFrom } from '../shared/guards.js'

/** An output processor, for agents of both majors. */
export interface LoopGuardProcessor {
  readonly id: 'loophound'
  readonly name: 'loophound'
  processOutputStream<Part extends { readonly type: string }>(stream: {
    part: Part
    state: Record<string, unknown>
    abort: (reason?: string) => never
  }): Promise<Part>
}

/**
 * Makes an output processor that watches text and reasoning as they stream. When they loop, the
 * stream ends there, as with any processor that aborts: with a tripwire that contains the reason.
 *
 * @param guard The guard of the run, so that calls and text are judged together; from options, each
 * run gets its own guard.
 *
 * @example
 * ```ts
 * const agent = new Agent({ id, name, instructions, model, outputProcessors: [loopGuardProcessor()] })
 * ```
 */
export function loopGuardProcessor(guard?: GuardSource<undefined>): LoopGuardProcessor {
  const guardOf = guardsFrom(guard)
  return {
    id: 'loophound',
    name: 'loophound',
    async processOutputStream({ part, state, abort }) {
      state.guard ??= guardOf(undefined)
      const watched = state.guard as LoopGuard
      const { payload } = part as { readonly payload?: { readonly text?: unknown } }
      const isText = part.type === 'text-delta'
      if ((isText || part.type === 'reasoning-delta') && typeof payload?.text === 'string') {
        const mustCut = watched.pushText(payload.text, isText ? 'text' : 'reasoning')
        // The reason is for the user: what happened, not what to do instead.
        if (mustCut) abort(watched.detector.verdict.summary ?? 'The text repeats itself.')
      }
      return part
    },
  }
}
