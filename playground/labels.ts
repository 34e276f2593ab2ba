/**
 * What the visitor thinks of a verdict, as labels that the evaluation reads.
 *
 * @module
 */

import type { ScanFinding } from 'loophound'
import type { SessionReport } from '../js/report/folder-report.js'

/** One opinion: an alarm was wrong, or a loop was missed. */
export type Mark =
  | {
      readonly type: 'wrong'
      readonly file: string
      /** What the loop is known by. */
      readonly loop: string
      /** The loop in words, with calls counted from 1. */
      readonly title: string
    }
  | {
      readonly type: 'missed'
      readonly file: string
      readonly agent: string
      /** The first repeat and the last, by call index. */
      readonly from: number
      readonly to: number
      readonly reason: string
    }

/** What a loop is known by in its session. */
export function nameOf({ agent, kind, from, to, event }: ScanFinding): string {
  return `${agent} ${kind} ${from}-${to} at ${event}`
}

interface Span {
  readonly from: number
  readonly to: number
  readonly kind: string
  readonly agent?: string
}

/**
 * Writes a line for each session that has marks: `{ id, stuck, spans, borderline, readers, reason }`.
 * Loops that were not called wrong stay in it. `from` is the first repeat, not the first call.
 */
export function labelLines(sessions: readonly SessionReport[], marks: readonly Mark[]): string {
  return sessions.map((session) => labelLine(session, marks)).join('')
}

function labelLine({ file, loops }: SessionReport, all: readonly Mark[]): string {
  const marks = all.filter((mark) => mark.file === file)
  if (marks.length === 0) return ''
  const wrong = marks.flatMap((mark) => (mark.type === 'wrong' ? [mark.loop] : []))
  const wrongLoops = loops.filter((loop) => wrong.includes(nameOf(loop)))
  const missed = marks.filter((mark) => mark.type === 'missed')
  const spans: Span[] = [
    ...loops.filter((loop) => loop.from >= 0 && !wrongLoops.includes(loop)).map(spanOf),
    ...missed.map(({ from, to, agent }) => withAgent({ from, to, kind: 'missed' }, agent)),
  ]
  const reasons = [
    ...wrongLoops.map(({ kind, from, to }) => `wrong alarm: ${kind} from ${from} to ${to}`),
    ...missed.map(({ reason }) => reason).filter(Boolean),
  ]
  const label = {
    id: file,
    stuck: spans.length > 0,
    spans: spans.sort((a, b) => a.from - b.from),
    borderline: false,
    readers: 1,
    reason: reasons.join('; '),
  }
  return `${JSON.stringify(label)}\n`
}

function spanOf({ agent, kind, from, to, verdict }: ScanFinding): Span {
  const first = Math.min(to, from + Math.max(1, verdict.period))
  return withAgent({ from: first, to, kind: kind.replaceAll('-', '_') }, agent)
}

const withAgent = (span: Span, agent: string): Span => (agent ? { ...span, agent } : span)
