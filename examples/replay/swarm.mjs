/**
 * Replays the calls of several workers to a swarm detector.
 *
 * @module
 */

import { SwarmDetector } from '../../pkg/dist/index.js'
import { callRow, summaryRow, verdictRows } from './rows.mjs'
import { widest } from './screen.mjs'

const WIDEST_LABEL = 24

/**
 * Prints the timeline.
 *
 * @returns {{ calls: number, verdicts: number }} What was replayed, and how often the detector spoke.
 */
export function playSwarm({ swarm: options, calls }) {
  const swarm = new SwarmDetector(options)
  const labels = calls.map(({ worker, name }) => `${worker} ${name}`)
  const nameWidth = widest(labels, WIDEST_LABEL)
  const verdicts = []
  try {
    for (const [index, { worker, name, args }] of calls.entries()) {
      callRow({ index, name: labels[index], args }, { mark: 'open' }, nameWidth)
      const verdict = swarm.record(worker, name, args)
      if (verdict.action === 'continue') continue
      verdicts.push(verdict)
      verdictRows(verdict)
    }
  } finally {
    swarm.free()
  }
  summaryRow(calls.length, verdicts)
  return { calls: calls.length, verdicts: verdicts.length }
}
