/**
 * The prices of models, as data, and the cost of a response.
 *
 * List prices in US dollars for a million tokens, at the standard rate: no batches, no surcharge
 * for long prompts, and cache writes as those that last five minutes. Each row was copied from a
 * page of its provider on the date below: platform.claude.com/docs (pricing, models) and
 * developers.openai.com/api/docs/models. A model that is not listed has no price: its cost is
 * unknown, not zero. Models whose price depends on the length of the prompt, or changed while they
 * were in use, are not listed, because one figure would be wrong for part of a transcript.
 *
 * @module
 */

import type { ModelPrice, PriceTable, TokenUsage, TranscriptFormat } from 'loophound'

const OPUS_4: ModelPrice = { in: 15, out: 75, cacheRead: 1.5, cacheWrite: 18.75 }
const OPUS: ModelPrice = { in: 5, out: 25, cacheRead: 0.5, cacheWrite: 6.25 }
const SONNET: ModelPrice = { in: 3, out: 15, cacheRead: 0.3, cacheWrite: 3.75 }

/** The default prices. */
export const PRICES: PriceTable = {
  date: '2026-11-18',
  models: {
    'claude-fable-5': { in: 10, out: 50, cacheRead: 1, cacheWrite: 12.5 },
    'claude-opus-4': OPUS_4,
    'claude-opus-4-1': OPUS_4,
    'claude-opus-4-5': OPUS,
    'claude-opus-4-6': OPUS,
    'claude-opus-4-7': OPUS,
    'claude-opus-4-8': OPUS,
    'claude-opus-5': OPUS,
    'claude-opus-5-5': { in: 4, out: 20, cacheRead: 0.2, cacheWrite: 5 },
    'claude-sonnet-4': SONNET,
    'claude-sonnet-4-5': SONNET,
    'claude-sonnet-4-6': SONNET,
    'claude-sonnet-5': { in: 2, out: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    'claude-haiku-4-5': { in: 1, out: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    'gpt-5-codex': { in: 1.25, out: 10, cacheRead: 0.125 },
  },
}

/** Formats whose input tokens exclude those read from a cache. */
const WITHOUT_CACHE: readonly TranscriptFormat[] = ['claude-code', 'opencode', 'pi']
/** Formats whose input tokens include those read from a cache. */
const WITH_CACHE: readonly TranscriptFormat[] = [
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'codex',
  'gemini-cli',
  'qwen-code',
]

/**
 * Returns the cost of a response: as given in the transcript, or computed from the prices; `null`
 * if unknown.
 */
export function costOf(
  usage: TokenUsage,
  format: TranscriptFormat,
  prices: PriceTable | null,
): number | null {
  if (usage.cost !== undefined) return usage.cost
  const price = prices && usage.model !== undefined ? priceOf(usage.model, prices) : undefined
  if (!price || usage.in === undefined || usage.out === undefined) return null
  const { cacheRead = 0, cacheWrite = 0 } = usage
  let fresh = usage.in
  if (cacheRead + cacheWrite > 0) {
    if (WITH_CACHE.includes(format)) fresh -= cacheRead
    else if (!WITHOUT_CACHE.includes(format)) return null
  }
  if (cacheRead > 0 && price.cacheRead === undefined) return null
  if (cacheWrite > 0 && price.cacheWrite === undefined) return null
  const sum =
    Math.max(0, fresh) * price.in +
    usage.out * price.out +
    cacheRead * (price.cacheRead ?? 0) +
    cacheWrite * (price.cacheWrite ?? 0)
  return sum / 1e6
}

/** Finds the price of a model, ignoring a provider or date in its name. */
function priceOf(model: string, { models }: PriceTable): ModelPrice | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  for (const candidate of [name, name.replace(/[-@]\d{4}-?\d{2}-?\d{2}$/, '')]) {
    if (Object.hasOwn(models, candidate)) return models[candidate]
  }
  return undefined
}
