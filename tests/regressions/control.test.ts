/**
 * What users of other detectors wanted to have in their hands. Each test is named after the wish and
 * where it was uttered.
 */

import { type LoopKind, presets, scan } from 'loophound'
import { describe, expect, it } from 'vitest'
import { expectFound, expectSilence, live, sh, step, steps, told } from '../support/agent.js'
import { detector } from '../support/made.js'
import { messageOf } from '../support/verdicts.js'

const stuck = sh('npm run deploy', 'Error: EACCES: permission denied, open /srv/app/.env', false)
const forever = steps(60, () => stuck)

describe('a tool is left alone', () => {
  const poll = steps(60, () => step('gdb', { command: 'next' }, 'running'))

  it('one that is exempt is never spoken of (gemini-cli #9276)', () => {
    expectSilence(poll, detector({ tools: { gdb: { exempt: true } } }))
  })

  it('and the others are not exempt by that (gemini-cli #9276)', () => {
    const host = detector({ tools: { gdb: { exempt: true } } })
    expectFound(
      poll.flatMap((one) => [one, stuck]),
      8,
      'no-progress',
      host,
    )
  })

  it('one that waits is given time (gemini-cli #9276)', () => {
    const job = steps(50, () => step('render', { id: 7 }, 'frame 7 of the intro'))
    expectFound(job, 6)
    const patient = expectFound(job, 50, undefined, detector({ tools: { render: { poll: true } } }))
    expect(patient.call).toBe(presets.balanced.patience?.poll)
  })

  it('one that counts by a field of its own (openclaw PR #119604)', () => {
    const sends = steps(12, (i) =>
      step('send', { to: 'ops', text: `Try ${i}: ${'x'.repeat(i)}` }, 'rejected: blocked', false),
    )
    const host = detector({ tools: { send: { identity: (args) => (args as { to: string }).to } } })
    expectFound(sends, 3, 'no-progress', host)
  })
})

describe('an off switch', () => {
  it('nothing is said when every pattern is off (OpenHands PR #11799)', () => {
    const kinds = Object.keys(presets.balanced.detectors ?? {}) as LoopKind[]
    const detectors = Object.fromEntries(kinds.map((kind) => [kind, false]))
    const host = detector({ detectors })
    expectSilence(forever, host)
    for (let i = 0; i < 20; i++) expect(host.recordText('Done.').action).toBe('continue')
    expect(host.isStuck()).toBe(false)
  })
})

describe('thresholds that are honoured (openclaw)', () => {
  const fine = steps(60, () => sh('npm run deploy', 'nothing to deploy'))

  it.each([2, 3, 5, 9, 20])('%i identical calls with one result', (threshold) => {
    expect(live(fine, detector({ threshold }))[0]?.call).toBe(threshold)
  })

  it('a tool has its own', () => {
    expect(live(fine, detector({ tools: { bash: { threshold: 7 } } }))[0]?.call).toBe(7)
  })

  // Expected: the patience for failures after changes is not asked where nothing was changed.
  it.each([9, 20])('%i identical failures, and nothing changed between', (threshold) => {
    expect(live(forever, detector({ threshold }))[0]?.call).toBe(threshold)
  })

  // Expected: the same.
  it('a tool has its own, for failures too', () => {
    const host = detector({ tools: { bash: { threshold: 7 } } })
    expect(live(forever, host)[0]?.call).toBe(7)
  })
})

describe('how hard it pushes', () => {
  it('it blocks when it is not listened to (openclaw #70546, #128855)', () => {
    const said = live(forever)
    expect(told(said).slice(0, 3)).toEqual([
      'before call 3: nudge (notice, no-progress)',
      'before call 5: nudge (warning, no-progress)',
      'before call 8: block (critical, no-progress)',
    ])
    expect(said.at(-1)?.verdict.action).toBe('stop')
    expect(said.at(-1)?.call).toBeLessThanOrEqual(12)
  })

  it('it keeps blocking, if that is what it is told to do (openclaw #128855)', () => {
    const rungs = [
      { at: 1, action: 'nudge', level: 'warning' },
      { at: 2, action: 'block', level: 'critical' },
    ] as const
    const said = live(forever, detector({ detectors: { 'no-progress': { rungs } } }))
    expect(said.map(({ verdict }) => verdict.action)).toEqual(['nudge', ...Array(57).fill('block')])
  })

  it('it can be told to nudge only (gemini-cli #19958)', () => {
    const rungs = [{ at: 1, action: 'nudge', level: 'warning' }] as const
    const said = live(forever, detector({ detectors: { 'no-progress': { rungs } } }))
    expect(said.length).toBeGreaterThan(3)
    expect(said.length).toBeLessThan(7)
    expect(new Set(said.map(({ verdict }) => verdict.action))).toEqual(new Set(['nudge']))
  })

  it('it speaks before it halts (gemini-cli #19958)', () => {
    const [first] = live(forever)
    expect(first?.verdict.action).toBe('nudge')
    expect(first?.verdict.status).toBe('OK')
  })
})

describe('recovery', () => {
  it('whoever takes the hint goes on, and is not held to it (OpenHands #11431)', () => {
    const host = detector()
    live(
      steps(3, () => stuck),
      host,
    )
    expectSilence(
      steps(12, (i) => [
        sh(`ls -l /srv/app/part${i}`, `-rw-r--r-- root part${i}`),
        step('write_file', { path: `fix${i}.sh`, content: `chown app part${i}` }, 'ok'),
      ]),
      host,
    )
    const [again] = live(
      steps(3, () => stuck),
      host,
    )
    expect(again?.verdict.level).toBe('notice')
  })

  it('where the loop began is told, so that memory can be cut there (OpenHands #11431)', () => {
    const before = steps(7, (i) => sh(`cat src/m${i}.ts`, `export const m = ${i}`))
    const { verdict } = expectFound([...before, ...forever], 10)
    expect(verdict.since).toBe(7)
    expect(verdict.wasted).toBe(2)
  })

  it('after a stop a person speaks, and it goes on from the beginning (OpenHands #11431)', () => {
    const host = detector()
    expect(live(forever, host).at(-1)?.verdict.action).toBe('stop')
    host.userMessage()
    expect(host.isStuck()).toBe(false)
    expect(live(forever, host)[0]?.verdict.level).toBe('notice')
  })

  // Expected: the call that was stopped got no result. The next result, without an id, is not its.
  it('after a stop, results belong to the calls that ran (OpenHands #11431)', () => {
    const host = detector()
    live(forever, host)
    host.userMessage()
    expect(live(forever, host)[0]?.call).toBe(3)
  })
})

describe('the evidence', () => {
  it('what was called, how often, and what it said are in the message (GarraRUST #1295)', () => {
    for (const { verdict } of live(forever)) {
      const message = messageOf(verdict)
      expect(message).toContain('npm run deploy')
      // The newest of the counted calls may not have run yet.
      expect(message).toMatch(new RegExp(`\\b(${verdict.count}|${verdict.count - 1}) times\\b`))
      expect(message).toContain('EACCES: permission denied')
    }
  })
})

describe('what a program can tell', () => {
  it('a loop that ended the run is told from a run that ended (gemini-for-kubernetes-development #680)', () => {
    const stopped = live(forever).at(-1)
    expect(stopped?.verdict.status).toBe('LOOP_DETECTED')
    const events = forever.flatMap(({ name, args, output, ok }) => [
      { t: 'call', name, args } as const,
      { t: 'result', name, ok, output } as const,
    ])
    expect(scan(events).stuck).toBe(true)
    expect(scan(events.slice(0, 2)).stuck).toBe(false)
  })
})
