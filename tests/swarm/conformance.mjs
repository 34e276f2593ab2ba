// What every store must do, whatever it is built on. Each check gets a store and a scope of its own.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('loophound/swarm').SwarmStore} SwarmStore */
/** @typedef {import('loophound/swarm').SwarmRule} SwarmRule */

/**
 * The window is so long that a bucket ends in no run of the suite but one in 800,000.
 * @type {SwarmRule}
 */
const RULE = {
  windowMs: 518_400_000,
  threshold: 10,
  minWorkers: 2,
  maxWorkers: 64,
  latchMs: 60_000,
}

const report = (fingerprint, seq, weight = 1) => ({
  ...{ fingerprint, seq, weight },
  kind: /** @type {const} */ ('call'),
})

const totals = (states) => states.map(({ total }) => total)

/** Sends single reports of one worker, one after the other. */
async function sendEach(store, scope, worker, seqs, rule = RULE, fingerprint = 'f') {
  const states = []
  for (const seq of seqs) {
    states.push(...(await store.report(scope, worker, [report(fingerprint, seq)], rule)))
  }
  return states
}

const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1)

/** Waits until the window has just begun, so that a short burst is in one bucket. */
async function windowStart(store, scope, windowMs) {
  const rule = { ...RULE, windowMs }
  const [state] = await store.report(scope, 'clock', [report('clock', Date.now())], rule)
  await sleep(windowMs - (state.now % windowMs) + 5)
}

