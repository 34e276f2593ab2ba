/**
 * Picks out of a transcript what a test is about.
 *
 * @module
 */

import type { AgentEvent, Transcript } from 'loophound'

/** Writes values as JSON lines. */
export const lines = (...values: unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')

/** Reads a JSON document, or JSON lines, as a list of records. */
export function recordsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

/** The kinds of the main thread's events, in order. */
export function kinds({ events }: Transcript): string {
  return events.map(({ t }) => t).join(' ')
}

/** What persons said in the main thread. */
export function spoken(transcript: Transcript): (string | undefined)[] {
  return transcript.events.flatMap((event) =>
    event.t === 'user' && event.origin !== 'harness' ? [event.text] : [],
  )
}

/** The events of one kind, of all agents. */
export function only<T extends AgentEvent['t']>(transcript: Transcript, t: T) {
  const events = transcript.agents.flatMap((agent) => agent.events)
  return events.filter((event): event is Extract<AgentEvent, { t: T }> => event.t === t)
}
