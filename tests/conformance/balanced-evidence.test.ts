/**
 * What the default preset takes for evidence, sentence by sentence: outputs, acknowledgements,
 * noise, experiments.
 */

import { describe, expect, it } from 'vitest'
import { edit, expectFound, expectSilence, live, sh, step, steps } from '../support/agent.js'
import { detector } from '../support/made.js'

const failing = sh('npm test', 'FAIL src/a.test.ts\n  3 failed, 17 passed', false)

describe('output is part of identity', () => {
  it('the same call with changing output is progress', () => {
    expectSilence(steps(50, (i) => sh('node step.mjs', `state ${i}: continue`)))
  })

  it('the same call with the same output is none', () => {
    const found = expectFound(
      steps(4, () => sh('node step.mjs', 'state: blocked')),
      4,
      'no-progress',
    )
    expect(found.when).toBe('before')
  })

  it('outputs that take turns are work: a debugger, a board', () => {
    expectSilence(steps(30, (i) => sh('node step.mjs', `state ${['ready', 'busy'][i % 2]}`)))
  })

  it('failures that take turns are a loop', () => {
    expectFound(
      steps(30, (i) => sh('node step.mjs', `${['wheel', 'table'][i % 2]} is broken`, false)),
      5,
    )
  })

  it('an output that is not known is no evidence', () => {
    const host = detector()
    host.record('bash', { command: 'ls' })
    host.recordResult({ ok: true, output: 'a.txt' })
    for (let i = 0; i < 4; i++) {
      expect(host.record('render', { frame: 1 }).action).toBe('continue')
      expect(host.recordResult({ name: 'render', ok: true }).action).toBe('continue')
    }
  })
})

describe('acknowledgements are not evidence', () => {
  it.each([
    'ok',
    'OK.',
    'Done',
    '',
    'success',
    '{"ok":true}',
    null,
    'The file has been updated successfully.',
  ])('twenty different edits that return %j', (output) => {
    expectSilence(
      steps(20, (i) =>
        step('edit_file', { path: 'a.ts', old_string: `v${i}`, new_string: `w${i}` }, output),
      ),
    )
  })

  it('twenty calls of an unknown tool that return "ok"', () => {
    expectSilence(steps(20, (i) => step('set_cell', { row: i, column: 3, value: i * i }, 'ok')))
  })
})

describe('volatile tokens are noise', () => {
  const uuid = (i: number) => `550e8400-e29b-41d4-a716-44665544000${i}`
  const volatile: readonly (readonly [string, (i: number) => string])[] = [
    ['a time', (i) => `[12:3${i}:07] no such table: users`],
    ['a date and a time', (i) => `2026-01-0${i + 1}T03:04:05.678Z no such table: users`],
    ['a duration', (i) => `1 failed in 0.${i}3s`],
    ['a longer duration', (i) => `1 failed after ${i + 2}m1${i}s`],
    ['a process id', (i) => `worker pid ${4711 + i * 13} exited with 1`],
    ['a port', (i) => `listen EADDRINUSE: address already in use :::${40_000 + i * 7}`],
    ['a uuid', (i) => `request ${uuid(i)} failed: no such table`],
    ['a hash', (i) => `HEAD is now at ab1${i}cd9 no such table`],
    ['an address', (i) => `<Pool object at 0x7f3a5e${i}0> is closed`],
    ['a temporary path', (i) => `cannot write /tmp/tmpa1b${i}c3d4/out.txt`],
    ['a progress bar', (i) => `fetch 4${i}% [=====>    ] ETA 00:1${i}\nfailed to fetch the index`],
    ['an epoch', (i) => `cached at 176328000${i}123, no such table`],
  ]

  it.each(volatile)('%s in the output', (_, output) => {
    expectFound(
      steps(7, (i) => sh('node run.mjs', output(i), false)),
      6,
      'no-progress',
    )
  })

  it.each([
    ['a request id', (i: number) => ({ query: 'users', request_id: `r-${i}` })],
    ['a timestamp', (i: number) => ({ query: 'users', timestamp: 1_763_280_000_000 + i * 999 })],
    ['a uuid in a header', (i: number) => ({ url: '/users', header: `X-Request-Id: ${uuid(i)}` })],
    ['a temporary path', (i: number) => ({ query: 'users', out: `/tmp/tmpa1b${i}c3d4/out.txt` })],
  ])('%s in the arguments', (_, args) => {
    expectFound(
      steps(5, (i) => step('lookup', args(i), 'nothing there')),
      3,
      'no-progress',
    )
  })

  it('numbers that say something stay', () => {
    expectSilence(steps(20, (i) => sh('npm test', `${20 - i} failed, ${80 + i} passed`, false)))
    expectSilence(
      steps(20, (i) => step('fetch_page', { page: i }, `rows ${i * 10} to ${i * 10 + 9}`)),
    )
  })
})

