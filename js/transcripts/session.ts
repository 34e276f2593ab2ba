/**
 * Judges the events of a transcript one by one, and reports what was found. Each agent has its own
 * detector.
 *
 * @module
 */

import type {
  AgentEvent,
  AgentInfo,
  AgentReport,
  LoopDetector,
  PriceTable,
  ScanFinding,
  ScanReport,
  SkippedRecords,
  Spent,
  ToolReport,
  TranscriptFormat,
  Verdict,
} from 'loophound'
import { ACTIONS, CONTINUE, severity } from '../verdict.js'
import { AgentCounts, plus, type Show } from './agent-counts.js'
import { type Loop, LoopTracker } from './loops.js'
import { costOf } from './prices.js'
import { Replayer } from './replay.js'

/** How a session is judged. */
export interface SessionSettings {
  /** Makes a detector for an agent. */
  readonly detector: () => LoopDetector
  readonly format: TranscriptFormat
  readonly prices: PriceTable | null
  /** How calls are shown in the timeline; `null` for no timeline. */
  readonly show: Show | null
}

/** How many detectors are kept at a time. An agent whose detector was dropped starts over. */
const MAX_LIVE = 128

/** Judges one transcript. */
export class Session {
  readonly #settings: SessionSettings
  readonly #agents = new Map<string, AgentRun>()
  /** Agents with a detector, least recently active first. */
  readonly #live = new Set<AgentRun>()
  /** The agent of the latest event. Most events are of the same agent as the previous one. */
  #latest: AgentRun | undefined

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  /** Takes the next event. */
  push(event: AgentEvent): void {
    const id = event.agent ?? ''
    const run = this.#latest?.id === id ? this.#latest : this.#turnTo(id)
    run.push(event)
  }

  #turnTo(id: string): AgentRun {
    let run = this.#agents.get(id)
    if (!run) {
      run = new AgentRun(id, this.#settings)
      this.#agents.set(id, run)
    }
    this.#live.delete(run)
    this.#live.add(run)
    this.#latest = run
    if (this.#live.size > MAX_LIVE) {
      const [oldest] = this.#live
      oldest?.pause()
      if (oldest) this.#live.delete(oldest)
    }
    return run
  }

