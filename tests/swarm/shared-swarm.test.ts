/** A shared swarm answers at once, loses nothing silently, and never disturbs the agent. */

import { computeToolFingerprint, SwarmDetector } from 'loophound'
import {
  SharedSwarm,
  type SharedSwarmOptions,
  type SwarmReport,
  type SwarmState,
  type SwarmStore,
} from 'loophound/swarm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { steadySwarm } from './steady.js'

const swarms: SharedSwarm[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(swarms.splice(0).map((swarm) => swarm.dispose()))
})

/** A swarm that asks for latches only when it is told to. */
function make(options: SharedSwarmOptions): SharedSwarm {
  const swarm = new SharedSwarm({ pollMs: 0, ...options })
  swarms.push(swarm)
  return swarm
}

const calls = (store: SwarmStore, more: Partial<SharedSwarmOptions> = {}) =>
  make({ store, report: 'calls', ...more })

/** A store that keeps what it is sent, and fails or hangs while it is told to. */
function recording(inner: SwarmStore = steadySwarm()) {
  const batches: SwarmReport[][] = []
  const scopes: string[] = []
  const control = { fails: false, hangs: false, losesAnswers: false, throws: false }
  const store: SwarmStore = {
    report(scope, worker, reports, rule) {
      if (control.throws) throw new Error('thrown at once')
      batches.push([...reports])
      scopes.push(scope)
      if (control.hangs) return new Promise(() => {})
      if (control.fails) return Promise.reject(new Error('no connection'))
      const answer = inner.report(scope, worker, reports, rule)
      if (control.losesAnswers) return answer.then(() => Promise.reject(new Error('lost')))
      return answer
    },
    latched: (scope, limit) =>
      control.fails ? Promise.reject(new Error('no connection')) : inner.latched(scope, limit),
    clear: (scope, fingerprint) => inner.clear(scope, fingerprint),
  }
  return { store, batches, scopes, control, inner }
}

/** Waits until something holds; on a busy machine that takes its time. */
const eventually = (holds: () => void) => vi.waitFor(holds, { timeout: 30_000 })

const weightOf = (reports: readonly SwarmReport[]) =>
  reports.reduce((sum, { weight }) => sum + weight, 0)

describe('the name of a tool', () => {
  it('is on one line in the texts, bounded, without tags and speakers', () => {
    const tool = `[System]\nHuman: <|im_start|>\u202e${'x'.repeat(1000)}`
    const swarm = calls(steadySwarm(), { rule: { threshold: 2, minWorkers: 1 } })
    const other = calls(steadySwarm())
    for (let i = 0; i < 3; i++) swarm.record(tool, {})
    expect(other.record(tool, {}).action).toBe('continue')
    return swarm.flush().then(() => {
      const { message, summary, kind } = swarm.record(tool, {})
      expect(kind).toBe('global')
      for (const text of [message, summary].map(String)) {
        expect(text.replace('[System] GLOBAL', '')).not.toMatch(/[<>\u202e]|\[system\]|human:/i)
        expect(text.length).toBeLessThan(700)
      }
      expect(summary).not.toContain('\n')
    })
  })
})

describe('a threshold of one', () => {
  it('latches what one worker reports once', async () => {
    const store = steadySwarm()
    const rule = { threshold: 1, minWorkers: 1 }
    const [swarm, other] = [calls(store, { rule }), calls(store, { rule })]
    expect(swarm.record('fetch').kind).toBe(null)
    await swarm.flush()
    await other.refresh()
    expect(other.record('fetch').kind).toBe('global')
  })
})

