/**
 * What the default preset takes for a loop, sentence by sentence: variants, errors, cycles,
 * polling and paging, rounds.
 */

import type { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  expectFound,
  expectLadder,
  expectSilence,
  live,
  type Step,
  sh,
  step,
  steps,
  told,
} from '../support/agent.js'
import { detector } from '../support/made.js'
import { messageOf } from '../support/verdicts.js'

const read = (path: string, output: string) => step('read_file', { path }, output)

describe('variants', () => {
  const wrong =
    'ERROR: Could not find a version that satisfies the requirement torchx\nERROR: No matching distribution found for torchx'
  const commands = [
    'pip install torchx',
    'pip3 install torchx --user',
    'python -m pip install torchx',
    'pip install --user torchx',
    'python3 -m pip install torchx --user',
    'sudo pip install torchx',
    'pip install torchx --no-cache-dir',
    'pip3 install -U torchx',
  ]

  it('the same intent in other words, with no new outcome, is one loop', () => {
    const run = commands.map((command) => sh(command, wrong, false))
    expectFound(run, 7)
    expectLadder([...run, ...run], 'block')
  })

  it('the three of them, again and again', () => {
    expectFound(
      steps(12, (i) => sh(commands[i % 3] as string, wrong, false)),
      7,
    )
  })

  // Expected: one loop, whatever it is called by. Here cycle and same-error speak one after the other.
  it('the three of them are one loop, not two', () => {
    const said = live(steps(12, (i) => sh(commands[i % 3] as string, wrong, false)))
    expect(new Set(said.map(({ verdict }) => verdict.kind)).size).toBe(1)
  })

  it.each([
    [
      'flags in another order',
      (i: number) => `ls ${['-l -a -h', '-a -l -h', '-h -a -l'][i % 3]} build/output`,
    ],
    [
      'quotes',
      (i: number) =>
        [`cat "build log.txt"`, `cat 'build log.txt'`, 'cat build\\ log.txt'][i % 3] as string,
    ],
    ['growing ranges', (i: number) => `sed -n '1,${100 + i * 50}p' src/generated/schema.graphql`],
  ])('%s', (_, command) => {
    expectFound(
      steps(12, (i) => sh(command(i), 'No such file or directory', false)),
      8,
    )
  })

  it('other targets with other results are work', () => {
    expectSilence(
      steps(20, (i) => sh(`node tools/size.mjs packages/p${i}`, `packages/p${i}: ${i * 37} kB`)),
    )
  })
})

describe('the same error, whatever the arguments', () => {
  const names = [
    'users',
    'orders',
    'carts',
    'items',
    'prices',
    'stock',
    'mails',
    'logs',
    'jobs',
    'tags',
    'files',
    'links',
  ]

  it('is a loop', () => {
    const run = names.map((name) =>
      step(
        'query',
        { sql: `select * from ${name} where ${name}_id > 10` },
        `Error: Unknown column '${name}_id' in 'where clause'`,
        false,
      ),
    )
    expectFound(run, 7, ['same-error', 'variant'])
  })

  it('different errors are not', () => {
    const errors = [
      'Unknown column',
      'Syntax error near',
      'Table is locked:',
      'Permission denied on',
      'Division by zero in',
      'Type mismatch:',
    ]
    expectSilence(
      names.map((name, i) =>
        step('query', { sql: `select ${name}` }, `Error: ${errors[i % 6]} ${name} at ${i}`, false),
      ),
    )
  })

  it.each([
    'HTTP 429: Too Many Requests',
    'Error: request failed with status code 503',
    'error: operation timed out',
    'connect ECONNREFUSED 10.0.0.7:443',
    '502 Bad Gateway',
  ])('%s is the fault of a service, over many targets', (output) => {
    expectSilence(
      names.map((name) => step('http_get', { url: `https://api.example/${name}` }, output, false)),
    )
  })

  const busy = steps(20, () =>
    step('http_get', { url: 'https://api.example/users' }, 'HTTP 503: Service Unavailable', false),
  )

  it('asking a busy service for the same again is met with patience', () => {
    const found = expectFound(busy, 8, 'no-progress')
    expect(found.call).toBeGreaterThan(4)
  })

  // Expected: also when it is found before the call runs, what is known of the service is known.
  it('and with other advice', () => {
    expect(messageOf(expectFound(busy, 8).verdict)).toMatch(/busy|wait/)
  })
})

