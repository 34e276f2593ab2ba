/**
 * Follows seeds/000_e86adbddeb19d315.txt, "Global Doom Loop Detection (Swarm Mode)", in the order
 * of its sentences. The seed's `SharedEconomicsState` is `SwarmDetector`.
 */

import { computeToolFingerprint, SwarmDetector, type Verdict } from 'loophound'
import { describe, expect, it } from 'vitest'
import { actions, detections, last } from '../support/verdicts.js'

const ARGS = { path: 'src/auth.py' }
const FINGERPRINT = 'read_file:{"path":"src/auth.py"}'

/** `times` calls by one worker. */
function calls(swarm: SwarmDetector, worker: string, times: number): Verdict[] {
  return Array.from({ length: times }, () => swarm.record(worker, 'read_file', ARGS))
}

function message(totalCalls: number, workerCount: number): string {
  return [
    `[System] GLOBAL DOOM LOOP: ${totalCalls} calls to read_file across`,
    `${workerCount} workers. The entire swarm is stuck on this approach.`,
    '1. Try a fundamentally different strategy',
    '2. Do NOT retry the same tool/parameters',
    '3. Consider whether the task goal itself needs re-evaluation',
  ].join('\n')
}

describe('SharedEconomicsState aggregates fingerprints across all workers', () => {
  it('calls of different workers add up', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 2)
    calls(swarm, 'two', 3)
    expect(swarm.info(FINGERPRINT)).toEqual({
      fingerprint: FINGERPRINT,
      tool: 'read_file',
      totalCalls: 5,
      workerCount: 2,
      loop: false,
    })
  })

  it('by fingerprint: optional params are ignored, shell reads of one file are one', () => {
    const swarm = new SwarmDetector()
    swarm.record('one', 'read_file', { ...ARGS, encoding: 'utf8' })
    swarm.record('two', 'read_file', { ...ARGS, encoding: 'latin1' })
    swarm.record('one', 'bash', { command: 'cat foo.ts' })
    swarm.record('two', 'bash', { command: 'head -n 5 foo.ts' })
    expect(swarm.info(FINGERPRINT)?.totalCalls).toBe(2)
    expect(swarm.info('bash:file_read:foo.ts')?.totalCalls).toBe(2)
  })
})

describe("Each worker's manager reports fingerprints to the shared state", () => {
  it('a reported fingerprint counts as the call it was made from', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 5)
    const fingerprint = computeToolFingerprint('read_file', ARGS)
    const verdicts = Array.from({ length: 5 }, () =>
      swarm.recordFingerprint('two', 'read_file', fingerprint),
    )
    expect(detections(verdicts)).toEqual([4])
    expect(last(verdicts).message).toBe(message(10, 2))
  })
})

describe('When the same fingerprint accumulates 10+ calls across multiple workers', () => {
  it('a global doom loop is declared at the 10th, not at the 9th, and on each further one', () => {
    const swarm = new SwarmDetector()
    expect(detections(calls(swarm, 'one', 5))).toEqual([])
    expect(actions(calls(swarm, 'two', 6))).toEqual([
      'continue',
      'continue',
      'continue',
      'continue',
      'nudge',
      'nudge',
    ])
  })

  it('10+ calls of one worker are not across multiple workers; the second one makes it so', () => {
    const swarm = new SwarmDetector()
    expect(detections(calls(swarm, 'one', 15))).toEqual([])
    const verdict = last(calls(swarm, 'two', 1))
    expect(verdict).toMatchObject({ action: 'nudge', count: 16, message: message(16, 2) })
  })

  it('ten workers with one call each are', () => {
    const swarm = new SwarmDetector()
    const verdicts = Array.from({ length: 10 }, (_, i) => calls(swarm, `worker-${i}`, 1)).flat()
    expect(detections(verdicts)).toEqual([9])
    expect(last(verdicts).message).toBe(message(10, 10))
  })

  it('the same fingerprint: 20 calls to different files are none', () => {
    const swarm = new SwarmDetector()
    const verdicts = Array.from({ length: 20 }, (_, i) =>
      swarm.record(`worker-${i % 2}`, 'read_file', { path: `${i}.py` }),
    )
    expect(detections(verdicts)).toEqual([])
  })

  it('accumulates: other calls between do not reset it', () => {
    const swarm = new SwarmDetector()
    const verdicts = Array.from({ length: 10 }, (_, i) => {
      swarm.record('one', 'read_file', { path: `${i}.py` })
      return swarm.record(`worker-${i % 2}`, 'read_file', ARGS)
    })
    expect(detections(verdicts)).toEqual([9])
  })

  it('says, to the letter', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 4)
    calls(swarm, 'two', 4)
    expect(last(calls(swarm, 'three', 4)).message).toBe(message(12, 3))
  })

  it('and in the verdict', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 9)
    expect(last(calls(swarm, 'two', 1))).toMatchObject({
      action: 'nudge',
      level: 'critical',
      kind: 'global',
      status: 'OK',
      tool: 'read_file',
      count: 10,
    })
  })

  it('10 and "multiple" are defaults', () => {
    const swarm = new SwarmDetector({ threshold: 4, minWorkers: 3 })
    calls(swarm, 'one', 3)
    expect(detections(calls(swarm, 'two', 3))).toEqual([])
    expect(detections(calls(swarm, 'three', 1))).toEqual([0])
  })
})