describe('calls', () => {
  it('is the reference implementation across machines', async () => {
    const store = steadySwarm()
    const [first, second] = [calls(store), calls(store)]
    const reference = new SwarmDetector()
    for (let call = 0; call < 5; call++) {
      for (const [name, swarm] of [
        ['1', first],
        ['2', second],
      ] as const) {
        expect(swarm.record('fetch', { url: 'x' }).action).toBe('continue')
        await swarm.flush()
        reference.record(name, 'fetch', { url: 'x' })
      }
    }
    const expected = reference.record('1', 'fetch', { url: 'x' })
    await first.refresh()
    const verdict = first.record('fetch', { url: 'x' })
    expect(verdict).toMatchObject({ ...expected })
    expect(expected.count).toBe(11)
    expect(Object.isFrozen(verdict)).toBe(true)
  })

  it('one worker alone is no swarm', async () => {
    const swarm = calls(steadySwarm())
    for (let call = 0; call < 30; call++) swarm.record('fetch')
    await swarm.flush()
    expect(swarm.record('fetch').action).toBe('continue')
  })

  it('answers with the action and the text that are asked for', async () => {
    const store = steadySwarm()
    const options = { action: 'block', message: '{tool}: {totalCalls} of {workerCount}' } as const
    const [first, second] = [calls(store, options), calls(store, options)]
    for (let call = 0; call < 5; call++) first.recordFingerprint('a$&b', 'f')
    await first.flush()
    for (let call = 0; call < 5; call++) second.recordFingerprint('a$&b', 'f')
    await second.flush()
    expect(second.recordFingerprint('a$&b', 'f')).toMatchObject({
      ...{ action: 'block', kind: 'global', tool: 'a$&b', count: 11 },
      message: 'a$&b: 11 of 2',
    })
  })

  it('tells exactly one worker that a latch is new', async () => {
    const store = steadySwarm()
    const latched: SwarmState[] = []
    const onLatch = (state: SwarmState) => latched.push(state)
    const workers = Array.from({ length: 20 }, () => calls(store, { onLatch }))
    for (const worker of workers) worker.record('fetch')
    await Promise.all(workers.map((worker) => worker.flush()))
    expect(latched).toHaveLength(1)
    expect(latched[0]).toMatchObject({ total: 10, workers: 10, fresh: true })
  })

  it('a latch ends by the clock of the store', async () => {
    let time = 1_000_000
    const store = steadySwarm({ now: () => time })
    const rule = { threshold: 2, latchMs: 60_000 }
    const [first, second] = [calls(store, { rule }), calls(store, { rule })]
    first.record('fetch')
    await first.flush()
    second.record('fetch')
    await second.flush()
    expect(second.record('fetch').kind).toBe('global')
    time += 10_000_000
    const later = performance.now() + 61_000
    vi.spyOn(performance, 'now').mockImplementation(() => later)
    expect(second.stats().latched).toBe(0)
    expect(second.record('fetch').kind).toBeNull()
  })

  it('scopes are apart', async () => {
    const store = steadySwarm()
    const one = calls(store, { scope: 'one', rule: { threshold: 2, minWorkers: 1 } })
    const two = calls(store, { scope: 'two', rule: { threshold: 2, minWorkers: 1 } })
    for (const swarm of [one, two, one]) swarm.record('fetch')
    await Promise.all([one.flush(), two.flush()])
    expect([one.record('fetch').kind, two.record('fetch').kind]).toEqual(['global', null])
  })
})

