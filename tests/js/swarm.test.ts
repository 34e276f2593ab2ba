/** SwarmDetector: one memory for many workers. */

import { computeToolFingerprint, SwarmDetector } from 'loophound'
import { afterEach, describe, expect, it, vi } from 'vitest'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

const made: SwarmDetector[] = []

function swarm(options?: ConstructorParameters<typeof SwarmDetector>[0]): SwarmDetector {
  const fresh = new SwarmDetector(options)
  made.push(fresh)
  return fresh
}

afterEach(() => {
  for (const one of made.splice(0)) one.free()
})

const QUERY = { query: 'weather' }
const FINGERPRINT = computeToolFingerprint('search', QUERY)

/** Records the same call so often, by two workers in turn. */
function search(detector: SwarmDetector, times: number, workers = ['w1', 'w2']) {
  let last = detector.verdict
  for (let i = 0; i < times; i++) {
    last = detector.record(workers[i % workers.length] as string, 'search', QUERY)
  }
  return last
}

describe('a global loop', () => {
  it('is declared at ten calls by two workers, and from then on', () => {
    const detector = swarm()
    expect(search(detector, 9).action).toBe('continue')
    const verdict = detector.record('w1', 'search', JSON.stringify(QUERY))
    expect(verdict).toMatchObject({
      action: 'nudge',
      level: 'critical',
      kind: 'global',
      tool: 'search',
      count: 10,
    })
    expect(verdict.message).toContain('GLOBAL DOOM LOOP: 10 calls to search across\n2 workers.')
    expect(Object.isFrozen(verdict)).toBe(true)
    expect(detector.verdict).toBe(verdict)
    expect(detector.record('w3', 'search', QUERY)).toMatchObject({ count: 11 })
    expect(detector.record('w3', 'other').action).toBe('continue')
  })

  it('needs more than one worker', () => {
    const detector = swarm()
    expect(search(detector, 30, ['w1']).action).toBe('continue')
    expect(detector.record('w2', 'search', QUERY).count).toBe(31)
  })

  it('is found in fingerprints too', () => {
    const detector = swarm()
    for (let i = 0; i < 9; i++) detector.recordFingerprint(`w${i}`, 'search', FINGERPRINT)
    expect(detector.record('x', 'search', QUERY)).toMatchObject({ kind: 'global', count: 10 })
  })

  it('is tuned by options', () => {
    const detector = swarm({
      threshold: 3,
      minWorkers: 3,
      message: '{tool}: {totalCalls}/{workerCount}',
    })
    search(detector, 5)
    expect(detector.record('w3', 'search', QUERY).message).toBe('search: 6/3')
  })
})

describe('what is known', () => {
  it('about a fingerprint', () => {
    const detector = swarm()
    search(detector, 3)
    expect(detector.info(FINGERPRINT)).toEqual({
      fingerprint: FINGERPRINT,
      tool: 'search',
      totalCalls: 3,
      workerCount: 2,
      loop: false,
    })
    expect(detector.info('nothing')).toBe(undefined)
  })

  it('about all loops', () => {
    const detector = swarm()
    detector.record('w1', 'other')
    search(detector, 12)
    expect(detector.loops()).toEqual([detector.info(FINGERPRINT)])
    expect(detector.stats()).toEqual({
      fingerprints: 2,
      totalCalls: 13,
      loops: 1,
      evicted: 0,
      capacity: 4096,
    })
  })
})

describe('memory', () => {
  it('is bounded: the least recently recorded is forgotten first', () => {
    const detector = swarm({ capacity: 3 })
    for (const name of ['a', 'b', 'c', 'a', 'd']) detector.record('w', name)
    const known = (name: string) => detector.info(computeToolFingerprint(name)) !== undefined
    expect(['a', 'b', 'c', 'd'].filter(known)).toEqual(['a', 'c', 'd'])
    expect(detector.stats()).toMatchObject({ fingerprints: 3, evicted: 1, capacity: 3 })
  })

  it('stays small under many fingerprints and workers', () => {
    const detector = swarm({ capacity: 100, maxWorkers: 4 })
    for (let i = 0; i < 20_000; i++) detector.record(`w${i}`, `tool-${i}`)
    for (let i = 0; i < 1000; i++) detector.record(`w${i}`, 'same')
    expect(detector.stats()).toMatchObject({ fingerprints: 100, evicted: 19_901 })
    expect(detector.info(computeToolFingerprint('same'))).toMatchObject({
      totalCalls: 1000,
      workerCount: 4,
    })
  })
})

