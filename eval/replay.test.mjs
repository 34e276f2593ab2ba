import * as engine from 'loophound'
import { describe, expect, it } from 'vitest'
import { alarmsOf, eventsOf, oneByOne, play } from './replay.mjs'

const call = (args = {}, name = 'ls') => ({ t: 'call', name, args })
const result = (output = 'a', name = 'ls') => ({ t: 'result', name, ok: true, output })
const text = (words = 'well') => ({ t: 'text', text: words })
const user = () => ({ t: 'user', text: 'please continue' })

const eventsFrom = (events, source = 'made_up') => eventsOf({ source, events })
const stepsOf = (events, way = 'turns') =>
  [...play(engine, {}, events, way)].map(({ kind, call }) => `${kind} ${call}`)
const alarms = (options, events, way = 'turns') => alarmsOf(engine, options, events, way)

describe('by turn', () => {
  it('calls that stand together are one batch, judged at its last call', () => {
    const events = eventsFrom([call(), call(), result(), result(), call()])
    expect(stepsOf(events)).toEqual([
      ...['turn 0', 'calls 1', 'result 0', 'result 1'],
      ...['turn 2', 'calls 2'],
    ])
  })

  it('a text before a call belongs to that call, any other to the call before it', () => {
    expect(stepsOf(eventsFrom([call(), result(), text(), call()])).slice(3)).toEqual([
      ...['turn 1', 'text 1', 'calls 1'],
    ])
    expect(stepsOf(eventsFrom([call(), result(), text(), text()])).slice(3)).toEqual([
      ...['turn 0', 'text 0', 'turn 0', 'text 0'],
    ])
    expect(alarms({ preset: 'nudge' }, eventsFrom([text(), text()]))).toMatchObject([
      { call: 0, kind: 'summary' },
    ])
  })

  it('an alarm at a result belongs to the call of that result', () => {
    const options = {
      preset: 'window',
      detectors: { 'windowed-repeat': false, 'exact-repeat': { threshold: 3, results: true } },
    }
    const late = [call(), result(), call(), result(), call(), call({}, 'pwd'), result()]
    expect(alarms(options, eventsFrom(late))).toMatchObject([{ call: 2, kind: 'exact-repeat' }])
  })
})

describe('call by call', () => {
  const parallel = [
    { ...call({}, 'a'), id: '1' },
    { ...call({}, 'b'), id: '2' },
    { ...call({}, 'c'), id: '3' },
    { ...result('of b', 'b'), id: '2' },
    { ...result('of a', 'a'), id: '1' },
  ]

  it('puts each result right after its call', () => {
    const told = oneByOne(eventsFrom(parallel)).map(({ t, id }) => `${t} ${id}`)
    expect(told).toEqual(['call 1', 'result 1', 'call 2', 'result 2', 'call 3'])
  })

  it('records each call by itself', () => {
    expect(stepsOf(eventsFrom(parallel), 'calls')).toEqual([
      ...['calls 0', 'result 0', 'calls 1', 'result 1', 'calls 2'],
    ])
    const same = eventsFrom([call(), call(), call()])
    expect(alarms({ preset: 'guard', threshold: 3 }, same, 'calls')).toMatchObject([{ call: 2 }])
  })

  it('takes the same alarms as by turn from a session without parallel calls', () => {
    const events = eventsFrom([
      text(),
      ...[0, 1, 2, 3, 4, 5].flatMap(() => [call(), result()]),
      user(),
    ])
    const found = alarms({ preset: 'balanced' }, events)
    expect(found.length).toBeGreaterThan(0)
    expect(alarms({ preset: 'balanced' }, events, 'calls')).toEqual(found)
  })
})