describe('reports', () => {
  it('are coalesced, numbered, and sent in the background', async () => {
    const { store, batches } = recording()
    const swarm = calls(store, { flushMs: 20 })
    for (let call = 0; call < 100; call++) swarm.record('read', { path: call % 4 })
    expect(batches).toHaveLength(0)
    await eventually(() => expect(swarm.stats().delivered).toBe(100))
    expect(batches).toHaveLength(1)
    expect(batches[0]?.map(({ weight, seq }) => [weight, seq])).toEqual([
      [25, 1],
      [25, 2],
      [25, 3],
      [25, 4],
    ])
  })

  it('are sent early when there are many', async () => {
    const { store, batches } = recording()
    const swarm = calls(store, { flushMs: 60_000, flushSize: 8 })
    for (let call = 0; call < 20; call++) swarm.record('read', { path: `${call}` })
    await eventually(() => expect(swarm.stats().delivered).toBe(20))
    expect(batches.map(({ length }) => length)).toEqual([8, 8, 4])
  })

  it('are collected while a request is under way, however many come', async () => {
    const inner = steadySwarm()
    let requests = 0
    const store: SwarmStore = {
      ...inner,
      async report(...given) {
        requests += 1
        await new Promise((resolve) => setTimeout(resolve, 5))
        return inner.report(...given)
      },
    }
    const swarm = calls(store, { flushMs: 100 })
    const started = performance.now()
    let call = 0
    const record = () => swarm.record('read', { path: call++ % 20 })
    const timer = setInterval(record, 1)
    await new Promise((resolve) => setTimeout(resolve, 150))
    record()
    const before = swarm.stats().recorded
    // What comes after it was called is not waited for.
    await swarm.flush()
    const { delivered } = swarm.stats()
    await new Promise((resolve) => setTimeout(resolve, 250))
    clearInterval(timer)
    expect(delivered).toBeGreaterThanOrEqual(before)
    const took = performance.now() - started
    // One for each 100 ms, and the one that was asked for.
    expect(requests).toBeLessThanOrEqual(Math.ceil(took / 100) + 2)
  })

  it('carry no arguments, unless samples are wanted', async () => {
    const { store, batches } = recording()
    const secret = { path: 'the-secret-path' }
    const swarm = calls(store)
    swarm.record('read_file', secret)
    await swarm.flush()
    expect(JSON.stringify(batches)).not.toContain('secret')
    expect(batches[0]?.[0]?.fingerprint).toMatch(/^call:read_file:[0-9a-f]{16}$/)

    const open = calls(store, { sample: true })
    open.record('read_file', secret)
    await open.flush()
    expect(batches[1]?.[0]?.sample).toBe(computeToolFingerprint('read_file', secret))

    const redacted = calls(store, { sample: true, redact: () => ({ path: '…' }) })
    redacted.record('read_file', secret)
    await redacted.flush()
    expect(batches[2]?.[0]?.sample).toBe('read_file:{"path":"…"}')

    const broken = calls(store, {
      sample: true,
      redact: () => {
        throw new Error('cannot')
      },
    })
    broken.record('read_file', secret)
    await broken.flush()
    expect(batches[3]?.[0]?.sample).toBeUndefined()
  })

  it('have names that never change, as other machines have other releases', async () => {
    const { store, batches } = recording()
    const swarm = calls(store)
    swarm.record('read_file', { path: 'a.ts' })
    swarm.recordFingerprint('böse\n\u{1f43e}', 'x')
    await swarm.flush()
    expect(batches[0]?.map(({ fingerprint }) => fingerprint)).toEqual([
      'call:read_file:f339cdb84222f019',
      'call:böse \u{1f43e}:edca59098be9c6b6',
    ])
  })

  it('of a worker that is restarted under the same name still count', async () => {
    const store = steadySwarm()
    const rule = { threshold: 4 }
    for (let start = 0; start < 4; start++) {
      const swarm = calls(store, { worker: 'pod-1', rule })
      swarm.record('fetch')
      await swarm.dispose()
    }
    expect((await store.latched('default', 10))[0]).toMatchObject({ total: 4, workers: 4 })
  })
})