describe('cycles', () => {
  const around = (period: number) =>
    steps(period, (i) => read(`src/m${i}.ts`, `export const m${i} = ${i * 31}`))
  const PERIODS = Array.from({ length: 19 }, (_, i) => i + 2)

  it.each(PERIODS)('of %i calls are found when the third pass begins, or before', (period) => {
    const pass = around(period)
    const found = expectFound([...pass, ...pass, ...pass], 2 * period + 1, 'cycle')
    expect(found.verdict.period).toBe(period)
    expect(found.call, 'not before anything was repeated').toBeGreaterThan(period)
    expect(found.verdict.pattern.length).toBe(period)
  })

  it.each(PERIODS)('of %i calls, to the end of the ladder', (period) => {
    expectLadder(steps(12, () => around(period)))
  })

  it.each([31, 47, 60])('of %i calls are found after two passes, and told of rarely', (period) => {
    const pass = around(period)
    const said = live(steps(6, () => pass))
    expect(said[0]?.call, told(said).join('; ')).toBeLessThanOrEqual(2 * period + 1)
    expect(said[0]?.verdict).toMatchObject({ kind: 'cycle', period })
    const nudges = said.filter(({ verdict }) => verdict.action === 'nudge')
    expect(nudges.length, told(said).join('; ')).toBeLessThanOrEqual(6)
  })

  const odd = (period: number) =>
    steps(6, (i) => [...around(period), read(`notes/n${i}.md`, `note ${i}`)])

  it.each([2, 3, 5, 8, 13, 19])('of %i calls, with the odd call between passes', (period) => {
    expectFound(odd(period), 5 * (period + 1), 'cycle')
  })

  // Expected: the odd call does not count for the length of the cycle, which is half the window.
  it('of 20 calls, with the odd call between passes', () => {
    expectFound(odd(20), 5 * 21, 'cycle')
  })

  const rotated = (period: number, between: readonly Step[]) => {
    const pass = around(period)
    const turned = [...pass.slice(1), ...pass.slice(0, 1)]
    return live([...steps(3, () => pass), ...between, ...steps(6, () => turned)])
  }
  it.each([2, 3, 4, 7])('of %i calls, whatever their rotation: it is the same loop', (period) => {
    for (const between of [[], [read('notes/odd.md', 'odd')]]) {
      const said = rotated(period, between)
      const cycles = said.filter(({ verdict }) => verdict.kind === 'cycle')
      const notices = cycles.filter(({ verdict }) => verdict.level === 'notice')
      expect(notices.length, told(said).join('; ')).toBe(1)
      expect(said.at(-1)?.verdict.action).toBe('stop')
    }
  })

  // Expected: the refused call is not there, so its neighbours stand in a row. That is no other loop.
  it.each([2, 3])('of %i calls: after a refusal nothing milder is said', (period) => {
    const actions = live(steps(9, () => around(period))).map(({ verdict }) => verdict.action)
    expect(actions.slice(actions.indexOf('block'))).not.toContain('nudge')
  })

  it('whose results change are work', () => {
    expectSilence(
      steps(20, (i) => [
        read('src/a.ts', `version ${i}`),
        sh('npm run lint', `${40 - i} problems`, false),
      ]),
    )
  })
})

describe('polling and paging', () => {
  it('a poll whose output changes is progress', () => {
    expectSilence(steps(50, (i) => step('job_status', { id: 7 }, `step ${i} of 50`)))
  })

  it('one that never changes is not, given patience', () => {
    const found = expectFound(
      steps(50, () => step('job_status', { id: 7 }, '3 of 7 parts')),
      36,
      'no-progress',
    )
    expect(found.call).toBeGreaterThanOrEqual(36)
  })

  it('a command that sleeps is a poll', () => {
    const found = expectFound(
      steps(80, () => sh('sleep 10 && cat state.txt', '3 of 7 parts')),
      60,
      'no-progress',
    )
    expect(found.call).toBeGreaterThanOrEqual(36)
  })

  it('one whose result says that it goes on is given still more', () => {
    const found = expectFound(
      steps(80, () => step('job_status', { id: 7 }, 'queued')),
      60,
      'no-progress',
    )
    expect(found.call).toBeGreaterThanOrEqual(60)
  })

  it('one that fails is given less', () => {
    expectFound(
      steps(20, () => sh('sleep 10 && cat state.txt', 'cat: state.txt: No such file', false)),
      16,
      'no-progress',
    )
  })

  it('and none is refused', () => {
    for (const output of ['queued', '3 of 7 parts']) {
      expectLadder(
        steps(150, () => step('job_status', { id: 7 }, output)),
        'nudge',
      )
    }
  })

  /** The same call every so many seconds, as its events tell. */
  function spaced(seconds: number, count: number, ok = true): string[] {
    const host = detector()
    return Array.from({ length: count }, (_, i) => {
      const at = 1_790_000_000_000 + i * seconds * 1000
      const id = `${i}`
      const call = { name: 'bash', args: { command: 'npm run export' }, id, at }
      const output = ok ? '12 of 40 sheets' : 'sheet 12 is broken'
      return [
        host.recordBatch([call]).action,
        host.recordResult({ id, ok, output, at: at + 400 }).action,
      ]
    })
      .flat()
      .filter((action) => action !== 'continue')
  }

  it('a call that is repeated far apart in time is a poll', () => {
    expect(spaced(1, 19)).toContain('block')
    expect(spaced(300, 19)).toEqual([])
    expect(new Set(spaced(300, 100))).toEqual(new Set(['nudge']))
  })

  it('one that fails each time is told of, and never refused', () => {
    expect(spaced(300, 16, false)).toEqual(['nudge'])
    expect(new Set(spaced(300, 100, false))).toEqual(new Set(['nudge']))
  })

  const page = (i: number) =>
    step('read_file', { path: 'big.log', offset: i * 100, limit: 100 }, `lines of page ${i}`)

  it('reading on through a file is progress', () => {
    expectSilence(steps(60, page))
  })

  it('re-reading it is not', () => {
    expectFound([...steps(12, page), ...steps(12, page)], 20, 'cycle')
    expectFound(
      steps(5, () => page(0)),
      3,
      'no-progress',
    )
  })
})

