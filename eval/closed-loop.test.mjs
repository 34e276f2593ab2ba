import { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import { simulate, stuckTurns, summarize } from './closed-loop.mjs'

/**
 * A guard that counts the turns of the loop: it nudges at every turn from `nudge` on, refuses the
 * loop's calls from `block` on, and ends the run at `stop`. New calls start the count again if
 * `forgets` is set.
 */
function toyGuard({
  nudge,
  block = Number.POSITIVE_INFINITY,
  stop = Number.POSITIVE_INFINITY,
  forgets,
}) {
  let count = 0
  let pending = null
  const results = []
  return {
    results,
    beginStep: () => count < stop,
    takeNudge: () => {
      const taken = pending
      pending = null
      return taken
    },
    pushText() {},
    text() {},
    calls: (calls) =>
      calls.map(({ name }) => {
        if (name !== 'loop') {
          if (forgets) count = 0
          return { run: true, reply: null, verdict: { action: 'continue' } }
        }
        count += 1
        if (count >= nudge) pending = 'do something else'
        const run = count < block
        return { run, reply: run ? null : 'refused', verdict: { action: run ? 'nudge' : 'block' } }
      }),
    result: (result) => results.push(result),
    endStep: () => count >= stop,
  }
}

const TURNS = [
  { text: null, calls: [{ name: 'loop', args: {}, result: { ok: false, output: 'no' } }] },
]

describe('a simulated agent', () => {
  it('that ignores everything is nudged, blocked and stopped where the guard says so', () => {
    const guard = toyGuard({ nudge: 3, block: 5, stop: 6 })
    const trial = simulate(guard, TURNS, { newCalls: 0 })
    expect(trial).toEqual({ turns: 6, nudges: [3, 4, 5], blocks: [5, 6], stop: 6 })
    expect(guard.results.at(-1)).toMatchObject({ ok: false, output: 'refused' })
  })

  it('that complies makes its new calls after each nudge, and goes on', () => {
    const guard = toyGuard({ nudge: 3, forgets: true })
    const trial = simulate(guard, TURNS, { newCalls: 1, limit: 10 })
    // Nudged after every third turn, because the new call restarts the count.
    expect(trial).toEqual({ turns: 10, nudges: [3, 6, 9], blocks: [], stop: null })
    expect(guard.results.filter(({ ok }) => ok)).toHaveLength(3)
  })

  it('makes as many new calls as it is meant to', () => {
    const guard = toyGuard({ nudge: 3, forgets: true })
    simulate(guard, TURNS, { newCalls: 3, limit: 6 })
    const made = guard.results.map(({ ok }) => (ok ? 'new' : 'loop')).join(' ')
    expect(made).toBe('loop loop loop new new new loop loop loop')
  })

  it('ends, whatever a guard does', () => {
    const guard = { ...toyGuard({ nudge: 99 }), takeNudge: () => 'always' }
    expect(simulate(guard, TURNS, { newCalls: 3, limit: 20 })).toMatchObject({
      turns: 0,
      stop: null,
    })
  })

  it('meets the real guard', () => {
    for (const newCalls of [0, 1]) {
      const guard = new LoopGuard({ detector: { preset: 'guard' } })
      // Five in a row; after the feedback, five in a row again.
      const expected = { turns: 10, nudges: [5], blocks: [], stop: 10 }
      expect(simulate(guard, TURNS, { newCalls })).toEqual(expected)
      guard.free()
    }
  })
})

describe('a stuck stretch', () => {
  const call = (name) => ({ t: 'call', name, args: {} })
  const result = (name, output) => ({ t: 'result', name, output })
  const events = [
    ...[call('start'), result('start', '0')],
    ...[{ t: 'text', text: 'again' }, call('a'), call('b'), result('b', '2'), result('a', '1')],
    ...[{ t: 'text', text: 'hm' }, { t: 'text', text: 'so' }, call('c')],
    ...[call('end'), result('end', '9')],
  ]

  it('becomes turns, with each call’s result', () => {
    const turns = stuckTurns(events, { from: 1, to: 3 })
    expect(
      turns.map(({ text, calls }) => [
        text,
        calls.map(({ name, result }) => [name, result?.output]),
      ]),
    ).toEqual([
      // The text before the first call is not part of the stretch.
      [
        null,
        [
          ['a', '1'],
          ['b', '2'],
        ],
      ],
      ['hm', []],
      ['so', [['c', undefined]]],
    ])
  })

  it('may be the whole session', () => {
    expect(stuckTurns(events, { from: 0, to: Number.MAX_SAFE_INTEGER })).toHaveLength(4)
  })
})

describe('trials', () => {
  it('are summed up by the most severe action', () => {
    const trials = [
      { turns: 200, nudges: [], blocks: [], stop: null },
      { turns: 200, nudges: [3, 9], blocks: [], stop: null },
      { turns: 200, nudges: [3], blocks: [8, 9], stop: null },
      { turns: 12, nudges: [3], blocks: [10], stop: 12 },
    ]
    expect(summarize(trials)).toEqual({
      loops: 4,
      hardest: { silent: 1, nudged: 1, blocked: 1, stopped: 1 },
      nudges: { median: 1, most: 2 },
      blocked: { loops: 2, turn: 9 },
      stopped: { loops: 1, turn: 12 },
    })
  })
})