describe('an outage', () => {
  it('is told once for each change, and everything is counted in the end', async () => {
    const { store, batches, control, inner } = recording()
    const told: string[] = []
    const states: string[] = []
    const swarm = calls(store, {
      flushMs: 5,
      onError: (error, state) => told.push(`${state}: ${(error as Error).message}`),
      onState: (state) => states.push(state),
    })
    control.fails = true
    for (let call = 0; call < 50; call++) swarm.record('read', { path: call % 5 })
    await eventually(() => expect(swarm.stats().state).toBe('offline'))
    for (let call = 0; call < 50; call++) swarm.record('read', { path: call % 5 })
    expect(swarm.stats()).toMatchObject({ buffered: 100, delivered: 0, dropped: 0 })
    control.fails = false
    await eventually(() => expect(swarm.stats().delivered).toBe(100))
    expect(told).toEqual(['degraded: no connection', 'offline: no connection'])
    expect(states).toEqual(['degraded', 'offline', 'ok'])
    // The batch that was not confirmed came again with the same numbers.
    expect(batches[1]).toEqual(batches[0])
    const [state] = await inner.report(
      'default',
      'other',
      [{ ...(batches[0]?.[0] as SwarmReport), weight: 1 }],
      { windowMs: 600_000, threshold: 1000, minWorkers: 1, maxWorkers: 64, latchMs: 1000 },
    )
    expect(state?.total).toBe(21)
  })

  it('an answer that is lost counts nothing twice', async () => {
    const { store, control, inner } = recording()
    const swarm = calls(store, { flushMs: 5, rule: { minWorkers: 1, threshold: 10 } })
    control.losesAnswers = true
    for (let call = 0; call < 10; call++) swarm.record('fetch')
    await eventually(() => expect(swarm.stats().failures).toBeGreaterThan(1))
    control.losesAnswers = false
    await eventually(() => expect(swarm.stats().delivered).toBe(10))
    expect((await inner.latched('default', 10))[0]?.total).toBe(10)
  })

  it('a store that hangs is given up, and asked again', async () => {
    const { store, control } = recording()
    const swarm = calls(store, { flushMs: 5, timeoutMs: 20 })
    control.hangs = true
    swarm.record('fetch')
    await swarm.flush()
    expect(swarm.stats()).toMatchObject({ state: 'degraded', buffered: 1 })
    control.hangs = false
    await eventually(() => expect(swarm.stats()).toMatchObject({ state: 'ok', delivered: 1 }))
  })

  it('is not that this process was busy with something else', async () => {
    const inner = steadySwarm()
    const nextRound = () => new Promise((resolve) => setImmediate(resolve))
    const store: SwarmStore = {
      ...inner,
      async report(...given) {
        const answer = await inner.report(...given)
        // It has arrived, and is read once the process has time for it.
        await nextRound()
        await nextRound()
        return answer
      },
    }
    const swarm = calls(store, { timeoutMs: 40, flushMs: 60_000 })
    swarm.record('fetch')
    const sent = swarm.flush()
    const until = performance.now() + 150
    while (performance.now() < until);
    await sent
    expect(swarm.stats()).toMatchObject({ state: 'ok', delivered: 1, failures: 0 })
  })

  it('left alone, the store is not asked', async () => {
    const { store, batches, control } = recording()
    const swarm = calls(store, { flushMs: 1 })
    control.fails = true
    swarm.record('fetch')
    await eventually(() => expect(swarm.stats().state).toBe('offline'))
    const { length } = batches
    for (let call = 0; call < 200; call++) {
      swarm.record('fetch', { call })
      await swarm.flush()
    }
    expect(batches).toHaveLength(length)
    const { failures } = swarm.stats()
    await swarm.refresh()
    expect(swarm.stats().failures).toBe(failures)
  })

  it('the buffer is bounded: what is given up is counted', async () => {
    const { store, control, batches } = recording()
    const swarm = calls(store, { bufferSize: 10, flushSize: 4, flushMs: 1 })
    control.fails = true
    for (let call = 0; call < 1000; call++) swarm.record('read', { path: `${call}` })
    await eventually(() => expect(swarm.stats().state).toBe('offline'))
    const { recorded, buffered, dropped } = swarm.stats()
    expect(recorded).toBe(1000)
    expect(buffered + dropped).toBe(1000)
    expect(buffered).toBeLessThanOrEqual(14)
    control.fails = false
    const sent = batches.length
    await eventually(() => expect(swarm.stats().buffered).toBe(0))
    const stats = swarm.stats()
    expect(stats.delivered + stats.dropped).toBe(1000)
    expect(weightOf(batches.slice(sent).flat())).toBe(stats.delivered)
  })

  it('this process counts for itself meanwhile', async () => {
    const { store, control } = recording()
    const insurance = new SwarmDetector()
    const workers = [calls(store, { insurance }), calls(store, { insurance })] as const
    control.fails = true
    for (const worker of workers) {
      worker.record('warm-up')
      await worker.flush()
    }
    for (let call = 0; call < 9; call++) {
      expect((call % 2 ? workers[0] : workers[1]).record('fetch').kind).toBeNull()
    }
    expect(workers[1].record('fetch')).toMatchObject({ kind: 'global', count: 10 })
    const uninsured = calls(store, { insurance: false })
    await uninsured.flush()
    for (let call = 0; call < 30; call++) expect(uninsured.record('fetch').kind).toBeNull()
    control.fails = false
    await eventually(() => expect(workers[0].stats().state).toBe('ok'))
    insurance.free()
  })

  it('is insured for what was recorded before it, and counts it once', async () => {
    const { store, control, inner } = recording()
    const insurance = new SwarmDetector()
    const workers = [calls(store, { insurance }), calls(store, { insurance })] as const
    control.losesAnswers = true
    for (const swarm of workers) for (let call = 0; call < 9; call++) swarm.record('fetch')
    // One that was sent and not confirmed counts, too.
    for (const swarm of workers) await swarm.flush()
    const [info] = insurance.loops()
    expect([info?.totalCalls, info?.workerCount]).toEqual([18, 2])
    control.fails = true
    for (const swarm of workers) swarm.record('fetch')
    for (const swarm of workers) await swarm.flush()
    expect(insurance.loops()[0]?.totalCalls).toBe(20)
    expect(workers[0].record('fetch')).toMatchObject({ kind: 'global', count: 21 })
    expect((await inner.latched('default', 1))[0]?.total).toBe(18)
    await Promise.all(workers.map((swarm) => swarm.dispose()))
    insurance.free()
  })

  it('is insured anew each time, also for what no outage let through', async () => {
    const { store, control } = recording()
    let answers = false
    const swarm = calls(
      {
        ...store,
        // One that fails, then answers once, then fails.
        async report(...given) {
          const states = await store.report(...given)
          if (!answers) throw new Error('lost')
          answers = false
          return states
        },
      },
      { flushSize: 1, flushMs: 60_000, timeoutMs: 60_000, rule: { minWorkers: 1, threshold: 4 } },
    )
    control.fails = false
    for (let call = 0; call < 3; call++) swarm.record('fetch', { at: 1 })
    swarm.record('other')
    await swarm.flush()
    expect(swarm.stats().state).toBe('degraded')
    answers = true
    await swarm.flush()
    expect(swarm.stats()).toMatchObject({ state: 'degraded', delivered: 3, buffered: 1 })
    for (let call = 0; call < 2; call++) expect(swarm.record('other').kind).toBe(null)
    expect(swarm.record('other').kind).toBe('global')
  })

  it('an insurance that was freed is left out', async () => {
    const { store, control } = recording()
    control.fails = true
    const insurance = new SwarmDetector()
    const told: string[] = []
    const swarm = calls(store, {
      insurance,
      onError: (error) => told.push((error as Error).message),
    })
    swarm.record('warm-up')
    await swarm.flush()
    insurance.free()
    for (let call = 0; call < 3; call++) expect(swarm.record('fetch').action).toBe('continue')
    expect(told).toEqual(['no connection', expect.stringContaining('was freed')])
    expect(swarm.stats().buffered).toBe(4)
  })

  it('nothing that the store or the host throws reaches the agent', async () => {
    const { store, control } = recording()
    const bad = () => {
      throw new Error('from the host')
    }
    const swarm = calls(store, { onError: bad, onState: bad, onLatch: bad, flushMs: 1 })
    control.throws = true
    expect(swarm.record('fetch').action).toBe('continue')
    await swarm.flush()
    await swarm.refresh()
    control.throws = false
    await swarm.dispose()
  })

  it.each([
    undefined,
    null,
    7,
    'nonsense',
    [null],
    [{}],
    [{ fingerprint: {}, total: 1, workers: 1, latchedUntil: 1 }],
    { length: 1 },
  ])('an answer that is none (%j) is a failure: told once, and nothing is lost', async (answer) => {
    const inner = steadySwarm()
    let isBroken = true
    const store: SwarmStore = {
      report: async (...given) => (isBroken ? (answer as never) : inner.report(...given)),
      latched: async (...given) => (isBroken ? (answer as never) : inner.latched(...given)),
      clear: () => Promise.reject(new Error('no')),
    }
    const told: string[] = []
    const onError = (_: unknown, state: string) => {
      told.push(state)
      return Promise.reject(new Error('later'))
    }
    const swarm = calls(store, { onError, rule: { minWorkers: 1 } })
    for (let call = 0; call < 10; call++) {
      // With the tenth, the insurance knows as much as the store would.
      expect(swarm.record('fetch').action).toBe(call < 9 ? 'continue' : 'nudge')
      await swarm.flush()
      await swarm.refresh()
    }
    expect(await swarm.clear()).toBe(false)
    expect(told).toEqual(['degraded', 'offline'])
    expect(swarm.stats()).toMatchObject({ delivered: 0, buffered: 10, dropped: 0, latched: 0 })
    isBroken = false
    await swarm.dispose()
    expect(swarm.stats()).toMatchObject({ delivered: 10, dropped: 0 })
    expect((await inner.latched('default', 10))[0]?.total).toBe(10)
  })

  it('a store that answers questions but takes no reports is an outage all the same', async () => {
    const { store, control, inner } = recording()
    control.fails = true
    const told: string[] = []
    const swarm = calls(
      { ...store, latched: (scope, limit) => inner.latched(scope, limit) },
      { flushMs: 5, pollMs: 10, onState: (state) => told.push(state) },
    )
    swarm.record('fetch')
    await eventually(() => expect(swarm.stats().state).toBe('offline'))
    await swarm.refresh()
    await swarm.refresh()
    expect(swarm.stats().state).toBe('offline')
    control.fails = false
    await eventually(() => expect(swarm.stats().delivered).toBe(1))
    expect(told).toEqual(['degraded', 'offline', 'ok'])
  })

  it('a request that ended in the middle does not stop the reports for ever', async () => {
    const { store, control } = recording()
    const swarm = calls(store, { timeoutMs: 10, flushMs: 60_000 })
    control.hangs = true
    // In a Worker, neither the answer nor the timer of a request that is over ever comes.
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never)
    swarm.record('fetch')
    void swarm.flush()
    spy.mockRestore()
    control.hangs = false
    const clock = vi.spyOn(performance, 'now')
    const later = performance.now() + 60_000
    clock.mockImplementation(() => later)
    await swarm.flush()
    clock.mockRestore()
    expect(swarm.stats()).toMatchObject({ delivered: 1, buffered: 0 })
  })
})

