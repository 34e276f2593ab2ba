/**
 * What verdicts ask for that has to wait for its moment: a nudge for the next model call, a refusal
 * for the next call like the last one, a stop for the end of the step.
 *
 * @module
 */

import type { Verdict } from '../types.js'
import { severity } from '../verdict.js'
import type { Remembered } from './memory.js'
import type { VerdictContext } from './types.js'

/** What waits, as it is saved. */
export interface OutlookState {
  /** Whether a verdict in this step was not `continue`. */
  readonly isTroubled: boolean
  readonly stopped: Verdict | null
  readonly nudge: Verdict | null
  /** The nudge that was taken last, while its loop goes on. */
  readonly delivered: string | null
  /** A call that is refused when it comes next, since the verdict on it came with its result. */
  readonly barred: { readonly key: string; readonly verdict: Verdict } | null
}

const CALM: OutlookState = {
  isTroubled: false,
  stopped: null,
  nudge: null,
  delivered: null,
  barred: null,
}

/** Takes verdicts in; a guard that only observes takes in nothing. */
export class Outlook {
  #state = CALM

  get state(): OutlookState {
    return this.#state
  }

  set state(state: OutlookState) {
    const { isTroubled, stopped, nudge, delivered, barred } = state
    this.#state = { isTroubled, stopped, nudge, delivered, barred }
  }

  calmDown(): void {
    this.#state = CALM
  }

  take(verdict: Verdict, on: VerdictContext['on'], call: Remembered | null): void {
    this.#set({ isTroubled: true })
    if (verdict.action === 'stop') this.#set({ stopped: this.#state.stopped ?? verdict })
    else if (verdict.action === 'nudge' || on !== 'call') this.keepNudge(verdict)
    // The call has run already: it is the next one like it that is refused.
    if (verdict.action === 'block' && on === 'result' && call) {
      this.#set({ barred: { key: call.key, verdict } })
    }
  }

  /** The hardest is kept, of equally hard ones the latest. */
  keepNudge(verdict: Verdict): void {
    const { nudge } = this.#state
    if (!nudge || severity(verdict) >= severity(nudge)) this.#set({ nudge: verdict })
  }

  takeNudge(): Verdict | null {
    const { nudge } = this.#state
    if (nudge) this.#set({ nudge: null, delivered: nudge.message })
    return nudge
  }

  /** The verdict by which a call is refused, whatever the detector says of it now; asked once. */
  takeBar(key: string): Verdict | null {
    const { barred } = this.#state
    if (barred?.key !== key) return null
    this.#set({ barred: null })
    return barred.verdict
  }

  allow(): void {
    this.#set({ stopped: null })
  }

  /** A step in which calls were made without trouble ends what went on before. */
  endStep(hadCalls: boolean): void {
    const { isTroubled, delivered } = this.#state
    if (isTroubled) this.#set({ isTroubled: false })
    else if (hadCalls && delivered !== null) this.#set({ delivered: null })
  }

  #set(change: Partial<OutlookState>): void {
    this.#state = { ...this.#state, ...change }
  }
}
