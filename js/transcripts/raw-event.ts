/**
 * What readers yield: neutral events with fields as in the transcript. They are checked and
 * converted here, for all formats.
 *
 * @module
 */

import type { AgentEvent, TextChannel } from 'loophound'
import { asFields, type Fields, fieldsOf, numberOf, stringOf, timeOf } from './data.js'

/** Fields of every event. */
interface Common {
  /** The agent it belongs to; the main thread if absent. */
  agent?: string | undefined
  /** When it happened, in any form that {@link timeOf} reads. */
  at?: unknown
}

/** A neutral event before it is checked. */
export type RawEvent = Common &
  (
    | {
        t: 'call'
        name: unknown
        args?: unknown
        id?: unknown
        providerExecuted?: boolean
        neverRan?: boolean
      }
    | {
        t: 'result'
        id?: unknown
        name?: unknown
        ok?: boolean | undefined
        output?: unknown
        exitCode?: unknown
        denied?: boolean
      }
    | { t: 'text'; text: unknown }
    | { t: 'chunk'; text: unknown; channel: TextChannel }
    | { t: 'user'; text?: unknown; origin?: 'harness' | undefined }
    | { t: 'turn' }
    | { t: 'compacted' }
    | { t: 'usage'; usage: unknown; model?: unknown; cost?: unknown }
    | { t: 'spawn'; id?: unknown; child: unknown }
    | { t: 'checked'; event: AgentEvent }
  )

/** Returns the event in its public form, or why it cannot be used; `null` if it is empty. */
export function tidy(raw: RawEvent): AgentEvent | string | null {
  if (raw.t === 'checked') return raw.event
  const { t, agent } = raw
  const at = raw.at === undefined ? undefined : timeOf(raw.at)
  switch (t) {
    case 'call': {
      const { name, args, providerExecuted, neverRan } = raw
      if (typeof name !== 'string' || name === '') return 'a call without a name'
      const event = { t, name, args: args ?? undefined, id: idOf(raw.id), at, agent } as const
      if (neverRan) return { ...event, neverRan }
      return providerExecuted ? { ...event, providerExecuted } : event
    }
    case 'result': {
      const { ok, denied, output } = raw
      const exitCode = numberOf(raw.exitCode)
      const event = {
        t,
        id: idOf(raw.id),
        name: stringOf(raw.name),
        ok,
        output: output ?? undefined,
        at,
        exitCode,
        agent,
      } as const
      return denied ? { ...event, denied } : event
    }
    case 'text':
      return typeof raw.text === 'string' ? { t, text: raw.text, at, agent } : null
    case 'chunk':
      return raw.text && typeof raw.text === 'string'
        ? { t, text: raw.text, channel: raw.channel, at, agent }
        : null
    case 'user': {
      const event = { t, text: stringOf(raw.text), at, agent } as const
      return raw.origin ? { ...event, origin: raw.origin } : event
    }
    case 'turn':
    case 'compacted':
      return { t, at, agent }
    case 'usage': {
      const usage = usageOf(raw.usage)
      const cost = numberOf(raw.cost) ?? usage.cost
      if (usage.in === undefined && usage.out === undefined) return null
      return { t, ...usage, cost, model: stringOf(raw.model), at, agent }
    }
    case 'spawn': {
      const child = idOf(raw.child)
      return child === undefined ? null : { t, id: idOf(raw.id), child, at, agent }
    }
  }
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** The token counts that are given. */
interface Usage {
  in: number | undefined
  out: number | undefined
  cacheRead: number | undefined
  cacheWrite: number | undefined
  cost: number | undefined
}

/** The name of a figure: its key, and the key within that if it is one level deeper. */
type Name = readonly [string, string?]

/** The names that formats use for each figure; those with a dot are one level deeper. */
const NAMES: Readonly<Record<keyof Usage, readonly Name[]>> = {
  in: names(
    'input_tokens prompt_tokens inputTokens promptTokens input promptTokenCount prompt sent',
  ),
  out: names(
    'output_tokens completion_tokens outputTokens completionTokens output candidatesTokenCount completion received',
  ),
  cacheRead: names(
    'cache_read_input_tokens cacheRead cache_read_tokens cached_input_tokens cachedInputTokens ' +
      'cached cache.read prompt_tokens_details.cached_tokens input_tokens_details.cached_tokens ' +
      'input_token_details.cache_read inputTokens.cacheRead cachedContentTokenCount ' +
      'input_tokens_cache_read cached_tokens cacheReadTokens input_cache_read cacheReads',
  ),
  cacheWrite: names(
    'cache_creation_input_tokens cacheWrite cache_write_tokens cache_write_input_tokens cache.write ' +
      'input_token_details.cache_creation inputTokens.cacheWrite input_tokens_cache_write ' +
      'cacheWriteTokens cacheWrites',
  ),
  cost: names('cost cost_usd total_cost totalCost'),
}

function names(list: string): readonly Name[] {
  return list.split(' ').map((name) => {
    const [outer = '', inner] = name.split('.')
    return inner === undefined ? [outer] : [outer, inner]
  })
}

/** Reads token counts under the names of any known format. */
export function usageOf(value: unknown): Usage {
  const fields = fieldsOf(value)
  const figure = (key: keyof Usage) => figureUnder(fields, NAMES[key])
  return {
    in: figure('in'),
    out: figure('out'),
    cacheRead: figure('cacheRead'),
    cacheWrite: figure('cacheWrite'),
    cost: figure('cost'),
  }
}

function figureUnder(fields: Fields, keys: readonly Name[]): number | undefined {
  for (const [outer, inner] of keys) {
    const value = fields[outer]
    if (value === undefined) continue
    // A figure may itself be an object with a total.
    const nested = asFields(value)
    const figure = numberOf(inner ? nested?.[inner] : nested ? nested.total : value)
    if (figure !== undefined) return figure
  }
  return undefined
}