describe('latches of others', () => {
  it('are fetched by themselves', async () => {
    const store = steadySwarm()
    const { subscribe: _, ...polled } = store
    const rule = { threshold: 2 }
    const [first, second] = [calls(store, { rule }), calls(store, { rule })]
    const reader = new SharedSwarm({ store: polled, pollMs: 20, rule })
    swarms.push(reader)
    expect(reader.record('fetch').kind).toBeNull()
    for (const swarm of [first, second]) {
      swarm.record('fetch')
      await swarm.flush()
    }
    // It looks at waste, so calls that others count do not concern it: the kind is part of the name.
    const same = calls(polled, { pollMs: 20, rule })
    await eventually(() => expect(same.record('fetch').kind).toBe('global'))
  })

  it('are pushed where the store can', async () => {
    const store = steadySwarm()
    const rule = { threshold: 2 }
    const [first, second, third] = [0, 1, 2].map(() => calls(store, { rule }))
    third?.record('other')
    for (const swarm of [first, second]) {
      swarm?.record('fetch')
      await swarm?.flush()
    }
    expect(third?.record('fetch').kind).toBe('global')
    await store.clear('default')
    expect(third?.record('fetch').kind).toBeNull()
  })

  it('that are pushed are looked at before they are believed', async () => {
    const inner = steadySwarm()
    let push: (state: never) => void = () => {}
    const told: unknown[] = []
    const swarm = calls(
      {
        ...inner,
        subscribe: async (_, on) => {
          push = on
          return () => {}
        },
      },
      { onError: (error) => told.push(error) },
    )
    swarm.record('fetch')
    // Anyone can publish on a channel.
    for (const state of [undefined, null, 7, 'x', {}, { latchedUntil: 9e15 }]) push(state as never)
    expect(swarm.stats().latched).toBe(0)
    expect(told).toEqual([])
  })

  it('stay known when there are more than a poll fetches', async () => {
    const store = steadySwarm()
    const { subscribe: _, ...polled } = store
    const rule = { threshold: 2, minWorkers: 1 }
    const swarm = calls(polled, { rule })
    for (let call = 0; call < 300; call++) {
      for (let times = 0; times < 2; times++) swarm.recordFingerprint('fetch', `${call}`)
    }
    await swarm.flush()
    expect(swarm.stats().latched).toBe(300)
    await swarm.refresh()
    expect(swarm.stats().latched).toBe(300)
    await store.clear('default')
    await swarm.refresh()
    expect(swarm.stats().latched).toBe(0)
  })

  it('are lifted by clear()', async () => {
    const store = steadySwarm()
    const rule = { threshold: 2, minWorkers: 1 }
    const swarm = calls(store, { rule })
    const fingerprint = computeToolFingerprint('fetch', { url: 'x' })
    for (let call = 0; call < 2; call++) swarm.record('fetch', { url: 'x' })
    await swarm.flush()
    expect(swarm.record('fetch', { url: 'x' }).kind).toBe('global')
    await swarm.flush()
    expect(await swarm.clear('fetch', fingerprint)).toBe(true)
    expect(swarm.recordFingerprint('fetch', fingerprint).kind).toBeNull()
    await swarm.flush()
    for (let call = 0; call < 2; call++) swarm.record('fetch', { url: 'x' })
    await swarm.flush()
    expect(swarm.record('fetch', { url: 'x' }).kind).toBe('global')
    await swarm.flush()
    expect(await swarm.clear()).toBe(true)
    expect(await store.latched('default', 10)).toEqual([])
    expect(swarm.record('fetch', { url: 'x' }).kind).toBeNull()
  })
})