/** @type {Record<string, (store: SwarmStore, scope: string) => Promise<void>>} */
export const CHECKS = {
  async order(store, scope) {
    const states = await store.report(
      scope,
      'a',
      [report('x', 1), report('y', 2, 5), report('x', 3), report('z', 4), report('x', 5, 2)],
      RULE,
    )
    assert.deepEqual(totals(states), [1, 5, 2, 1, 4])
    const names = states.map(({ fingerprint }) => fingerprint)
    assert.deepEqual(names, ['x', 'y', 'x', 'z', 'x'])
  },

  async replay(store, scope) {
    const batch = [report('x', 1, 3), report('y', 2)]
    const first = await store.report(scope, 'a', batch, RULE)
    const again = await store.report(scope, 'a', batch, RULE)
    assert.deepEqual(totals(again), totals(first))
    const more = await store.report(scope, 'a', [...batch, report('x', 3)], RULE)
    assert.deepEqual(totals(more), [3, 1, 4])
  },

  async duplicates(store, scope) {
    await store.report(scope, 'a', [report('f', 7)], RULE)
    const states = await sendEach(store, scope, 'a', [7, 6, 1, 8, 8])
    assert.deepEqual(totals(states), [1, 1, 1, 2, 2])
    // Another worker has numbers of its own.
    assert.deepEqual(totals(await sendEach(store, scope, 'b', [1, 1])), [3, 3])
    const large = 2 ** 52
    assert.deepEqual(totals(await sendEach(store, scope, 'b', [large, large])), [4, 4])
  },

  async scopes(store, scope) {
    const names = [
      `${scope}a`,
      `${scope}{b}:c`,
      `${scope} ü \u{1f43e} %`,
      `${scope}}{`,
      `${scope} \ud800`,
    ]
    for (const name of names) await sendEach(store, name, 'a', [1])
    for (const name of names) {
      assert.deepEqual(totals(await sendEach(store, name, 'a', [2])), [2], name)
    }
  },

  async 'window edges'(store, scope) {
    const rule = { ...RULE, windowMs: 2000 }
    await windowStart(store, scope, rule.windowMs)
    const [first] = await store.report(scope, 'a', [report('f', 1, 80)], rule)
    const bucket = Math.floor(first.now / rule.windowMs)
    for (let seq = 2; ; seq++) {
      const [state] = await store.report(scope, 'a', [report('f', seq)], rule)
      const passed = Math.floor(state.now / rule.windowMs) - bucket
      const left = rule.windowMs - (state.now % rule.windowMs)
      assert(passed <= 1, 'the store took longer than a window to answer')
      if (passed === 0) assert.equal(state.total, 80 + seq - 1)
      // The bucket before counts by the share of it that the window still covers.
      if (passed === 1) {
        const before = seq - 1
        const inBucket = state.total - Math.floor(((80 + before - 1) * left) / rule.windowMs)
        assert(inBucket >= 0 && inBucket <= before, `${state.total} of ${80 + before}`)
        await sleep(rule.windowMs * 2 - (state.now % rule.windowMs) + 20)
        const [last] = await store.report(scope, 'a', [report('f', seq + 1)], rule)
        assert.equal(last.total, 1, 'two windows later nothing is left')
        return
      }
      await sleep(100)
    }
  },

  async 'exact window'(store, scope) {
    const rule = { ...RULE, windowMs: 500 }
    await windowStart(store, scope, rule.windowMs)
    const [first] = await store.report(scope, 'a', [report('f', 1, 1000)], rule)
    await sleep(rule.windowMs - (first.now % rule.windowMs) + 100)
    const [second] = await store.report(scope, 'a', [report('f', 2, 1)], rule)
    const { windowMs } = rule
    if (Math.floor(second.now / windowMs) === Math.floor(first.now / windowMs) + 1) {
      const left = windowMs - (second.now % windowMs)
      assert.equal(second.total, 1 + Math.floor((1000 * left) / windowMs))
    } else assert.equal(second.total, 1)
  },

  async 'another window'(store, scope) {
    const [first] = await sendEach(store, scope, 'a', [1], { ...RULE, windowMs: 60_000 })
    // A longer window has smaller numbers of buckets: counting begins again, and goes on.
    const longer = await sendEach(store, scope, 'a', [2, 3], RULE)
    const shorter = await sendEach(store, scope, 'a', [4, 5], { ...RULE, windowMs: 30_000_000 })
    assert.deepEqual(totals([first, ...longer, ...shorter]), [1, 1, 2, 1, 2])
  },

  async 'worker saturation'(store, scope) {
    const rule = { ...RULE, maxWorkers: 4, threshold: 1000 }
    for (const number of upTo(10)) {
      const [once, twice] = await sendEach(store, scope, `worker ${number}`, [1, 1], rule)
      assert.equal(once.workers, Math.min(number, 4))
      assert.equal(once.total, number)
      assert.equal(twice.total, number, 'a replay counts once, also beyond maxWorkers')
    }
    for (const number of upTo(4)) {
      const [state] = await sendEach(store, scope, `worker ${number}`, [1], rule)
      assert.equal(state.total, 10, 'workers below maxWorkers are remembered exactly')
    }
  },

  async 'one worker is no swarm'(store, scope) {
    const alone = await sendEach(store, scope, 'a', upTo(20))
    assert(alone.every(({ latchedUntil }) => latchedUntil === 0))
    const [state] = await sendEach(store, scope, 'b', [1])
    assert.deepEqual([state.fresh, state.workers, state.total], [true, 2, 21])
    assert.equal(state.latchedUntil, state.now + RULE.latchMs)
  },

  async 'latch once'(store, scope) {
    const workers = upTo(64).map((number) => `worker ${number}`)
    const all = await Promise.all(workers.map((worker) => sendEach(store, scope, worker, upTo(3))))
    const states = all.flat()
    assert.equal(states.filter(({ fresh }) => fresh).length, 1)
    const [last] = await sendEach(store, scope, 'worker 1', [4])
    assert.deepEqual([last.total, last.workers, last.fresh], [193, 64, false])
    assert(last.latchedUntil > last.now)
  },

  async 'a lost answer'(store, scope) {
    await sendEach(store, scope, 'a', upTo(9))
    const [first] = await sendEach(store, scope, 'b', [5])
    const [again] = await sendEach(store, scope, 'b', [5])
    // The reporter that never got its answer is still the one that latched it.
    assert.deepEqual([first.fresh, again.fresh, again.total], [true, true, 10])
    assert.equal(again.latchedUntil, first.latchedUntil)
    const [other] = await sendEach(store, scope, 'a', [9])
    assert.equal(other.fresh, false)
  },

  async 'latch ends'(store, scope) {
    const rule = { ...RULE, threshold: 2, latchMs: 2000 }
    await sendEach(store, scope, 'a', [1], rule)
    const [first, during] = await sendEach(store, scope, 'b', [1, 2], rule)
    assert.deepEqual([first.fresh, during.fresh], [true, false])
    assert.equal(during.latchedUntil, first.latchedUntil)
    await sleep(2200)
    assert.deepEqual(await store.latched(scope, 10), [])
    const [again] = await sendEach(store, scope, 'a', [2], rule)
    assert.equal(again.fresh, true)
    assert(again.latchedUntil > first.latchedUntil)
  },

  async expiry(store, scope) {
    const rule = { ...RULE, windowMs: 1000 }
    const sample = 'from long ago'
    const [first] = await store.report(scope, 'a', [{ ...report('f', 5), sample }], rule)
    const [both] = await sendEach(store, scope, 'b', [1], rule)
    assert.equal(both.workers, 2)
    await sleep(3200)
    // Forgotten: a number that was applied long ago counts again, as nothing of it is left.
    const [state] = await sendEach(store, scope, 'a', [5], rule)
    assert.deepEqual([state.total, state.workers], [1, 1])
    await sendEach(store, scope, 'b', [1], { ...rule, threshold: 1 })
    const [listed] = await store.latched(scope, 10, { details: true })
    assert.equal(listed?.sample, undefined)
    assert(Number(listed?.firstSeen) > Number(first.now) + 3000)
  },

  async 'clock skew'(store, scope) {
    const real = Date.now
    try {
      for (const [seq, skew] of [0, -3_600_000, 3_600_000, -1e11, 1e11].entries()) {
        Date.now = () => real() + skew
        const [state] = await sendEach(store, scope, `worker ${seq}`, [1], {
          ...RULE,
          threshold: 5,
        })
        assert.equal(state.total, seq + 1)
        assert(Math.abs(Number(state.now) - real()) < 60_000, 'the time is the server’s')
        if (seq === 4) assert.equal(state.latchedUntil, Number(state.now) + RULE.latchMs)
      }
    } finally {
      Date.now = real
    }
  },

  async 'clear a fingerprint'(store, scope) {
    for (const fingerprint of ['x', 'y']) {
      await sendEach(store, scope, 'a', upTo(9), RULE, fingerprint)
      await sendEach(store, scope, 'b', [1], RULE, fingerprint)
    }
    assert.equal((await store.latched(scope, 10)).length, 2)
    await store.clear(scope, 'x')
    const left = await store.latched(scope, 10)
    assert.deepEqual(
      left.map(({ fingerprint }) => fingerprint),
      ['y'],
    )
    const [x] = await sendEach(store, scope, 'c', [1], RULE, 'x')
    assert.deepEqual([x.total, x.workers, x.latchedUntil], [1, 1, 0])
  },

  async 'clear a scope'(store, scope) {
    const other = `${scope} other`
    const many = upTo(100).map((number) => report(`f${number}`, number, 9))
    for (const one of [scope, other]) {
      await store.report(one, 'a', many, RULE)
      await store.report(one, 'b', many, RULE)
    }
    await store.clear(scope)
    assert.deepEqual(await store.latched(scope, 500), [])
    const states = await store.report(scope, 'c', many, RULE)
    assert(
      states.every(
        ({ total, workers, latchedUntil }) => total === 9 && workers === 1 && latchedUntil === 0,
      ),
    )
    assert.equal((await store.latched(other, 500)).length, 100)
    await store.clear(other)
  },

  async 'latched list'(store, scope) {
    const samples = upTo(5).map((number) => ({
      ...report(`tool:${number}`, number, 9),
      sample: `sample ${number}`,
    }))
    await store.report(scope, 'first', samples, RULE)
    const states = await store.report(scope, 'second', samples, RULE)
    assert(states.every(({ fresh }) => fresh))
    // Who comes later changes nothing about who latched it.
    await store.report(scope, 'first', [{ ...samples[0], seq: 9, weight: 1 }], RULE)
    await store.report(scope, 'first', [{ ...samples[0], seq: 9, weight: 1 }], RULE)
    assert.equal((await store.latched(scope, 3)).length, 3)
    const listed = await store.latched(scope, 10, { details: true })
    const names = listed.map(({ fingerprint }) => fingerprint).sort()
    assert.deepEqual(
      names,
      samples.map(({ fingerprint }) => fingerprint),
    )
    for (const state of listed) {
      const total = state.fingerprint === 'tool:1' ? 19 : 18
      assert.deepEqual([state.total, state.workers, state.fresh], [total, 2, false])
      assert.equal(state.latchedBy, 'second')
      assert.equal(state.latchedUntil, Number(state.latchedSince) + RULE.latchMs)
      assert.match(String(state.sample), /^sample \d$/)
      assert(Number(state.firstSeen) > 0 && Number(state.firstSeen) <= Number(state.latchedSince))
      assert.equal(state.workerIds?.length, 2)
      assert(Number(state.now) >= Number(state.latchedSince))
    }
    // What workers poll is as new.
    const brief = await store.latched(scope, 10)
    const known = ({ fingerprint, total, workers }) => [fingerprint, total, workers]
    assert.deepEqual(new Map(brief.map(known)), new Map(listed.map(known)))
    assert.deepEqual(await store.latched(`${scope} empty`, 10), [])
  },

  async 'names that look like data'(store, scope) {
    const name = '{"a":[1]}'
    await sendEach(store, scope, 'a', upTo(9))
    await store.report(scope, name, [{ ...report('f', 1), sample: '[null]' }], RULE)
    const [state] = await store.latched(scope, 10, { details: true })
    assert.deepEqual([state?.latchedBy, state?.sample], [name, '[null]'])
  },

  async 'hostile names'(store, scope) {
    const names = [
      '',
      '\0',
      'a\0b',
      '\ud800',
      'é\u{1f43e}',
      "'; DROP TABLE x; --",
      '{a}',
      'x'.repeat(500),
    ]
    const batch = names.map((name, index) => ({ ...report(name, index + 1, 5), sample: name }))
    await store.report(scope, '\0worker', batch, RULE)
    const states = await store.report(scope, '\ud800{worker}', batch, RULE)
    assert.deepEqual(
      states.map(({ fingerprint }) => fingerprint),
      names,
    )
    for (const { fingerprint } of await store.latched(scope, 100)) {
      await store.clear(scope, fingerprint)
    }
    assert.deepEqual(await store.latched(scope, 100), [])
  },

  async 'large batch'(store, scope) {
    const batch = upTo(1000).map((number) => report(`f${number}`, number))
    await store.report(scope, 'a', batch, RULE)
    assert.deepEqual(new Set(totals(await store.report(scope, 'b', batch, RULE))), new Set([2]))
    assert.deepEqual(await store.report(scope, 'a', [], RULE), [])
  },

  async 'concurrent workers'(store, scope) {
    const workers = upTo(16).map((number) => `worker ${number}`)
    const fingerprints = ['x', 'y', 'z']
    await Promise.all(
      workers.map(async (worker, index) => {
        for (const round of upTo(25)) {
          // Each in an order of its own, as reports of different workers come.
          const batch = fingerprints.map((_, at) =>
            report(fingerprints[(at + index) % 3], round * 10 + at),
          )
          await store.report(scope, worker, batch, { ...RULE, threshold: 1e6 })
        }
      }),
    )
    const last = fingerprints.map((name) => report(name, 1))
    const states = await store.report(scope, 'last', last, { ...RULE, threshold: 1e6 })
    assert.deepEqual(totals(states), [401, 401, 401])
    assert(states.every(({ workers }) => workers === 17))
  },

  async subscribe(store, scope) {
    if (!store.subscribe) return
    const pushed = []
    const end = await store.subscribe(scope, (state) => pushed.push(state))
    await sendEach(store, scope, 'a', upTo(9))
    const [state] = await sendEach(store, scope, 'b', [1])
    const waitFor = async (count) => {
      for (let tries = 0; pushed.length < count && tries < 500; tries++) await sleep(20)
      assert.equal(pushed.length >= count, true, 'a latch is pushed')
    }
    await waitFor(1)
    assert.equal(pushed[0].fingerprint, 'f')
    assert.equal(pushed[0].latchedUntil, state.latchedUntil)
    await store.clear(scope, 'f')
    await waitFor(2)
    assert.deepEqual([pushed.at(-1).fingerprint, pushed.at(-1).latchedUntil], ['f', 0])
    end()
  },
}

/**
 * Checks that depend on how long something takes. They are not run beside others, and are tried again: a
 * busy machine can hold up a process for longer than their windows.
 */
export const TIMED = ['window edges', 'exact window', 'latch ends', 'expiry']

/** Checks that change the clock of this process. */
export const ALONE = ['clock skew']

let scopes = 0

/** Runs one check on a store, in a scope of its own. */
export function runCheck(name, store) {
  scopes += 1
  const scope = `check ${process.pid} ${scopes}`
  return /** @type {(store: SwarmStore, scope: string) => Promise<void>} */ (CHECKS[name])(
    store,
    scope,
  )
}
