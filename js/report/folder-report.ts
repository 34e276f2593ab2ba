/**
 * The report of a whole scan: `--json` prints it, and every other output is made from it.
 *
 * @module
 */

import type { LoopDetectorOptions, ScanReport, Spent } from 'loophound'

/**
 * The version of this format. It changes when a field is renamed, removed or gets another meaning.
 */
const VERSION = 1

/** One session of a report: what `scan` reports, and the file it was in. */
export type SessionReport = Omit<ScanReport, 'findings' | 'first'> & {
  readonly file: string
  /** Loops that are not reported, because they wasted too few calls; absent if there are none. */
  readonly loopsLeftOut?: number
}

/** A file that could not be read. */
export interface Failure {
  readonly file: string
  readonly reason: string
}

/** Totals over all sessions. */
export interface Totals extends Spent {
  readonly sessions: number
  /** Sessions with a loop. */
  readonly stuck: number
  readonly calls: number
  readonly results: number
  readonly errors: number
  readonly loops: number
  /** Loops that are not reported, because they wasted too few calls. */
  readonly loopsLeftOut: number
  /** What loops wasted. */
  readonly waste: SessionReport['waste']
  /** Files that are not transcripts. */
  readonly otherFiles: number
  /** Files that could not be read. */
  readonly failedFiles: number
}

/** The report of a scan. */
export interface FolderReport {
  readonly version: typeof VERSION
  /** The version of loophound. */
  readonly loophound: string
  /** The options of the detector. */
  readonly options: LoopDetectorOptions
  /** The day of the prices that costs were calculated with. */
  readonly prices: string | null
  /** Most wasteful first. */
  readonly sessions: readonly SessionReport[]
  readonly failures: readonly Failure[]
  readonly totals: Totals
}

/** Combines the reports of all files. */
export function folderReport(
  about: Pick<FolderReport, 'loophound' | 'options' | 'prices'>,
  sessions: readonly SessionReport[],
  failures: readonly Failure[],
  otherFiles: number,
): FolderReport {
  const sorted = [...sessions].sort(byWaste)
  return { version: VERSION, ...about, sessions: sorted, failures, totals: totals() }

  function totals(): Totals {
    const sum = (figure: (session: SessionReport) => number) =>
      sessions.reduce((total, session) => total + figure(session), 0)
    return {
      sessions: sessions.length,
      stuck: sum(({ stuck }) => Number(stuck)),
      calls: sum(({ calls }) => calls),
      results: sum(({ results }) => results),
      errors: sum(({ errors }) => errors),
      loops: sum(({ loops }) => loops.length),
      loopsLeftOut: sum(({ loopsLeftOut }) => loopsLeftOut ?? 0),
      ...addSpent(sessions),
      waste: {
        calls: sum(({ waste }) => waste.calls),
        avoidable: sum(({ waste }) => waste.avoidable),
        ...addSpent(sessions.map(({ waste }) => waste).filter(({ calls }) => calls > 0)),
      },
      otherFiles,
      failedFiles: failures.length,
    }
  }
}

/** How many calls a page lists: of a session, of all sessions, and of how many sessions. */
export const LISTED = { calls: 5000, allCalls: 10_000, sessions: 100 }

/** Leaves out the calls that a page does not list. The sessions are the most wasteful first. */
export function withListedCalls(sessions: readonly SessionReport[]): SessionReport[] {
  let calls = 0
  let listed = 0
  return sessions.map((session) => {
    const { timeline } = session
    if (!timeline) return session
    const all = calls + timeline.length
    if (listed >= LISTED.sessions || all > LISTED.allCalls) return { ...session, timeline: null }
    calls = all
    listed += 1
    return session
  })
}

/** Compares sessions: the most wasteful comes first. */
export function byWaste(a: SessionReport, b: SessionReport): number {
  return (
    Number(b.stuck) - Number(a.stuck) ||
    b.waste.calls - a.waste.calls ||
    b.loops.length - a.loops.length ||
    (a.file < b.file ? -1 : 1)
  )
}

/** Adds up what is known. The cost is the sum of the known ones, or `null` if none is known. */
export function addSpent(parts: readonly Spent[]): Spent {
  const known = <T>(values: readonly (T | null | undefined)[]) =>
    values.filter((value): value is T => value !== null && value !== undefined)
  const add = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
  const tokens = known(parts.map((part) => part.tokens))
  return {
    ms: add(known(parts.map(({ ms }) => ms))),
    tokens:
      tokens.length === 0
        ? null
        : {
            in: add(known(tokens.map((one) => one.in))),
            out: add(known(tokens.map((one) => one.out))),
          },
    cost: add(known(parts.map(({ cost }) => cost))),
  }
}