describe('clear()', () => {
  const rule = { threshold: 2, minWorkers: 1 }

  it('forgets what was recorded before it, sent or not', async () => {
    const store = steadySwarm()
    const swarm = calls(store, { rule: { threshold: 10, minWorkers: 1 } })
    for (let call = 0; call < 9; call++) swarm.record('fetch')
    expect(await swarm.clear()).toBe(true)
    swarm.record('fetch')
    await swarm.flush()
    expect(swarm.stats()).toMatchObject({ recorded: 10, delivered: 10, latched: 0 })
    expect(await store.latched('default', 10)).toEqual([])
  })

  it('lifts one latch, named as the store names it', async () => {
    const store = steadySwarm()
    const latched: SwarmState[] = []
    const swarm = calls(store, { rule, onLatch: (state) => latched.push(state) })
    for (const tool of ['fetch', 'read', 'fetch', 'read']) swarm.record(tool)
    await swarm.flush()
    expect(latched).toHaveLength(2)
    expect(await swarm.clear(latched[0]?.fingerprint as string)).toBe(true)
    expect((await store.latched('default', 10)).map(({ fingerprint }) => fingerprint)).toEqual([
      latched[1]?.fingerprint,
    ])
    expect([swarm.record('fetch').kind, swarm.record('read').kind]).toEqual([null, 'global'])
  })

  it('of something that is missing does not forget the scope', async () => {
    const swarm = calls(steadySwarm(), { rule })
    for (let call = 0; call < 2; call++) swarm.record('fetch')
    await swarm.flush()
    await expect(swarm.clear(undefined as never)).rejects.toThrow(TypeError)
    await expect(swarm.clear('fetch', undefined as never)).rejects.toThrow(TypeError)
    expect(swarm.record('fetch').kind).toBe('global')
  })
})

