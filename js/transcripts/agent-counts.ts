/**
 * Counts what one agent did: calls, results, turns, tokens, times. It keeps a few numbers for each
 * call and each response, so that the cost of a loop can be computed afterwards.
 *
 * @module
 */

import type { AgentEvent, CallReport, Spent, Tokens, TokenUsage } from 'loophound'

/** How many characters of a call's arguments and of its output a timeline shows. */
const SHOWN = { args: 400, output: 2000 }

type Draft = { -readonly [Key in keyof CallReport]: CallReport[Key] }

/** One model response. */
interface Response {
  turn: number | undefined
  /** Its calls; none if `last` is before `first`. */
  readonly first: number
  last: number
  in: number | null
  out: number | null
  cost: number | null
  hasUsage: boolean
}

/** How a call is shown in a timeline. */
export type Show = (name: string, args: unknown, output?: unknown) => string

/** Counts the events of one agent. */
export class AgentCounts {
  events = 0
  calls = 0
  results = 0
  errors = 0
  userMessages = 0
  start = Number.NaN
  end = Number.NaN
  /** The tool of each call. */
  readonly tools: string[] = []
  /** The tools of calls that never ran. They have no index, as they are not judged. */
  readonly neverRan: string[] = []
  /** Which calls failed. */
  readonly failed = new Set<number>()
  /** The timeline; `null` if none is requested. */
  readonly timeline: Draft[] | null
  readonly #costOf: (usage: TokenUsage) => number | null
  readonly #show: Show
  readonly #begun: number[] = []
  readonly #ended: number[] = []
  readonly #responses: Response[] = []
  /** Calls without a result yet, by id. */
  readonly #pending = new Map<string, number>()
  /** The first call without an id that has no result yet. */
  #unanswered = 0
  #isNewResponse = true

  constructor(costOf: (usage: TokenUsage) => number | null, show: Show | null) {
    this.#costOf = costOf
    this.#show = show ?? (() => '')
    this.timeline = show ? [] : null
  }

  /** Counts the next event. */
  add(event: AgentEvent): void {
    this.events += 1
    if (event.at !== undefined) {
      if (Number.isNaN(this.start)) this.start = event.at
      this.end = event.at
    }
    switch (event.t) {
      case 'call':
        if (event.neverRan) this.neverRan.push(event.name)
        else this.#call(event)
        break
      case 'result':
        this.#result(event)
        break
      case 'usage':
        this.#usage(event)
        break
      case 'user':
        if (event.origin !== 'harness') this.userMessages += 1
        this.#isNewResponse = true
        break
      case 'turn':
      case 'compacted':
        this.#isNewResponse = true
        break
    }
  }

  #call(event: Extract<AgentEvent, { t: 'call' }>): void {
    const { name, args, id, at } = event
    const index = this.calls
    this.calls += 1
    this.tools.push(name)
    this.#begun.push(at ?? Number.NaN)
    this.#ended.push(Number.NaN)
    if (id !== undefined) this.#pending.set(id, index)
    this.#response(event.turn, index).last = index
    this.timeline?.push({
      agent: event.agent ?? '',
      tool: name,
      args: cut(this.#show(name, args), SHOWN.args),
      output: null,
      ok: null,
      turn: event.turn ?? this.#responses.length,
      at: at ?? null,
      action: null,
    })
  }

  #result(event: Extract<AgentEvent, { t: 'result' }>): void {
    this.results += 1
    if (event.ok === false) this.errors += 1
    this.#isNewResponse = true
    const index = this.#answered(event.id)
    if (index === undefined) return
    if (event.ok === false) this.failed.add(index)
    if (event.at !== undefined) this.#ended[index] = event.at
    const shown = this.timeline?.[index]
    if (!shown) return
    shown.ok = event.ok ?? null
    shown.output =
      event.output === undefined ? '' : cut(this.#show('', undefined, event.output), SHOWN.output)
  }

  #answered(id: string | undefined): number | undefined {
    if (id !== undefined) {
      const index = this.#pending.get(id)
      this.#pending.delete(id)
      return index
    }
    const index = this.#unanswered
    if (index >= this.calls) return undefined
    this.#unanswered += 1
    return index
  }

  #usage(event: Extract<AgentEvent, { t: 'usage' }>): void {
    const response = this.#response(event.turn, this.calls)
    const cost = this.#costOf(event)
    response.in = plus(response.in, event.in)
    response.out = plus(response.out, event.out)
    // One response without a price makes the total unknown.
    response.cost = response.hasUsage && response.cost === null ? null : plus(response.cost, cost)
    if (cost === null) response.cost = null
    response.hasUsage = true
  }

  /**
   * Returns the response that a call or its usage belongs to.
   *
   * @param first Its first call, if it is a new one.
   */
  #response(turn: number | undefined, first: number): Response {
    const latest = this.#responses.at(-1)
    if (turn !== undefined) {
      // Usage may come after the results, or when the next response has begun.
      for (let back = 1; back <= 3; back++) {
        const recent = this.#responses.at(-back)
        if (recent?.turn === turn) return recent
      }
    }
    if (latest && !this.#isNewResponse && (turn === undefined || latest.turn === undefined)) {
      latest.turn = turn
      return latest
    }
    const fresh = { in: null, out: null, cost: null, hasUsage: false }
    const response: Response = { turn, first, last: first - 1, ...fresh }
    this.#responses.push(response)
    this.#isNewResponse = false
    return response
  }

  /** Returns what the whole run cost. */
  spent(): Spent {
    const ms = this.end - this.start
    return { ms: ms >= 0 ? ms : null, ...sumOf(this.#responses.filter((one) => one.hasUsage)) }
  }

  /**
   * Returns what these calls cost: the time from the first to the result of the last, and whole
   * responses.
   */
  spentOn(first: number, last: number): Spent {
    if (last < first || first < 0) return { ms: null, tokens: null, cost: null }
    const ended = this.#ended[last] ?? Number.NaN
    const end = Number.isNaN(ended) ? (this.#begun[last] ?? Number.NaN) : ended
    const ms = end - (this.#begun[first] ?? Number.NaN)
    const isWhole = (one: Response) =>
      one.hasUsage && one.last >= one.first && one.first >= first && one.last <= last
    return { ms: ms >= 0 ? ms : null, ...sumOf(this.#responses.filter(isWhole)) }
  }
}

function sumOf(responses: readonly Response[]): { tokens: Tokens | null; cost: number | null } {
  if (responses.length === 0) return { tokens: null, cost: null }
  const sum = { in: null as number | null, out: null as number | null }
  let cost: number | null = 0
  for (const response of responses) {
    sum.in = plus(sum.in, response.in)
    sum.out = plus(sum.out, response.out)
    cost = cost === null || response.cost === null ? null : cost + response.cost
  }
  return { tokens: sum, cost }
}

/** Adds a figure to a sum. Unknown is not the same as zero. */
export function plus(sum: number | null, figure: number | null | undefined): number | null {
  return figure === undefined || figure === null ? sum : (sum ?? 0) + figure
}

/** Cuts a text without splitting a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most)
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`
}
