/**
 * Formats figures for people.
 *
 * @module
 */

import type { Spent, TranscriptFormat } from 'loophound'

/** Formats whose tokens leave out what was read from a cache, as in js/transcripts/prices.ts. */
export const LEAVE_OUT_CACHE: readonly TranscriptFormat[] = ['claude-code', 'opencode', 'pi']

/** `1 call`, `40 calls`. */
export function several(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** `38 s`, `5 min`, `2.5 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  return `${(ms / 3_600_000).toFixed(1)} h`
}

/** `950`, `42k`, `1.3M`. */
export function short(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** `$0.04`; less than a cent is shown as such. */
export function dollars(cost: number): string {
  return cost > 0 && cost < 0.01 ? '<$0.01' : `$${cost.toFixed(2)}`
}

/** Formats what is known of time, tokens and cost, such as `38 s, 43k tokens, $0.09`. */
export function spentWords({ ms, tokens, cost }: Spent): string[] {
  const count = (tokens?.in ?? 0) + (tokens?.out ?? 0)
  return [
    ...(ms === null ? [] : [duration(ms)]),
    ...(count === 0 ? [] : [`${short(count)} tokens`]),
    ...(cost === null ? [] : [dollars(cost)]),
  ]
}

/** Describes where a loop is, with calls counted from 1. */
export function placeOf({ from, to, call }: { from: number; to: number; call: number }): string {
  if (from < 0) return call < 0 ? 'text at the start' : `text after call ${call + 1}`
  return `calls ${from + 1}–${to + 1}`
}