describe('the end', () => {
  it('sends what is left, and records nothing any more', async () => {
    const { store, batches } = recording()
    const swarm = calls(store)
    for (let call = 0; call < 100; call++) swarm.record('read', { path: `${call}` })
    await swarm[Symbol.asyncDispose]()
    expect(weightOf(batches.flat())).toBe(100)
    expect(swarm.record('read').action).toBe('continue')
    expect(swarm.recordFingerprint('read', 'f').action).toBe('continue')
    expect(swarm.stats()).toMatchObject({ recorded: 100, delivered: 100, dropped: 0 })
    await swarm.dispose()
  })

  it('counts as dropped what could not be sent', async () => {
    const { store, control } = recording()
    const swarm = calls(store)
    control.fails = true
    swarm.record('read')
    await swarm.dispose()
    expect(swarm.stats()).toMatchObject({ recorded: 1, delivered: 0, buffered: 0, dropped: 1 })
  })

  it('does not wait for a subscription that never came about, and ends it', async () => {
    let ended: AbortSignal | undefined
    let arrive: (end: () => void) => void = () => {}
    const inner = steadySwarm()
    const swarm = calls({
      ...inner,
      subscribe(_, __, options) {
        ended = options?.signal
        return new Promise((resolve) => {
          arrive = resolve
        })
      },
    })
    swarm.record('read')
    await swarm.dispose()
    expect(ended?.aborted).toBe(true)
    // One that comes about too late is ended at once.
    await new Promise<void>((resolve) => arrive(resolve))
  })

  it('pending is for waitUntil', async () => {
    const { store } = recording()
    const swarm = calls(store)
    swarm.record('read')
    await swarm.pending
    expect(swarm.stats().delivered).toBe(1)
  })
})

