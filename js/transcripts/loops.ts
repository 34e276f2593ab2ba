/**
 * Groups the alarms about one agent into loops, each from its first call to its last.
 *
 * @module
 */

import type { LoopDetector, Verdict } from 'loophound'
import { severity } from '../verdict.js'
import type { ReplayStep } from './replay.js'

/** An alarm's verdict. */
export type Alarm = Extract<Verdict, { action: 'nudge' | 'block' | 'stop' }>

/** A loop, as far as it is known so far. */
export interface Loop {
  /** The first alarm, and where it occurred. */
  readonly verdict: Alarm
  readonly event: number
  readonly call: number
  from: number
  to: number
  wasted: number
  alarms: number
  mostSevere: Alarm
  /** What distinguishes it from other loops. */
  readonly pattern: string
  since: number
  /** Whether the latest call was part of it. */
  isActive: boolean
}

/** How many loops may still be going on. */
const MAX_OPEN = 16
/** After this many other calls, a paused loop is over. */
const MAX_PAUSE = 64

/** Tracks the loops of one agent. */
export class LoopTracker {
  /** All loops, in the order of their first alarms. */
  readonly loops: Loop[] = []
  #open: Loop[] = []

  /** Adds the next step of a replay. The detector is the one that made the verdict. */
  take(step: ReplayStep, detector: LoopDetector): void {
    const { kind, verdict, call } = step
    if (kind === 'user') this.#open = []
    // This verdict is about an earlier event.
    if (kind === 'user' || kind === 'compacted') return
    const spoken = verdict.action === 'continue' ? undefined : this.#hear(step, verdict)
    if (kind !== 'calls' || this.#open.length === 0) return
    this.#open = this.#open.filter(({ to }) => call - to <= MAX_PAUSE)
    if (this.#open.some((loop) => loop !== spoken)) this.#follow(step, detector, spoken)
  }

  /** Adds an alarm to the loop it is about. */
  #hear(step: ReplayStep, verdict: Alarm): Loop {
    const known = this.#open.findLast((loop) => isSame(loop, verdict))
    if (!known) return this.#begin(step, verdict)
    known.alarms += 1
    known.since = verdict.since
    if (severity(verdict) > severity(known.mostSevere)) known.mostSevere = verdict
    if (verdict.since < 0) return known
    const to = lastCall(step, verdict)
    const added = verdict.calls.filter((index) => index > known.to).length
    this.#extend(known, to, added, verdict.count)
    known.from = Math.min(known.from, verdict.since)
    known.wasted = Math.max(known.wasted, wastedBy(verdict, known.from, to))
    return known
  }

  #begin(step: ReplayStep, verdict: Alarm): Loop {
    const isText = verdict.since < 0
    const to = isText ? -1 : lastCall(step, verdict)
    const loop: Loop = {
      verdict,
      event: step.event,
      call: step.call,
      from: verdict.since,
      to,
      wasted: isText ? 0 : wastedBy(verdict, verdict.since, to),
      alarms: 1,
      mostSevere: verdict,
      pattern: patternOf(verdict),
      since: verdict.since,
      isActive: true,
    }
    this.loops.push(loop)
    this.#open = [...this.#open, loop].slice(-MAX_OPEN)
    return loop
  }

  /**
   * Extends the loops that go on between alarms: the detector does not report a loop at each call.
   */
  #follow(step: ReplayStep, detector: LoopDetector, spoken: Loop | undefined): void {
    const { loops, patterns, call } = detector.explain()
    const names = step.events.flatMap((event) => (event.t === 'call' ? [event.name] : []))
    for (const loop of this.#open) {
      const { kind, tool, pattern } = loop.verdict
      if (loop === spoken || loop.from < 0) continue
      const isKnown = loops.some((one) => one.kind === kind && one.action === 'continue')
      const isPart =
        (call !== null && pattern.includes(call.label)) || (tool !== null && names.includes(tool))
      const isNewest = this.#open.findLast((one) => one.verdict.kind === kind) === loop
      if (!isKnown || !isPart || !isNewest) {
        loop.isActive = false
        continue
      }
      const count = patterns.find((one) => one.kind === kind)?.count ?? 0
      const own = tool === null ? names.length : names.filter((name) => name === tool).length
      this.#extend(loop, step.call, Math.max(1, own), count)
    }
  }

  /** Adds calls. After a pause, the calls that formed the pattern again count as well. */
  #extend(loop: Loop, to: number, added: number, count: number): void {
    const between = to - loop.to
    if (between > 0) {
      loop.wasted += Math.min(between, loop.isActive ? added : Math.max(added, count))
    }
    loop.to = Math.max(loop.to, to)
    loop.isActive = true
  }
}

/** Returns whether an alarm is about a known loop: the same calls, without a gap. */
function isSame(loop: Loop, verdict: Alarm): boolean {
  const isKind = loop.verdict.kind === verdict.kind
  const isPattern = patternOf(verdict) === loop.pattern
  if (verdict.since < 0) return loop.from < 0 && isKind && isPattern
  if (loop.from < 0 || verdict.since > loop.to + 1) return false
  return isKind ? isPattern || verdict.since === loop.since : isPattern && loop.pattern !== ''
}

/** Returns the pattern of a loop. A cycle is the same whichever of its calls comes first. */
function patternOf({ pattern, details }: Alarm): string {
  return details ? details.unit : [...pattern].sort().join('\n')
}

function lastCall({ call }: ReplayStep, { calls }: Alarm): number {
  return calls.length > 0 ? Math.max(...calls) : call
}

/**
 * Returns the calls wasted by a loop. A detector that waits for results has seen one pass of a
 * cycle less.
 */
function wastedBy({ kind, wasted, period }: Alarm, from: number, to: number): number {
  return kind === 'cycle' ? Math.max(wasted, to - from + 1 - period) : wasted
}
