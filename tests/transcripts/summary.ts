/**
 * What a transcript amounts to, counted as `../shared/transcripts` counts it.
 *
 * @module
 */

import type { AgentEvent, Transcript } from 'loophound'

/** The figures of one transcript. */
export interface Summary {
  format: string
  calls: number
  results: number
  errors: number
  agents: number
  userMessages: number
  firstTools: string[]
  lastTool: string | null
  tokens: { in: number | null; out: number | null } | null
  cacheRead: number
  cacheWrite: number
  compactions: number
}

/** Counts the events of a transcript. */
export function summarize({ format, agents }: Transcript): Summary {
  const events = agents.flatMap((agent) => agent.events)
  // Threads that no other agent started.
  const threads = agents.filter(({ parent }) => parent === undefined)
  const tools = threads.flatMap((agent) =>
    agent.events.flatMap((event) => (event.t === 'call' ? [event.name] : [])),
  )
  const usage = events.filter((event) => event.t === 'usage')
  return {
    format,
    calls: count(events, ({ t }) => t === 'call'),
    results: count(events, ({ t }) => t === 'result'),
    errors: count(events, (event) => event.t === 'result' && event.ok === false),
    agents: agents.length,
    userMessages: count(events, (event) => event.t === 'user' && event.origin !== 'harness'),
    firstTools: tools.slice(0, 5),
    lastTool: tools.at(-1) ?? null,
    tokens:
      usage.length === 0
        ? null
        : { in: sum(usage.map((one) => one.in)), out: sum(usage.map((one) => one.out)) },
    cacheRead: sum(usage.map((one) => one.cacheRead)) ?? 0,
    cacheWrite: sum(usage.map((one) => one.cacheWrite)) ?? 0,
    compactions: count(events, ({ t }) => t === 'compacted'),
  }
}

function count(events: readonly AgentEvent[], isSuch: (event: AgentEvent) => boolean): number {
  return events.filter(isSuch).length
}

/** Nothing known is not the same as zero. */
function sum(figures: readonly (number | undefined)[]): number | null {
  const known = figures.filter((figure) => figure !== undefined)
  return known.length === 0 ? null : known.reduce((total, figure) => total + figure, 0)
}