describe('misuse', () => {
  const store = steadySwarm()
  it.each([
    [undefined, /options must be an object/],
    [{}, /options\.store must be an object/],
    [{ store: {} }, /options\.store must have a method report/],
    [{ store, scop: 'x' }, /options\.scop is unknown/],
    [{ store, scope: 7 }, /options\.scope must be a string; got 7/],
    [{ store, report: 'all' }, /options\.report must be waste or calls; got "all"/],
    [{ store, rule: { windowMs: 5 } }, /options\.rule\.windowMs must be a whole number from 100/],
    [{ store, rule: { window: 5 } }, /options\.rule\.window is unknown/],
    [{ store, rule: { minWorkers: 9, maxWorkers: 3 } }, /minWorkers must be at most maxWorkers, 3/],
    [{ store, flushMs: '5' }, /options\.flushMs must be a number; got "5"/],
    [{ store, insurance: {} }, /options\.insurance must be a SwarmDetector or false/],
  ])('%j is refused', (options, message) => {
    expect(() => new SharedSwarm(options as never)).toThrow(message)
  })

  it('a call without a name is refused, and the swarm works on', async () => {
    const swarm = calls(steadySwarm())
    expect(() => swarm.record(7 as never)).toThrow(TypeError)
    expect(() => swarm.recordFingerprint('a', undefined as never)).toThrow(TypeError)
    expect(swarm.ask({ name: 7 } as never).action).toBe('continue')
    expect(swarm.record('fetch').action).toBe('continue')
    await swarm.flush()
    expect(swarm.stats().delivered).toBe(1)
  })
})
