/**
 * What an alarm would have saved, had the agent listened to it.
 *
 * @module
 */

import { dollars, several, short } from './figures.js'
import type { SessionReport } from './folder-report.js'

/**
 * Describes what a session could have saved: the calls after the first alarm of each loop.
 * Tokens and cost are those of all wasted calls, in proportion; unknown figures are left
 * out.
 */
export function savedWords({ waste }: Pick<SessionReport, 'waste'>): string[] {
  const { calls, avoidable, tokens, cost } = waste
  if (avoidable === 0) return []
  const share = avoidable / calls
  const count = Math.round(((tokens?.in ?? 0) + (tokens?.out ?? 0)) * share)
  return [
    several(avoidable, 'call'),
    ...(count === 0 ? [] : [`about ${short(count)} tokens`]),
    ...(cost === null ? [] : [`about ${dollars(cost * share)}`]),
  ]
}

/** Says what could have been saved, in a sentence; empty if nothing. */
export function savedSentence(session: Pick<SessionReport, 'waste'>): string {
  const saved = savedWords(session)
  if (saved.length === 0) return ''
  const last = saved.at(-1)
  const list = saved.length === 1 ? last : `${saved.slice(0, -1).join(', ')} and ${last}`
  return `Heeding the alarms would have saved ${list}.`
}
