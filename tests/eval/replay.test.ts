/** A trajectory is told to the detector as the corpus' README says. */

import type { LoopDetectorOptions } from 'loophound'
import { describe, expect, it } from 'vitest'
import { alarmsOf, eventsOf, stepsOf } from './harness.js'

const call = (args: unknown = {}, name = 'ls') => ({ t: 'call', name, args })
const result = (output = 'a', name = 'ls') => ({ t: 'result', name, ok: true, output })
const text = (words = 'well') => ({ t: 'text', text: words })
const user = () => ({ t: 'user', text: 'please continue' })

function eventsFrom(events: Record<string, unknown>[], source = 'made_up') {
  return eventsOf({ source, events })
}

describe('turns', () => {
  it('calls that stand together are one batch, known at its last call', () => {
    const events = eventsFrom([call(), call(), result(), result(), call()])
    expect(stepsOf({}, events)).toEqual([
      ...['turn 0', 'calls 1', 'result 0', 'result 1'],
      ...['turn 2', 'calls 2'],
    ])
  })

  it('a text before a call is part of its turn and belongs to that call', () => {
    const events = eventsFrom([call(), result(), text(), call()])
    expect(stepsOf({}, events).slice(3)).toEqual(['turn 1', 'text 1', 'calls 1'])
  })

  it('any other text is a turn of its own and belongs to the call before it', () => {
    const events = eventsFrom([call(), result(), text(), text()])
    expect(stepsOf({}, events).slice(3)).toEqual(['turn 0', 'text 0', 'turn 0', 'text 0'])
  })

  it('a text without any call belongs to the first', () => {
    const alarms = alarmsOf({ preset: 'nudge' }, eventsFrom([text(), text()]))
    expect(alarms).toMatchObject([{ call: 0, kind: 'summary' }])
  })
})

describe('the user', () => {
  const repeats = [call(), result(), user(), call(), result(), user(), call(), result()]

  it('is a person in the customer-service runs', () => {
    const events = eventsFrom(repeats, 'tau_made_up')
    expect(events.filter(({ t }) => t === 'user')).toHaveLength(2)
    expect(alarmsOf({ preset: 'nudge' }, events)).toEqual([])
  })

  it('is the harness elsewhere, and left out', () => {
    const events = eventsFrom(repeats)
    expect(events.map(({ t }) => t)).not.toContain('user')
    expect(alarmsOf({ preset: 'nudge' }, events)).toMatchObject([{ call: 2 }])
  })

  it('as the harness still ends the turn of the text before it', () => {
    const steps = stepsOf({}, eventsFrom([text(), user(), user(), call()]))
    expect(steps).toEqual(['turn 0', 'text 0', 'turn 0', 'calls 0'])
    const talk = eventsFrom([text(), user(), text(), user(), call()])
    expect(alarmsOf({ preset: 'nudge' }, talk)).toMatchObject([{ kind: 'summary' }])
  })

  it('who speaks after an alarm is no second one', () => {
    const events = eventsFrom([call(), call(), call(), user()], 'tau_made_up')
    expect(alarmsOf({ preset: 'nudge' }, events)).toHaveLength(1)
  })
})

describe('results', () => {
  it('an alarm at a result belongs to the call of that result', () => {
    const repeats = { threshold: 3, results: true }
    const byResults: LoopDetectorOptions = {
      preset: 'window',
      detectors: { 'windowed-repeat': false, 'exact-repeat': repeats },
    }
    const late = [call(), result(), call(), result(), call(), call({}, 'pwd'), result()]
    expect(alarmsOf(byResults, eventsFrom(late))).toMatchObject([{ call: 2, kind: 'exact-repeat' }])
  })

  it('are told apart by name', () => {
    const events = eventsFrom([call(), call({}, 'pwd'), result('x', 'pwd'), result()])
    expect(stepsOf({}, events)).toEqual(['turn 0', 'calls 1', 'result 1', 'result 0'])
  })

  it('of which nobody knows whether they are good say nothing about it', () => {
    const [event] = eventsFrom([{ ...result(), ok: null }])
    expect(event).not.toHaveProperty('ok')
  })
})

describe('cut texts', () => {
  const cut = (sha: string, output = 'head\n…[cut]…\ntail') => ({
    ...result(output),
    sha,
    len: 9000,
  })
  const outputs = (...events: Record<string, unknown>[]) =>
    eventsFrom(events).map((event) => (event.t === 'result' ? event.output : null))

  it('are equal exactly when their hashes are', () => {
    const [a, b, c] = outputs(cut('0123456789ab'), cut('0123456789ab'), cut('0123456789ac'))
    expect(a).toBe(b)
    expect(a).not.toBe(c)
  })

  it('keep their end, and hold no hash that could be taken for a volatile token', () => {
    const [a, b] = outputs(cut('0123456789ab'), cut('0123456789ab', 'no mark'))
    expect(a).toMatch(/^head\n….*…\ntail$/)
    expect(a).not.toMatch(/\d/)
    expect(b).toMatch(/^no mark\n/)
  })

  it('may be arguments or words', () => {
    const told = (event: Record<string, unknown>) => JSON.stringify(eventsFrom([event]))
    const long = { ...call({ command: 'x…[cut]…y' }), args_sha: '0a' }
    expect(told(long)).toBe(told({ ...long }))
    expect(told(long)).not.toBe(told({ ...long, args_sha: '0b' }))
    const written = { ...call('x…[cut]…y'), args_sha: '0a' }
    expect(told(written)).not.toBe(told({ ...written, args_sha: '0b' }))
    expect(told({ ...text(), sha: '0a' })).not.toBe(told({ ...text(), sha: '0b' }))
  })

  it('of the same call, with other hashes, are progress', () => {
    const play = (shas: string[]) =>
      alarmsOf({ preset: 'balanced' }, eventsFrom(shas.flatMap((sha) => [call(), cut(sha)])))
    expect(play(['aa', 'aa', 'aa'])).toMatchObject([{ call: 2 }])
    expect(play(['aa', 'ab', 'ac'])).toEqual([])
  })
})

describe('what is not known', () => {
  it('is refused', () => {
    expect(() => eventsFrom([{ t: 'dream' }])).toThrow('no such event: dream')
  })
})
