/**
 * Replays one agent's transcript to a detector, in the role of the host.
 *
 * @module
 */

import { LoopDetector, replay } from '../../pkg/dist/index.js'
import { pairResults } from './results.mjs'
import { callRow, noteRow, summaryRow, verdictRows, wordsRow } from './rows.mjs'
import { widest } from './screen.mjs'

const WIDEST_NAME = 18

/**
 * Prints the timeline.
 *
 * @returns {{ calls: number, verdicts: number }} What was replayed, and how often the detector spoke.
 */
export function playTranscript({ events, preset, options }, otherPreset) {
  const detector = new LoopDetector(otherPreset ? { preset: otherPreset } : { ...options, preset })
  const host = { detector, isGuard: (otherPreset ?? preset) === 'guard' }
  const names = events.flatMap((event) => (event.t === 'call' ? [event.name] : []))
  const nameWidth = widest(names, WIDEST_NAME)
  const results = pairResults(events)
  const total = names.length
  const verdicts = []
  let calls = 0
  try {
    for (const step of replay(detector, events)) {
      printStep(step, results, nameWidth)
      calls = step.call + 1
      const { verdict } = step
      if (verdict.action === 'continue') continue
      verdicts.push(verdict)
      verdictRows(verdict)
      if (verdict.action === 'stop') {
        if (calls < total) noteRow(`(the recording goes on for ${total - calls} more)`)
        break
      }
      deliver(verdict, host)
    }
  } finally {
    detector.free()
  }
  summaryRow(calls, verdicts)
  return { calls, verdicts: verdicts.length }
}

/** A host of seed 001's kind tells the detector that the model has been told. */
function deliver(verdict, { detector, isGuard }) {
  if (!isGuard || verdict.action !== 'nudge') return
  detector.clearAfterFeedback()
  noteRow('↺ delivered: a fresh chance, but the next detection is a stop')
}

function printStep({ kind, events, call, verdict }, results, nameWidth) {
  if (kind === 'calls') {
    const isRefused = verdict.action === 'block' || verdict.action === 'stop'
    for (const [position, event] of events.entries()) {
      const index = call - events.length + 1 + position
      const outcome = isRefused ? { mark: 'refused' } : outcomeOf(results.get(index))
      const bracket = bracketOf(position, events.length)
      callRow({ index, name: event.name, args: event.args, bracket }, outcome, nameWidth)
    }
  } else if (kind === 'text' || kind === 'chunk') {
    wordsRow('“', events[0].text)
  } else if (kind === 'user') {
    wordsRow('❯', events[0].text ?? '')
  }
}

function outcomeOf(result) {
  if (result === undefined) return { mark: 'open' }
  const { ok, output } = result
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
  return { mark: ok === false ? 'failed' : 'ok', output: text }
}

/** Calls of one batch are held together by a bracket. */
function bracketOf(position, length) {
  if (length === 1) return ' '
  if (position === 0) return '┌'
  return position === length - 1 ? '└' : '│'
}