describe('state', () => {
  it('continues from a snapshot', () => {
    const first = swarm()
    search(first, 9)
    const second = swarm()
    second.restoreFrom(JSON.parse(JSON.stringify(first)))
    expect(second.stats()).toEqual(first.stats())
    expect(second.info(FINGERPRINT)).toEqual(first.info(FINGERPRINT))
    // A worker that was known stays known.
    second.record('w1', 'search', QUERY)
    expect(second.info(FINGERPRINT)).toMatchObject({ totalCalls: 10, workerCount: 2 })
    expect(second.verdict.kind).toBe('global')
  })

  it('forgets in the same order after a snapshot', () => {
    const first = swarm({ capacity: 3 })
    for (const name of ['a', 'b', 'c', 'a']) first.record('w', name)
    const second = swarm({ capacity: 3 })
    second.restoreFrom(first.toJSON())
    for (const detector of [first, second]) detector.record('w', 'd')
    expect(second.toJSON()).toEqual(first.toJSON())
  })

  it('refuses what it cannot read, and changes nothing then', () => {
    const detector = swarm()
    search(detector, 3)
    const saved = detector.toJSON()
    for (const bad of [
      {},
      null,
      [],
      'x',
      { ...saved, version: 9 },
      { ...saved, checksum: 'x' },
      { ...saved, state: `${String(saved.state).slice(0, -2)}zz` },
    ]) {
      expect(() => detector.restoreFrom(bad)).toThrow(
        expect.toSatisfy((error) => error instanceof TypeError || error instanceof RangeError),
      )
      expect(detector.toJSON()).toEqual(saved)
    }
  })

  it('is empty after clear()', () => {
    const detector = swarm()
    search(detector, 12)
    detector.clear()
    expect(detector.verdict.action).toBe('continue')
    expect(detector.loops()).toEqual([])
    expect(detector.stats()).toMatchObject({ fingerprints: 0, totalCalls: 0, loops: 0 })
    expect(detector.record('w1', 'search', QUERY).action).toBe('continue')
  })
})

describe('createWorkerId', () => {
  it('never gives the same id twice', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => swarm().createWorkerId()))
    expect(ids.size).toBe(1000)
  })
})

describe('bad arguments', () => {
  const bad = undefined as unknown as string
  it.each([
    ['record(workerId): workerId', () => swarm().record(bad, 'a')],
    ['record(name): name', () => swarm().record('w', bad)],
    ['recordFingerprint(workerId): workerId', () => swarm().recordFingerprint(bad, 'a', 'b')],
    ['recordFingerprint(tool): tool', () => swarm().recordFingerprint('w', bad, 'b')],
    ['recordFingerprint(fingerprint): fingerprint', () => swarm().recordFingerprint('w', 'a', bad)],
    ['info(fingerprint): fingerprint', () => swarm().info(bad)],
  ])('%s is named', (name, act) => {
    expect(act).toThrow(new TypeError(`${name} must be a string; got undefined`))
  })
})

describe('free', () => {
  it.each<[string, (detector: SwarmDetector) => unknown]>([
    ['record', (detector) => detector.record('w', 'a')],
    ['recordFingerprint', (detector) => detector.recordFingerprint('w', 'a', 'b')],
    ['verdict', (detector) => detector.verdict],
    ['info', (detector) => detector.info('a')],
    ['loops', (detector) => detector.loops()],
    ['stats', (detector) => detector.stats()],
    ['toJSON', (detector) => detector.toJSON()],
    ['restoreFrom', (detector) => detector.restoreFrom({})],
    ['clear', (detector) => detector.clear()],
    ['createWorkerId', (detector) => detector.createWorkerId()],
  ])('%s says so afterwards', (_, use) => {
    const detector = new SwarmDetector()
    detector.free()
    detector.free()
    expect(() => use(detector)).toThrow(
      new TypeError('this SwarmDetector was freed; make a new one'),
    )
  })

  it('is what `using` calls', () => {
    const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose')
    const detector = new SwarmDetector()
    detector[dispose]()
    expect(() => detector.stats()).toThrow(TypeError)
  })
})
