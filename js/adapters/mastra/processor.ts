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
 * Makes an output processor that watches text and reasoning as they stream. When they loop, the stream
 * ends there, as by any processor that aborts: with a tripwire that has the reason.
 *
 * @param guard The guard of the run, to have one verdict on calls and text; from options, each run
 * gets a guard of its own.
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
        if (mustCut) abort(watched.stopped?.message ?? 'The text repeats itself.')
      }
      return part
    },
  }
}