  /** Releases the detectors. Only the report may follow. */
  end(): void {
    for (const run of this.#live) run.pause()
    this.#live.clear()
    this.#latest = undefined
  }

  /** Releases the detectors without evaluating them further. */
  free(): void {
    for (const run of this.#live) run.free()
  }

  /** Makes the report. `known` is what the reader knows about the agents. */
  report(known: ReadonlyMap<string, AgentInfo>, skipped: readonly SkippedRecords[]): ScanReport {
    // A known agent may have done nothing. There is always a main thread.
    for (const id of known.keys()) if (!this.#agents.has(id)) this.#turnTo(id)
    if (this.#agents.size === 0) this.#turnTo('')
    const runs = [...this.#agents.values()]
    runs.sort((a, b) => Number(a.id !== '') - Number(b.id !== ''))
    const findings = runs.flatMap((run) => run.findings)
    const loops = findings.filter(isLoop)
    const sum = (figure: (counts: AgentCounts) => number) =>
      runs.reduce((total, { counts }) => total + figure(counts), 0)
    const start = Math.min(...runs.map(({ counts }) => counts.start).filter((at) => at >= 0))
    return Object.freeze({
      format: this.#settings.format,
      agents: runs.length,
      events: sum((counts) => counts.events),
      calls: sum(callsIn),
      results: sum((counts) => counts.results),
      errors: sum((counts) => counts.errors),
      userMessages: sum((counts) => counts.userMessages),
      turns: runs.reduce((total, { turns }) => total + turns, 0),
      start: Number.isFinite(start) ? start : null,
      ...together(runs.map(({ counts }) => counts.spent())),
      ms: spanOf(runs),
      stuck: loops.length > 0,
      waste: wasteOf(runs),
      verdict: mostSevere(runs.flatMap(({ verdicts }) => verdicts)),
      first: findings[0] ?? null,
      findings: Object.freeze(findings),
      loops: Object.freeze(loops),
      byAgent: Object.freeze(runs.map((run) => run.report(known.get(run.id)))),
      byTool: Object.freeze(byTool(runs)),
      timeline: this.#settings.show ? runs.flatMap(({ counts }) => counts.timeline ?? []) : null,
      skipped,
    })
  }
}

const isLoop = ({ kind }: { kind: string }) => kind !== 'iteration-cap'

/** One agent of a transcript. */
class AgentRun {
  readonly id: string
  readonly counts: AgentCounts
  turns = 0
  /** The loops, with what they cost. */
  readonly findings: ScanFinding[] = []
  /** The most severe alarm about each of them. */
  readonly verdicts: Verdict[] = []
  #tracker = new LoopTracker()
  readonly #settings: SessionSettings
  #detector: LoopDetector | undefined
  #replayer: Replayer | undefined
  /** The events and calls before the current detector started. */
  #before = { events: 0, calls: 0 }
  #wasted: ReadonlySet<number> | undefined
  #avoidable: ReadonlySet<number> | undefined

  constructor(id: string, settings: SessionSettings) {
    this.id = id
    this.#settings = settings
    const { format, prices, show } = settings
    this.counts = new AgentCounts((usage) => costOf(usage, format, prices), show)
  }

  push(event: AgentEvent): void {
    if (!this.#replayer) {
      this.#detector = this.#settings.detector()
      this.#replayer = new Replayer(this.#detector)
      this.#before = { events: this.counts.events, calls: this.counts.calls }
    }
    this.counts.add(event)
    this.#take(this.#replayer.push(event))
  }

  /** Finishes the current detector, and releases it. */
  pause(): void {
    try {
      if (this.#replayer) this.#take(this.#replayer.end())
    } finally {
      this.free()
    }
    for (const loop of this.#tracker.loops) {
      this.findings.push(this.#finding(loop))
      this.verdicts.push(loop.mostSevere)
    }
    this.#tracker = new LoopTracker()
  }

  free(): void {
    this.#detector?.free()
    this.#detector = undefined
    this.#replayer = undefined
  }

  #take(steps: ReturnType<Replayer['push']>): void {
    for (const step of steps) {
      if (step.kind === 'turn') this.turns += 1
      if (!this.#detector || step.kind === 'compacted') continue
      this.#tracker.take(step, this.#detector)
      const { action } = step.verdict
      const shown = this.counts.timeline?.[step.call + this.#before.calls]
      const isHarder =
        shown && ACTIONS.indexOf(action) > ACTIONS.indexOf(shown.action ?? 'continue')
      if (isHarder && action !== 'continue') shown.action = action
    }
  }

  #finding(loop: Loop): ScanFinding {
    const { verdict, wasted, from, to, alarms, mostSevere } = loop
    const { events, calls } = this.#before
    const first = firstWasted(loop)
    return Object.freeze({
      agent: this.id,
      kind: verdict.kind,
      tool: verdict.tool,
      pattern: verdict.pattern,
      from: from < 0 ? -1 : from + calls,
      to: to < 0 ? -1 : to + calls,
      calls: from < 0 ? 0 : Math.min(wasted + Math.max(1, verdict.period), to - from + 1),
      wasted,
      avoidable: from < 0 ? 0 : Math.max(0, wasted - verdict.wasted),
      ...this.counts.spentOn(first < 0 ? -1 : first + calls, to + calls),
      alarms,
      action: mostSevere.action,
      event: loop.event + events,
      call: loop.call < 0 ? -1 : loop.call + calls,
      verdict,
    })
  }

  /** The indices of the calls that loops wasted. Complete only at the end. */
  get wasted(): ReadonlySet<number> {
    this.#wasted ??= this.#callsOf(firstWasted)
    return this.#wasted
  }

  /** The wasted calls that came after the first alarm of their loop. */
  get avoidable(): ReadonlySet<number> {
    this.#avoidable ??= this.#callsOf(({ to, avoidable }) => to - avoidable + 1)
    return this.#avoidable
  }

  #callsOf(firstOf: (loop: ScanFinding) => number): ReadonlySet<number> {
    const calls = new Set<number>()
    for (const loop of this.findings.filter(isLoop)) {
      if (loop.from < 0) continue
      for (let index = firstOf(loop); index <= loop.to; index++) calls.add(index)
    }
    return calls
  }

  /** Returns what the wasted calls cost, each counted once. */
  waste(): Spent {
    const parts: Spent[] = []
    let first = -1
    const wasted = this.wasted
    for (const index of [...wasted].sort((a, b) => a - b)) {
      if (first < 0) first = index
      if (wasted.has(index + 1)) continue
      parts.push(this.counts.spentOn(first, index))
      first = -1
    }
    return together(parts)
  }

  report(info: AgentInfo | undefined): AgentReport {
    const { results, errors } = this.counts
    return Object.freeze({
      id: this.id,
      name: info?.name ?? null,
      parent: info?.parent ?? null,
      calls: callsIn(this.counts),
      results,
      errors,
      turns: this.turns,
      wasted: this.wasted.size,
      loops: this.findings.filter(isLoop).length,
      ...this.counts.spent(),
    })
  }
}

function callsIn({ calls, neverRan }: AgentCounts): number {
  return calls + neverRan.length
}

/** Returns the first wasted call of a loop: the wasted calls are its newest. */
function firstWasted({ from, to, wasted }: { from: number; to: number; wasted: number }): number {
  return from < 0 ? -1 : Math.max(from + 1, to - wasted + 1)
}

function wasteOf(runs: readonly AgentRun[]): ScanReport['waste'] {
  const stuck = runs.filter(({ wasted }) => wasted.size > 0)
  const sum = (figure: (run: AgentRun) => number) =>
    stuck.reduce((total, run) => total + figure(run), 0)
  return Object.freeze({
    calls: sum(({ wasted }) => wasted.size),
    avoidable: sum(({ avoidable }) => avoidable.size),
    ...together(stuck.map((run) => run.waste())),
  })
}

/** Adds up what is known; a cost that is partly unknown is unknown. */
export function together(parts: readonly Spent[]): Spent {
  const sum: { ms: number | null; in: number | null; out: number | null; cost: number | null } = {
    ms: null,
    in: null,
    out: null,
    cost: null,
  }
  let hasTokens = false
  let isPriced = true
  for (const { ms, tokens, cost } of parts) {
    sum.ms = plus(sum.ms, ms)
    if (!tokens) continue
    hasTokens = true
    sum.in = plus(sum.in, tokens.in)
    sum.out = plus(sum.out, tokens.out)
    sum.cost = plus(sum.cost, cost)
    isPriced &&= cost !== null
  }
  const tokens = hasTokens ? { in: sum.in, out: sum.out } : null
  return { ms: sum.ms, tokens, cost: isPriced ? sum.cost : null }
}

/**
 * Returns the time from the first event of any agent to the last, because agents work in parallel.
 */
function spanOf(runs: readonly AgentRun[]): number | null {
  const timed = runs.filter(({ counts }) => !Number.isNaN(counts.start))
  const ms =
    Math.max(...timed.map(({ counts }) => counts.end)) -
    Math.min(...timed.map(({ counts }) => counts.start))
  return ms >= 0 ? ms : null
}

function byTool(runs: readonly AgentRun[]): ToolReport[] {
  const tools = new Map<string, { tool: string; calls: number; errors: number; wasted: number }>()
  for (const run of runs) {
    const wasted = run.wasted
    const { tools: called, neverRan, failed } = run.counts
    for (const [index, tool] of [...called, ...neverRan].entries()) {
      const entry = tools.get(tool) ?? { tool, calls: 0, errors: 0, wasted: 0 }
      tools.set(tool, entry)
      entry.calls += 1
      if (failed.has(index)) entry.errors += 1
      if (wasted.has(index)) entry.wasted += 1
    }
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls)
}

function mostSevere(verdicts: readonly Verdict[]): Verdict {
  let mostSevere: Verdict = CONTINUE
  for (const verdict of verdicts) if (severity(verdict) > severity(mostSevere)) mostSevere = verdict
  return mostSevere
}
