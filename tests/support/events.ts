/**
 * Short ways to write events down, and how they are played into a detector.
 *
 * @module
 */

import type { AgentEvent, LoopDetector, Verdict } from 'loophound'

export type { AgentEvent }

export type CallEvent = Extract<AgentEvent, { t: 'call' }>

/** A tool call. */
export function call(name: string, args?: unknown): CallEvent {
  return { t: 'call', name, args }
}

/** What came of the oldest unanswered call. */
export function result(ok: boolean, output?: unknown): AgentEvent {
  return { t: 'result', ok, output }
}

/** A shell command and what came of it, also when calls of other tools are still unanswered. */
export function shell(command: string, ok: boolean, output?: unknown): AgentEvent[] {
  return [call('bash', { command }), { t: 'result', name: 'bash', ok, output }]
}

/** A model turn of words only. */
export function text(words: string): AgentEvent {
  return { t: 'text', text: words }
}

/** The same event, `times` times. */
export function repeat<T>(times: number, event: T): T[] {
  return Array.from({ length: times }, () => event)
}

/** `count` calls, no two of them alike in any argument; `label` keeps two series apart. */
export function distinct(count: number, label = 'other'): CallEvent[] {
  return Array.from({ length: count }, (_, i) => call('look', { path: `${label}-${i}.txt` }))
}

/** Plays one event; the verdict is the detector's answer to it. */
export function play(detector: LoopDetector, event: AgentEvent): Verdict {
  switch (event.t) {
    case 'call':
      return detector.record(event.name, event.args, event.id)
    case 'result': {
      const { t: _, ...outcome } = event
      return detector.recordResult(outcome)
    }
    case 'text':
      return detector.recordText(event.text)
    case 'chunk':
      return detector.pushText(event.text, event.channel)
    case 'turn':
      return detector.beginTurn()
    case 'user':
      detector.userMessage()
      return detector.verdict
    case 'compacted':
      detector.contextCompacted()
      return detector.verdict
    case 'usage':
    case 'spawn':
      return detector.verdict
  }
}

/** Plays the events one by one: one verdict for each. */
export function run(detector: LoopDetector, events: readonly AgentEvent[]): Verdict[] {
  return events.map((event) => play(detector, event))
}
