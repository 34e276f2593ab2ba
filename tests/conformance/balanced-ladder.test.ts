/**
 * What the default preset does about a loop, sentence by sentence: people, escalation, hosts
 * without results, messages.
 */

import { describe, expect, it } from 'vitest'
import {
  edit,
  expectFound,
  expectLadder,
  expectSilence,
  live,
  type Said,
  type Step,
  sh,
  step,
  steps,
  told,
} from '../support/agent.js'
import { detector } from '../support/made.js'
import { messageOf } from '../support/verdicts.js'

const read = (path: string, output: string) => step('read_file', { path }, output)
const failing = sh('npm test', 'FAIL src/a.test.ts\n  3 failed, 17 passed', false)

describe('people', () => {
  it('who speak restart streaks', () => {
    const host = detector()
    for (let i = 0; i < 20; i++) {
      expectSilence(
        steps(2, () => failing),
        host,
      )
      host.userMessage()
    }
  })

  it('and every loop begins on its first rung again', () => {
    const host = detector()
    live(
      steps(4, () => failing),
      host,
    )
    host.userMessage()
    const [first] = live(
      steps(4, () => failing),
      host,
    )
    expect(first?.verdict.level).toBe('notice')
  })

  it('a conversation that is resumed keeps its state', () => {
    const host = detector()
    live(
      steps(7, () => failing),
      host,
    )
    const resumed = detector()
    resumed.restoreFrom(JSON.parse(JSON.stringify(host)))
    expect(resumed.record('bash', { command: 'npm test' }).action).toBe('block')
  })
})

describe('escalation', () => {
  const a = sh('npm test', '3 failed', false)
  const b = sh('npm run lint', '7 problems', false)

  it('goes from a word to a stronger one, to a refusal, to the end', () => {
    expectLadder(steps(12, () => a))
  })

  it('is counted for each loop by itself', () => {
    const said = live([...steps(5, () => a), ...steps(4, () => b)])
    expect(said.map(({ verdict }) => verdict.level)).toEqual(['notice', 'warning', 'notice'])
  })

  it('gives time to react: nothing is said twice within the cooldown', () => {
    const cooldown = 4
    const rungs = [
      { at: 1, action: 'nudge', level: 'notice' },
      { at: 2, action: 'nudge', level: 'warning' },
    ] as const
    const host = detector({ detectors: { 'no-progress': { cooldown, rungs } } })
    const nudges = live(
      steps(30, () => a),
      host,
    ).filter(({ verdict }) => verdict.action === 'nudge')
    const [first, second] = nudges as [Said, Said]
    expect(first.call).toBe(3)
    expect(second.call).toBe(first.call + 2 * cooldown)
  })

  it('gives a cycle the time of a whole pass', () => {
    const pass = steps(5, (i) => read(`f${i}`, `content ${i}`))
    const [first, second] = live(steps(8, () => pass)) as [Said, Said]
    expect(second.call - first.call).toBeGreaterThanOrEqual(5)
  })

  it('forgets a loop that ended, after real progress', () => {
    const host = detector()
    expect(
      live(
        steps(5, () => a),
        host,
      ).at(-1)?.verdict.level,
    ).toBe('warning')
    live(
      steps(10, (i) => [edit(`src/f${i}.ts`, `a${i}`, `b${i}`), read(`src/f${i}.ts`, `b${i}`)]),
      host,
    )
    expect(
      live(
        steps(3, () => a),
        host,
      )[0]?.verdict.level,
    ).toBe('notice')
  })

  it('comes down when the list of failures gets shorter', () => {
    const host = detector()
    live(
      steps(4, () => a),
      host,
    )
    live(
      steps(16, (i) => [
        edit('src/a.ts', `a${i}`, `b${i}`),
        sh('npm test', `${30 - i} failed`, false),
      ]),
      host,
    )
    expect(
      live(
        steps(3, () => sh('npm test', '1 failed', false)),
        host,
      )[0]?.verdict.level,
    ).toBe('notice')
  })

  it('does not come down for going back and forth between known states', () => {
    const host = detector()
    const two: Step[] = [read('x', 'one'), read('y', 'two')]
    live([...two, ...steps(6, () => a)], host)
    const said = live([...two, ...two, ...steps(4, () => a)], host)
    const tests = said.filter(({ verdict }) => verdict.tool === 'bash')
    expect(new Set(tests.map(({ verdict }) => verdict.level)), told(said).join('; ')).toEqual(
      new Set(['critical']),
    )
  })

  // Expected: what is announced at a result is done at the next call, before the run is stopped.
  it('refuses what it said would be refused', () => {
    const two: Step[] = [read('x', 'one'), read('y', 'two')]
    const said = live([...two, ...steps(6, () => a), ...two, ...two, ...steps(4, () => a)])
    const tests = said.filter(({ verdict }) => verdict.tool === 'bash')
    expect(
      tests.map(({ verdict }) => verdict.action),
      told(said).join('; '),
    ).toContain('block')
  })

  // Expected: whoever is told to look again and does so is not told off for looking.
  it('lets those who were nudged look again at what they knew', () => {
    const host = detector()
    const two: Step[] = [read('x', 'one'), read('y', 'two')]
    live([...two, ...steps(4, () => a)], host)
    expectSilence(two, host)
  })

  it('counts a refused call neither as progress nor as a repeat', () => {
    const rungs = [
      { at: 1, action: 'nudge', level: 'warning' },
      { at: 2, action: 'block', level: 'critical' },
    ] as const
    const host = detector({ detectors: { 'no-progress': { rungs } } })
    const said = live(
      steps(20, () => a),
      host,
    )
    const counts = said
      .filter(({ verdict }) => verdict.action === 'block')
      .map(({ verdict }) => verdict.count)
    expect(counts.length).toBe(17)
    expect(new Set(counts).size, String(counts)).toBe(1)
  })

  it('is not fooled by what we answered in place of the tool', () => {
    const host = detector()
    live(
      steps(7, () => a),
      host,
    )
    const refused = host.record('bash', { command: 'npm test' })
    expect(refused.action).toBe('block')
    expect(host.recordResult({ ok: true, output: 'Something entirely new.' }).action).toBe(
      'continue',
    )
    expect(host.record('bash', { command: 'npm test' }).action).toBe('stop')
  })
})