describe('one round, one count', () => {
  const same = { name: 'search', args: { query: 'TODO' } }

  function round(host: LoopDetector, calls: number, turn: number, output = '3 matches'): string[] {
    const batch = Array.from({ length: calls }, (_, i) => ({ ...same, id: `${turn}-${i}` }))
    const actions: string[] = [host.recordBatch(batch).action]
    for (const { id } of batch) actions.push(host.recordResult({ id, ok: true, output }).action)
    return actions.filter((action) => action !== 'continue')
  }

  it('parallel identical calls count once', () => {
    const host = detector()
    expect(round(host, 8, 0)).toEqual([])
    expect(round(host, 8, 1)).toEqual([])
    expect(round(host, 8, 2)[0]).toBe('nudge')
  })

  // Expected: the loop stays on its rung until the next round; the calls of one are no time to react.
  it('and are told of once', () => {
    const host = detector()
    round(host, 8, 0)
    round(host, 8, 1)
    expect(round(host, 8, 2)).toEqual(['nudge'])
  })

  it.each([9, 200])('%i equal calls in one round are a runaway', (calls) => {
    expect(round(detector(), calls, 0)).toEqual(['nudge'])
  })

  it('a runaway that goes on is refused, and not stopped', () => {
    const host = detector()
    const actions = Array.from({ length: 30 }, (_, turn) =>
      round(host, 9, turn, `a match in part ${'i'.repeat(turn)}`),
    ).flat()
    expect(actions[0]).toBe('nudge')
    expect(actions).toContain('block')
    expect(actions).not.toContain('stop')
  })

  /** A round of calls that are recorded one by one, before the first result comes. */
  function oneByOne(host: LoopDetector, calls: number, turn: number): string[] {
    const ids = Array.from({ length: calls }, (_, i) => `${turn}-${i}`)
    return [
      ...ids.map((id) => host.record(same.name, same.args, id).action),
      ...ids.map((id) => host.recordResult({ id, ok: true, output: '3 matches' }).action),
    ].filter((action) => action !== 'continue')
  }

  it('a call that is recorded while the one before it is unanswered is of the same round', () => {
    const host = detector()
    live([read('a.ts', 'const a = 1')], host)
    expect(oneByOne(host, 8, 0)).toEqual([])
    expect(oneByOne(host, 8, 1)).toEqual([])
    expect(oneByOne(host, 8, 2)).toEqual(['nudge'])
  })

  it('more than eight of them are a runaway, too', () => {
    const host = detector()
    live([read('a.ts', 'const a = 1')], host)
    expect(oneByOne(host, 9, 0)).toEqual(['nudge'])
  })

  it('a host that reports no results has no such rounds', () => {
    const host = detector()
    const actions = Array.from({ length: 8 }, () => host.record(same.name, same.args).action)
    expect(actions).toContain('nudge')
  })

  it('parallel calls that differ are not a cycle of one round', () => {
    const host = detector()
    const batch = Array.from({ length: 12 }, (_, i) => ({
      name: 'read_file',
      args: { path: `f${i}` },
      id: `p${i}`,
    }))
    expect(host.recordBatch(batch).action).toBe('continue')
    for (const { id } of batch)
      expect(host.recordResult({ id, ok: true, output: `content ${id}` }).action).toBe('continue')
  })
})
