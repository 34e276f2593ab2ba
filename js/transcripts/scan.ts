/**
 * Judges a whole transcript at once.
 *
 * @module
 */

import { LoopDetector } from '../detector.js'
import { describe, reading } from '../input/check.js'
import type {
  AgentEvent,
  LoopDetectorOptions,
  PresetName,
  ScanFinding,
  ScanOptions,
  ScanReport,
  TranscriptFormat,
  Verdict,
} from '../types.js'
import { CONTINUE, severity } from '../verdict.js'
import { readTranscript } from './read.js'
import { replayEvents } from './replay.js'

/**
 * Reads a transcript and reports where the agent was stuck in a loop.
 *
 * @param transcript Neutral events or OpenAI chat messages: a list, an object with `events` or
 * `messages`, or the JSON or JSON-lines text of one.
 * @param options A preset's name, or a detector's options and, if wanted, the `format`.
 * @throws TypeError when the transcript cannot be read; it says what was looked for, and where.
 *
 * @example
 * ```ts
 * const report = scan(messages, { preset: 'nudge' })
 * if (report.stuck) console.log(report.first?.verdict.message)
 * ```
 */
export function scan(transcript: unknown, options: PresetName | ScanOptions = {}): ScanReport {
  const { format, tuning } = takeFormat(options)
  const { format: name, events } = readTranscript(transcript, format)
  const detector = new LoopDetector(tuning)
  try {
    return report(name, events, detector)
  } finally {
    detector.free()
  }
}

function report(
  format: TranscriptFormat,
  events: readonly AgentEvent[],
  detector: LoopDetector,
): ScanReport {
  const findings: ScanFinding[] = []
  let turns = 0
  for (const { kind, event, call, verdict } of replayEvents(detector, events)) {
    if (kind === 'turn') turns += 1
    if (verdict !== CONTINUE) findings.push(Object.freeze({ event, call, verdict }))
  }
  return Object.freeze({
    format,
    events: events.length,
    calls: events.filter(({ t }) => t === 'call').length,
    results: events.filter(({ t }) => t === 'result').length,
    turns,
    stuck: findings.some(({ verdict }) => verdict.kind !== 'iteration-cap'),
    verdict: hardest(findings),
    first: findings[0] ?? null,
    findings: Object.freeze(findings),
  })
}

function hardest(findings: readonly ScanFinding[]): Verdict {
  let hardest = CONTINUE
  for (const { verdict } of findings) {
    if (severity(verdict) > severity(hardest)) hardest = verdict
  }
  return hardest
}

/** Splits the options: how to read, and how to judge. */
function takeFormat(options: unknown): {
  format: ScanOptions['format']
  tuning: PresetName | LoopDetectorOptions
} {
  if (typeof options === 'string') return { format: 'auto', tuning: options as PresetName }
  if (describe(options) !== 'an object') {
    throw new TypeError(
      `scan(options): options must be a preset name or an object; got ${describe(options)}`,
    )
  }
  return reading('scan(options): options', () => {
    const { format = 'auto', ...tuning } = options as ScanOptions
    return { format, tuning }
  })
}