describe('a host that never reports results', () => {
  const firstOf = (make: (i: number) => unknown, calls: number): number | null => {
    const host = detector()
    for (let i = 1; i <= calls; i++) {
      if (host.record('bash', make(i)).action !== 'continue') return i
    }
    return null
  }

  it('is told of the same call, with more patience', () => {
    const first = firstOf(() => ({ command: 'npm test' }), 20)
    expect(first).toBeGreaterThan(3)
    expect(first).toBeLessThanOrEqual(8)
  })

  it('is told of cycles, with more patience', () => {
    const first = firstOf((i) => ({ command: `step ${i % 3}` }), 40)
    expect(first).toBeGreaterThan(7)
    expect(first).toBeLessThanOrEqual(20)
  })

  it('is not bothered while calls differ', () => {
    expect(firstOf((i) => ({ command: `cat src/file${i}.ts` }), 100)).toBeNull()
  })

  it('can be blocked, and is not stopped', () => {
    const host = detector()
    const actions = Array.from(
      { length: 20 },
      () => host.record('bash', { command: 'npm test' }).action,
    )
    expect(actions.filter((action) => action !== 'continue').slice(0, 4)).toEqual([
      'nudge',
      'nudge',
      'block',
      'block',
    ])
    expect(actions).not.toContain('stop')
  })
})

describe('messages', () => {
  it('quote what was called, how often, what it said and what was changed', () => {
    const run = steps(5, (i) => [
      edit(i % 2 === 0 ? 'src/a.ts' : 'src/b.ts', `old ${i}`, `new ${i}`),
      sh('npm test', 'FAIL src/a.test.ts\nError: expected 3 to be 4', false),
    ])
    const message = messageOf(expectFound(run, 10, 'no-progress').verdict)
    expect(message).toContain('npm test')
    expect(message).toContain('5 times')
    expect(message).toContain('src/a.ts')
    expect(message).toContain('src/b.ts')
    expect(message).toMatch(/FAIL src\/a\.test\.ts|expected 3 to be 4/)
  })

  it('say what comes next, and mean it', () => {
    const [notice, warning, block, stop] = live(steps(10, () => failing)).map(({ verdict }) =>
      messageOf(verdict),
    )
    expect(notice).not.toBe(warning)
    for (const nudge of [notice, warning]) expect(nudge).not.toMatch(/refuse|reject|stop|not run/i)
    expect(block).toMatch(/^This call was not run\. /)
    expect(stop).toMatch(/^The run was stopped\. /)
  })

  it('do not quote what an earlier failure of something else said', () => {
    const run = [
      sh('make docs', 'Error: pandoc is missing', false),
      ...steps(4, () => read('a.md', 'text')),
    ]
    for (const { verdict } of live(run)) expect(messageOf(verdict)).not.toContain('pandoc')
  })
})