describe('SharedEconomicsState tracks per-fingerprint counts and the set of workers', () => {
  it('a set: a worker that contributes again is counted once', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 3)
    calls(swarm, 'two', 1)
    calls(swarm, 'one', 2)
    expect(swarm.info(FINGERPRINT)).toMatchObject({ totalCalls: 6, workerCount: 2 })
  })

  it('per fingerprint: each its own', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 9)
    calls(swarm, 'two', 1)
    swarm.record('three', 'run_tests')
    expect(swarm.info('run_tests:{}')).toMatchObject({ totalCalls: 1, workerCount: 1, loop: false })
    expect(swarm.info(FINGERPRINT)).toMatchObject({ totalCalls: 10, workerCount: 2, loop: true })
    expect(swarm.loops().map((info) => info.fingerprint)).toEqual([FINGERPRINT])
    expect(swarm.stats()).toMatchObject({ fingerprints: 2, totalCalls: 11, loops: 1, evicted: 0 })
    expect(swarm.info('nothing:{}')).toBeUndefined()
  })

  it('memory is bounded: the fingerprint recorded least recently goes first', () => {
    const swarm = new SwarmDetector({ capacity: 3 })
    for (const name of ['a', 'b', 'c', 'a', 'd']) swarm.record('one', name)
    expect(swarm.info('b:{}')).toBeUndefined()
    expect(swarm.info('a:{}')?.totalCalls).toBe(2)
    expect(swarm.info('c:{}')?.totalCalls).toBe(1)
    expect(swarm.info('d:{}')?.totalCalls).toBe(1)
    expect(swarm.stats()).toMatchObject({ fingerprints: 3, evicted: 1, capacity: 3 })
  })
})

describe('supports checkpoint serialization via toJSON() / restoreFrom()', () => {
  it('a restored state goes on where the other was', () => {
    const before = new SwarmDetector()
    calls(before, 'one', 5)
    calls(before, 'two', 4)
    const checkpoint: unknown = JSON.parse(JSON.stringify(before))

    const after = new SwarmDetector()
    after.restoreFrom(checkpoint)
    expect(after.info(FINGERPRINT)).toEqual(before.info(FINGERPRINT))
    expect(after.stats()).toEqual(before.stats())
    // Worker "two" is already in the set; a state that forgot its members would count three.
    expect(last(calls(after, 'two', 1)).message).toBe(message(10, 2))
  })

  it('replaces what was there', () => {
    const empty: unknown = JSON.parse(JSON.stringify(new SwarmDetector()))
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 5)
    swarm.restoreFrom(empty)
    expect(swarm.info(FINGERPRINT)).toBeUndefined()
  })

  it.each([null, 'text', {}, { format: 'loophound', version: 99 }])(
    'refuses what it cannot read, and changes nothing: %j',
    (snapshot) => {
      const swarm = new SwarmDetector()
      calls(swarm, 'one', 5)
      const before = JSON.stringify(swarm)
      expect(() => swarm.restoreFrom(snapshot)).toThrow()
      expect(JSON.stringify(swarm)).toBe(before)
    },
  )
})

describe('can be cleared when a swarm completes', () => {
  it('nothing remains, and counting starts anew', () => {
    const swarm = new SwarmDetector()
    calls(swarm, 'one', 9)
    calls(swarm, 'two', 1)
    swarm.clear()
    expect(swarm.info(FINGERPRINT)).toBeUndefined()
    expect(swarm.loops()).toEqual([])
    expect(swarm.stats()).toMatchObject({ fingerprints: 0, totalCalls: 0, loops: 0 })
    expect(detections(calls(swarm, 'one', 5))).toEqual([])
    expect(detections(calls(swarm, 'two', 5))).toEqual([4])
  })

  it('keeps the tuning', () => {
    const swarm = new SwarmDetector({ threshold: 3 })
    swarm.clear()
    calls(swarm, 'one', 2)
    expect(detections(calls(swarm, 'two', 1))).toEqual([0])
  })
})
