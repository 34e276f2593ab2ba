/**
 * Plays a session to a detector on the default preset, by turn or call by call.
 *
 * @module
 */

import { type Action, LoopDetector, type Verdict } from 'loophound'
import type { Event } from './build.js'

type Call = Extract<Event, { t: 'call' }>
type Result = Extract<Event, { t: 'result' }>

/** What is reported in one go: the calls of a turn, a text that leads up to calls, or an event. */
type Report = { t: 'calls'; calls: Call[] } | { t: 'lead'; text: string } | Exclude<Event, Call>

/** An alarm, and the number of calls that were recorded by then; a turn of text alone counts, too. */
export interface Alarm {
  readonly calls: number
  readonly action: Exclude<Action, 'continue'>
  readonly kind: Verdict['kind']
}

export type Way = 'by turn' | 'call by call'

/** Every alarm of a session. The detector is told everything, also after a stop. */
export function alarmsOf(events: readonly Event[], way: Way): Alarm[] {
  const detector = new LoopDetector()
  const alarms: Alarm[] = []
  let calls = 0
  let isTurnOpen = false
  const hear = (verdict: Verdict | null) => {
    if (verdict === null || verdict.action === 'continue' || verdict.kind === 'iteration-cap')
      return
    alarms.push({ calls, action: verdict.action, kind: verdict.kind })
  }
  try {
    for (const report of reportsOf(way === 'by turn' ? events : oneByOne(events), way)) {
      const isModel = ['calls', 'lead', 'text', 'chunk'].includes(report.t)
      // A hook, which is asked call by call, does not learn where a turn begins.
      if (way === 'by turn' && isModel && !isTurnOpen) hear(detector.beginTurn())
      isTurnOpen = ['turn', 'lead', 'chunk'].includes(report.t)
      if (report.t === 'calls') calls += report.calls.length
      if (report.t === 'text') calls += 1
      hear(tell(detector, report))
    }
  } finally {
    detector.free()
  }
  return alarms
}

/** Report something; null where the detector gives no answer. */
function tell(detector: LoopDetector, report: Report): Verdict | null {
  switch (report.t) {
    case 'calls':
      return recordCalls(detector, report.calls)
    case 'result':
      return detector.recordResult(withoutType(report))
    case 'text':
      return detector.recordText(report.text)
    case 'lead':
      return detector.pushText(report.text)
    case 'chunk':
      return detector.pushText(report.text, report.channel)
    case 'turn':
      return detector.beginTurn()
    case 'user':
      detector.userMessage()
      return null
    case 'compacted':
      detector.contextCompacted()
      return null
  }
}

/** One call without a time is recorded as such; everything else is a batch. */
function recordCalls(detector: LoopDetector, calls: readonly Call[]): Verdict {
  const [first, ...others] = calls
  return first !== undefined && first.at === undefined && others.length === 0
    ? detector.record(first.name, first.args, first.id)
    : detector.recordBatch(calls.map(withoutType))
}

function withoutType<T extends { t: string }>({ t: _, ...rest }: T): Omit<T, 't'> {
  return rest
}

/** By turn, calls that stand together are one report. A text right before a call leads up to it. */
function reportsOf(events: readonly Event[], way: Way): Report[] {
  const reports: Report[] = []
  for (const [index, event] of events.entries()) {
    const last = reports.at(-1)
    if (event.t === 'call') {
      if (way === 'by turn' && last?.t === 'calls') last.calls.push(event)
      else reports.push({ t: 'calls', calls: [event] })
    } else if (event.t === 'text' && events[index + 1]?.t === 'call') {
      reports.push({ t: 'lead', text: event.text })
    } else reports.push(event)
  }
  return reports
}

/** Put each result right after its call, as a hook sees them. */
function oneByOne(events: readonly Event[]): Event[] {
  const results = new Map<Event, Result>()
  const open: Call[] = []
  for (const event of events) {
    if (event.t === 'call') open.push(event)
    if (event.t !== 'result') continue
    const place = event.id === undefined ? 0 : open.findIndex(({ id }) => id === event.id)
    const [owner] = open.splice(place, 1)
    if (owner) results.set(owner, event)
  }
  const moved = new Set<Event>(results.values())
  return events.flatMap((event) => {
    if (moved.has(event)) return []
    const result = results.get(event)
    return result ? [event, result] : [event]
  })
}