describe('the same call failing several times in a row is a loop, whatever it prints', () => {
  const words = ['wheel', 'table', 'river', 'stone', 'cloud', 'lemon', 'piano', 'tiger', 'onion']
  const said: readonly (readonly [string, (i: number) => string])[] = [
    ['other words', (i) => `${words[i % 9]} ${words[(i * 4 + 1) % 9]}${'!'.repeat(i)} is broken`],
    ['a number that rises', (i) => `request r-${50_000 + i * 3} failed: no such table`],
    ['a number that falls', (i) => `request r-${50_000 - i * 3} failed: no such table`],
    ['a process id that falls', (i) => `gateway pid ${50_000 - i}: bind failed`],
  ]

  it.each(said)('%s', (_, output) => {
    const run = steps(20, (i) => sh('node run.mjs', output(i), false))
    expectFound(run, 5, 'no-progress')
    expect(live(run).map(({ verdict }) => verdict.action)).toContain('block')
  })

  it('four are not yet', () => {
    expectSilence(steps(4, (i) => sh('node run.mjs', `${words[i]} is broken`, false)))
  })
})

describe('after contextCompacted()', () => {
  const file = (i: number) => step('read_file', { path: `src/m${i}.ts` }, `const m = ${i * 31}`)

  it('one re-read of everything is free', () => {
    const host = detector()
    expectSilence(steps(10, file), host)
    host.contextCompacted()
    expectSilence(steps(10, file), host)
  })

  it('a second one is not', () => {
    const host = detector()
    expectSilence(steps(10, file), host)
    host.contextCompacted()
    expectSilence(steps(10, file), host)
    expectFound(steps(10, file), 10, 'cycle', host)
  })

  it('without it, a re-read is a cycle', () => {
    const host = detector()
    expectSilence(steps(10, file), host)
    expectFound(steps(10, file), 10, 'cycle', host)
  })

  it('failures are not forgotten, and escalation stays', () => {
    const host = detector()
    live(
      steps(7, () => failing),
      host,
    )
    host.contextCompacted()
    expect(host.record('bash', { command: 'npm test' }).action).toBe('block')
  })
})

describe('an edit makes the next test run a new experiment', () => {
  const cases = ['reads', 'writes', 'sorts', 'merges', 'drops', 'renames']
  const units = ['a row', 'a table', 'an index', 'a view', 'a key']

  it('edit, test, edit, test is work while edits and outputs change', () => {
    expectSilence(
      steps(30, (i) => [
        edit('src/a.ts', `case ${i}`, `case ${i + 1}`),
        sh('npm test', `FAIL ${cases[i % 6]} ${units[i % 5]}\n  1 failed, ${i} passed`, false),
      ]),
    )
  })

  it('the same check with the same failure after edit after edit is not', () => {
    const run = steps(12, (i) => [edit('src/a.ts', `try ${i}`, `try ${i + 1}`), failing])
    const found = expectFound(run, 10, 'no-progress')
    expect(found.verdict.count).toBe(5)
  })

  const there = edit('src/a.ts', 'ttl: 60', 'ttl: 0')
  const back = edit('src/a.ts', 'ttl: 0', 'ttl: 60')

  it('edits that undo one another are not', () => {
    expectFound(
      steps(6, () => [there, back]),
      6,
      'oscillation',
    )
  })

  it('nor are whole files that are written back and forth', () => {
    const write = (content: string) => step('write_file', { path: 'src/a.ts', content }, 'ok')
    expectFound(
      steps(6, () => [write('one\n'), write('two\n')]),
      8,
      ['oscillation', 'no-progress'],
    )
  })

  it('that is told by file: the opposite edit elsewhere undoes nothing', () => {
    expectSilence(
      steps(10, (i) =>
        i % 2 === 0 ? edit(`src/f${i}.ts`, 'a', 'b') : edit(`src/f${i}.ts`, 'b', 'a'),
      ),
    )
  })

  it('and by content: deletions and progressive edits undo nothing', () => {
    expectSilence(steps(10, (i) => edit('src/a.ts', `const x${i} = 1\n`, '')))
    expectSilence(steps(10, (i) => edit('src/a.ts', `v${i}`, `v${i + 1}`)))
  })

  it('an edit that failed was not made', () => {
    const failed = { ...there, ok: false, output: 'old_string not found' }
    expect(live(steps(2, () => [failed, back])).map(({ verdict }) => verdict.kind)).not.toContain(
      'oscillation',
    )
  })
})
