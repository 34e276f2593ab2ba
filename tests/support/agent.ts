/**
 * An agent's run as its host lives through it: each call is recorded before it runs, a refused one
 * is not run, and a stop ends the run.
 *
 * @module
 */

import { type Action, type Level, LoopDetector, type LoopKind, type Verdict } from 'loophound'
import { expect } from 'vitest'

/** A call, and what would come of it. */
export interface Step {
  readonly name: string
  readonly args: unknown
  readonly output: unknown
  readonly ok: boolean
}

/** Anything but `continue`, and where it was said. */
export interface Said {
  /** The how-manieth call of the run it was about, from 1. */
  readonly call: number
  /** Before the call ran, or at its result. */
  readonly when: 'before' | 'after'
  readonly verdict: Verdict
}

export function step(name: string, args: unknown, output: unknown, ok = true): Step {
  return { name, args, output, ok }
}

/** A shell command. */
export function sh(command: string, output: string, ok = true): Step {
  return step('bash', { command }, output, ok)
}

/** A replacement in a file. */
export function edit(path: string, old_string: string, new_string: string, output?: string): Step {
  const said = output ?? `The file ${path} has been updated.`
  return step('edit_file', { file_path: path, old_string, new_string }, said)
}

/** `count` steps, made from their number. */
export function steps(count: number, make: (i: number) => Step | readonly Step[]): Step[] {
  return Array.from({ length: count }, (_, i) => make(i)).flat()
}

/** Lives through the steps. What is said is all that is returned. */
export function live(run: Iterable<Step>, detector = new LoopDetector()): Said[] {
  const said: Said[] = []
  let call = 0
  for (const { name, args, output, ok } of run) {
    call += 1
    const before = detector.record(name, args)
    if (before.action !== 'continue') said.push({ call, when: 'before', verdict: before })
    if (before.action === 'stop') break
    const refused = before.action === 'block'
    const result = refused ? { name, ok: false, output: before.message } : { name, ok, output }
    const after = detector.recordResult(result)
    if (after.action !== 'continue') said.push({ call, when: 'after', verdict: after })
    if (after.action === 'stop') break
  }
  return said
}

/** What was said in a few words, for failures that explain themselves. */
export function told(said: readonly Said[]): string[] {
  return said.map(
    ({ call, when, verdict: { action, level, kind } }) =>
      `${when} call ${call}: ${action} (${level}, ${kind})`,
  )
}

/** It is work: nothing is said, from the first call to the last. */
export function expectSilence(run: Iterable<Step>, detector?: LoopDetector): void {
  expect(told(live(run, detector))).toEqual([])
}

/** It is a loop of this kind, and is found by this call. */
export function expectFound(
  run: Iterable<Step>,
  within: number,
  kinds?: LoopKind | readonly LoopKind[],
  detector?: LoopDetector,
): Said {
  const said = live(run, detector)
  const [first] = said
  if (first === undefined) throw new Error('nothing was found')
  expect(first.call, told(said).join('; ')).toBeLessThanOrEqual(within)
  if (kinds !== undefined)
    expect([kinds].flat(), told(said).join('; ')).toContain(first.verdict.kind)
  return first
}

/** What an agent that ignores everything is told, from the mildest to the hardest. */
const RUNGS: readonly (readonly [Action, Level])[] = [
  ['nudge', 'notice'],
  ['nudge', 'warning'],
  ['block', 'critical'],
  ['stop', 'critical'],
]

/** One loop is brought up this many times at most, however long it goes on. */
const MAX_NUDGES = 6

/**
 * Whoever does not listen is nudged, nudged again, refused and stopped, in this order, as far as
 * the evidence allows.
 */
export function expectLadder(
  run: Iterable<Step>,
  atMost: Exclude<Action, 'continue'> = 'stop',
  detector?: LoopDetector,
): void {
  const said = live(run, detector)
  const hardest = RUNGS.findLastIndex(([action]) => action === atMost)
  const heights = said.map(({ verdict: { action, level } }) => `${action} ${level}`)
  const first = heights.filter((height, i) => heights.indexOf(height) === i)
  expect(first, told(said).join('; ')).toEqual(
    RUNGS.slice(0, hardest + 1).map(([action, level]) => `${action} ${level}`),
  )
  const nudges = said.filter(({ verdict }) => verdict.action === 'nudge')
  expect(nudges.length, told(said).join('; ')).toBeLessThanOrEqual(MAX_NUDGES)
  const isStopped = said.at(-1)?.verdict.status === 'LOOP_DETECTED'
  expect(isStopped, told(said).join('; ')).toBe(atMost === 'stop')
}
