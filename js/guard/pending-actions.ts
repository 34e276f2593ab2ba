/**
 * The actions of verdicts that must wait: a nudge for the next model call, a refusal of the next
 * equal call, a stop at the end of the step.
 *
 * @module
 */

import type { Verdict } from '../types.js'
import { severity } from '../verdict.js'
import type { RememberedCall } from './call-memory.js'
import type { VerdictContext } from './types.js'

/** The pending actions, as they are saved. */
export interface PendingState {
  /** Whether a verdict in this step was not `continue`. */
  readonly hadVerdict: boolean
  readonly stopped: Verdict | null
  readonly nudge: Verdict | null
  /** The nudge that was taken last, while its loop is going on. */
  readonly delivered: string | null
  /** The call to refuse when it comes again, because the verdict on it came with its result. */
  readonly blockNext: { readonly key: string; readonly verdict: Verdict } | null
}

/** A nudge about the whole swarm counts less: the detector's own quotes and advises. */
function weight(nudge: Verdict): number {
  return nudge.kind === 'global' ? -1 : severity(nudge)
}

const NOTHING: PendingState = {
  hadVerdict: false,
  stopped: null,
  nudge: null,
  delivered: null,
  blockNext: null,
}

/** Collects the actions of verdicts until they can be taken. */
export class PendingActions {
  #state = NOTHING

  get state(): PendingState {
    return this.#state
  }

  set state(state: PendingState) {
    const { hadVerdict, stopped, nudge, delivered, blockNext } = state
    this.#state = { hadVerdict, stopped, nudge, delivered, blockNext }
  }

  clear(): void {
    this.#state = NOTHING
  }

  clearStop(): void {
    this.#set({ stopped: null })
  }

  add(verdict: Verdict, on: VerdictContext['on'], call: RememberedCall | null): void {
    this.#set({ hadVerdict: true })
    // The refusal replaces the nudge before it, which would be outdated.
    if (verdict.action === 'block') this.#set({ delivered: null })
    if (verdict.action === 'stop') this.#set({ stopped: this.#state.stopped ?? verdict })
    else if (verdict.action === 'nudge' || on !== 'call') this.addNudge(verdict)
    // The call has already run: the next equal one is refused.
    if (verdict.action === 'block' && on === 'result' && call) {
      this.#set({ blockNext: { key: call.key, verdict } })
    }
  }

  /** Keeps the most severe nudge; of equally severe ones, the latest. */
  addNudge(verdict: Verdict): void {
    const { nudge } = this.#state
    if (!nudge || weight(verdict) >= weight(nudge)) this.#set({ nudge: verdict })
  }

  takeNudge(): Verdict | null {
    const { nudge } = this.#state
    if (nudge) this.#set({ nudge: null, delivered: nudge.message })
    return nudge
  }

  /** Returns, once, the verdict that refuses a call, whatever the detector says about it now. */
  takeBlock(key: string): Verdict | null {
    const { blockNext } = this.#state
    if (blockNext?.key !== key) return null
    this.#set({ blockNext: null })
    return blockNext.verdict
  }

  /** Ends a step. A step with calls and without a verdict means that the loop is over. */
  endStep(hadCalls: boolean): void {
    const { hadVerdict, delivered } = this.#state
    if (hadVerdict) this.#set({ hadVerdict: false })
    else if (hadCalls && delivered !== null) this.#set({ delivered: null })
  }

  #set(change: Partial<PendingState>): void {
    this.#state = { ...this.#state, ...change }
  }
}
