/**
 * Judges transcripts and explains calls with the package, in the page itself or in a
 * worker.
 *
 * @module
 */

import {
  type Explanation,
  LoopDetector,
  type LoopDetectorOptions,
  type LoopKind,
  type ScanOptions,
} from 'loophound'
import { PRICES, readTranscript, replay, scan } from 'loophound/transcripts'
import {
  type Failure,
  type FolderReport,
  folderReport,
  type SessionReport,
} from '../js/report/folder-report.js'

export type Format = NonNullable<ScanOptions['format']>

/** A transcript that the visitor gave. */
export interface Source {
  readonly name: string
  readonly text: string
}

/** What is asked about all transcripts. */
export interface Question {
  readonly options: LoopDetectorOptions
  readonly format: Format
  /** The session whose calls are shown; the most wasteful one if absent. */
  readonly chosen: string | null
  /** The version that the report is said to be made by. */
  readonly loophound: string
}

/** One call of a session. */
export interface CallPlace {
  readonly file: string
  readonly agent: string
  /** Its index among the agent's calls. */
  readonly call: number
}

/** The explanations of a call: when it was made, and when its result came. */
export interface Explained {
  readonly atCall: Explanation
  readonly atResult: Explanation | null
  /** Whether it is about the last of several calls of one turn, which are judged together. */
  readonly isOfLast: boolean
  /** For each pattern, the latest call before this one that raised an alarm about it. */
  readonly earlierAlarms: Readonly<Partial<Record<LoopKind, number>>>
}

const BY_SEVERITY = ['continue', 'nudge', 'block', 'stop']

/**
 * The more severe of the two. In a transcript every call did run, so a call that was to be refused
 * has a result, which may raise an alarm of its own; the timeline shows the more severe one as well.
 */
export function alarmOf({ atCall, atResult }: Explained): Explanation {
  const rank = ({ verdict }: Explanation) => BY_SEVERITY.indexOf(verdict.action)
  return atResult && rank(atResult) > rank(atCall) ? atResult : atCall
}

/** A method call to a judge in a worker. */
export interface Request {
  readonly id: number
  readonly method: 'load' | 'report' | 'explain'
  readonly args: unknown[]
}

/** What came of it. */
export interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** Keeps the transcripts, and answers questions about them. */
export class Judge {
  #sources: readonly Source[] = []

  load(sources: readonly Source[]): void {
    this.#sources = sources
  }

  /**
   * Judges all transcripts. Only one session of the report has its calls.
   *
   * @throws TypeError or RangeError for options that a detector refuses.
   */
  report({ options, format, chosen, loophound }: Question): FolderReport {
    new LoopDetector(options).free()
    const isOnly = this.#sources.length === 1
    const sessions: SessionReport[] = []
    const failures: Failure[] = []
    for (const { name, text } of this.#sources) {
      try {
        sessions.push(sessionOf(name, text, { ...options, format, timeline: isOnly }))
      } catch (error) {
        failures.push({ file: name, reason: (error as Error).message })
      }
    }
    const about = { loophound, options, prices: PRICES.date }
    const report = folderReport(about, sessions, failures, 0)
    if (isOnly) return report
    const shown = report.sessions.find(({ file }) => file === chosen) ?? report.sessions[0]
    return {
      ...report,
      sessions: report.sessions.map((session) =>
        session === shown
          ? sessionOf(session.file, this.#textOf(session.file), {
              ...options,
              format,
              timeline: true,
            })
          : session,
      ),
    }
  }

  /** Explains one call: why it raised an alarm or not. */
  explain({ file, agent, call }: CallPlace, { options, format }: Question): Explained | null {
    const { agents } = readTranscript(this.#textOf(file), format)
    const events = agents.find(({ id }) => id === agent)?.events ?? []
    const detector = new LoopDetector({ observe: true, ...options })
    try {
      let atCall: Explanation | null = null
      let atResult: Explanation | null = null
      const earlierAlarms: Partial<Record<LoopKind, number>> = {}
      for (const step of replay(detector, events)) {
        if (step.kind === 'calls' && atCall) break
        if (step.kind === 'calls' && step.call >= call) atCall = detector.explain()
        const { action, kind } = step.verdict
        if (!atCall && action !== 'continue' && kind) earlierAlarms[kind] = step.call
        if (step.kind === 'result' && atCall) atResult = detector.explain()
      }
      return atCall && { atCall, atResult, isOfLast: atCall.call?.index !== call, earlierAlarms }
    } finally {
      detector.free()
    }
  }

  #textOf(file: string): string {
    return this.#sources.find(({ name }) => name === file)?.text ?? ''
  }
}

function sessionOf(file: string, text: string, options: ScanOptions): SessionReport {
  const { findings, first, ...report } = scan(text, options)
  return { file, ...report }
}