describe('the user', () => {
  const repeats = [call(), result(), user(), call(), result(), user(), call(), result()]

  it('is a person in the customer-service runs, and where the session says so', () => {
    for (const events of [
      eventsFrom(repeats, 'tau_made_up'),
      eventsOf({ source: 'other', person: true, events: repeats }),
    ]) {
      expect(events.filter(({ t }) => t === 'user')).toHaveLength(2)
      expect(alarms({ preset: 'nudge' }, events)).toEqual([])
    }
  })

  it('is the harness elsewhere, and left out', () => {
    const events = eventsFrom(repeats)
    expect(events.map(({ t }) => t)).not.toContain('user')
    expect(alarms({ preset: 'nudge' }, events)).toMatchObject([{ call: 2 }])
  })

  it('as the harness still ends the turn of the text before it', () => {
    expect(stepsOf(eventsFrom([text(), user(), user(), call()]))).toEqual([
      ...['turn 0', 'text 0', 'turn 0', 'calls 0'],
    ])
  })

  it('who speaks after an alarm is no second one', () => {
    const events = eventsFrom([call(), call(), call(), user()], 'tau_made_up')
    expect(alarms({ preset: 'nudge' }, events)).toHaveLength(1)
  })
})

describe('times and compactions', () => {
  const minute = 60_000
  const curl = (n, at) => [
    { ...call({ command: 'curl -s localhost/health' }, 'bash'), at: n * at },
    { ...result('{"ready":0}', 'bash'), at: n * at + 400 },
  ]
  const reads = [1, 2, 3].flatMap(() => [
    call({ path: 'a.ts' }, 'read_file'),
    result('text', 'read_file'),
  ])

  it.each(['turns', 'calls'])('reach the detector, by %s', (way) => {
    const polled = (at) => eventsFrom([1, 2, 3, 4, 5, 6].flatMap((n) => curl(n, at)))
    expect(alarms({}, polled(5 * minute), way)).toEqual([])
    expect(alarms({}, polled(500), way)).not.toEqual([])
    const compacted = eventsFrom(
      reads.flatMap((event) => (event.t === 'call' ? [{ t: 'compacted' }, event] : [event])),
    )
    expect(alarms({}, compacted, way)).toEqual([])
    expect(alarms({}, eventsFrom(reads), way)).not.toEqual([])
  })

  it('a compaction after an alarm is no second one', () => {
    const events = eventsFrom([call(), call(), call(), { t: 'compacted' }])
    expect(alarms({ preset: 'nudge' }, events)).toHaveLength(1)
    expect(alarms({ preset: 'nudge' }, events, 'calls')).toHaveLength(1)
  })
})

describe('a budget', () => {
  it('that is used up is no alarm', () => {
    const events = eventsFrom([1, 2, 3].flatMap((n) => [call({ n }), result(`${n}`)]))
    expect(alarms({ preset: 'guard', iterationCap: 2 }, events)).toEqual([])
  })
})

describe('cut texts', () => {
  const cut = (sha, output = 'head\n…[cut]…\ntail') => ({ ...result(output), sha, len: 9000 })
  const outputs = (...events) => eventsFrom(events).map(({ output }) => output)

  it('are equal exactly when their hashes are, and look like no volatile token', () => {
    const [a, b, c, d] = outputs(cut('0123ab'), cut('0123ab'), cut('0123ac'), cut('01', 'no mark'))
    expect(a).toBe(b)
    expect(a).not.toBe(c)
    expect(a).toMatch(/^head\n….*…\ntail$/)
    expect(a).not.toMatch(/\d/)
    expect(d).toMatch(/^no mark\n/)
  })

  it('may be arguments or words', () => {
    const told = (event) => JSON.stringify(eventsFrom([event]))
    for (const [event, key] of [
      [call({ command: 'x…[cut]…y' }), 'args_sha'],
      [call('x…[cut]…y'), 'args_sha'],
      [text(), 'sha'],
    ]) {
      expect(told({ ...event, [key]: '0a' })).toBe(told({ ...event, [key]: '0a' }))
      expect(told({ ...event, [key]: '0a' })).not.toBe(told({ ...event, [key]: '0b' }))
    }
  })
})

describe('events', () => {
  it('of which nobody knows whether they succeeded say nothing about it', () => {
    expect(eventsFrom([{ ...result(), ok: null }])[0]).not.toHaveProperty('ok')
  })

  it('that are not known are refused', () => {
    expect(() => eventsFrom([{ t: 'dream' }])).toThrow('no such event: dream')
  })
})
