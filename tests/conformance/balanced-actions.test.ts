/**
 * What the default preset may do about a loop, by the kind of evidence, and how options change it.
 */

import type { Action } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  edit,
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
import { detector, untyped } from '../support/made.js'

type Alarm = Exclude<Action, 'continue'>

const read = (path: string, output: string) => step('read_file', { path }, output)
const failing = sh('npm test', '3 failed', false)
const sameEdit = edit('src/index.ts', 'a()', 'a()\nb()')
const passing = sh('npm test', 'all 17 tests passed')
const poll = step('job_status', { id: 7 }, '3 of 7 parts')

/** The same words in another order for each number up to 720. */
function reordered(number: number): string {
  const words = ['scroll', 'offset', 'viewport', 'anchor', 'session', 'layer']
  const order: string[] = []
  for (let left = number; words.length > 0; left = Math.floor(left / (words.length + 1)))
    order.push(...words.splice(left % words.length, 1))
  return order.join('|')
}

describe('what each kind of evidence allows', () => {
  const loops: readonly (readonly [string, Alarm, readonly Step[]])[] = [
    ['the same call failing the same way', 'stop', steps(15, () => failing)],
    ['the same read with the same result', 'stop', steps(15, () => read('a.ts', 'const a = 1'))],
    [
      'the same search with the same result',
      'stop',
      steps(15, () => step('grep', { pattern: 'TODO', path: 'src' }, 'src/a.ts:1: TODO')),
    ],
    [
      'a cycle of reads',
      'stop',
      steps(12, () => [read('a.ts', 'const a = 1'), read('b.ts', 'const b = 2')]),
    ],
    [
      'edits that undo one another',
      'stop',
      steps(12, () => [edit('a.ts', 'ttl: 60', 'ttl: 0'), edit('a.ts', 'ttl: 0', 'ttl: 60')]),
    ],
    ['the same edit again and again', 'block', steps(40, () => sameEdit)],
    [
      'failing edits of one file',
      'block',
      steps(40, (i) => ({
        ...edit('src/app.ts', `draw(${i})`, `paint(${i})`),
        output: 'old_string was not found in src/app.ts',
        ok: false,
      })),
    ],
    [
      'near duplicates with nothing new',
      'block',
      steps(40, (i) =>
        step('grep', { pattern: reordered(i * 37), path: 'src' }, 'src/ui.rs:31: let scroll = 0;'),
      ),
    ],
    [
      'a benchmark whose times differ',
      'nudge',
      steps(60, (i) => sh('cargo bench --quick', `ok: 12 benches in 0.${10 + i}s`)),
    ],
    ['an execution that prints the same to the byte', 'block', steps(40, () => passing)],
    [
      'different edits with the same failing check',
      'nudge',
      steps(40, (i) => [edit('src/a.ts', `try ${i}`, `try ${i + 1}`), failing]),
    ],
    ['a poll', 'nudge', steps(100, () => poll)],
    [
      'a service that is busy',
      'nudge',
      steps(60, () => step('http_get', { url: '/users' }, 'HTTP 503: Service Unavailable', false)),
    ],
    [
      'acknowledgements',
      'nudge',
      steps(170, () => step('move', { direction: 'right' }, 'Moved right.')),
    ],
  ]

  it.each(loops)('%s: at most a %s', (_, atMost, run) => {
    expectLadder(run, atMost)
  })

  it('a sweep over many targets that finds nothing is met with patience', () => {
    const look = (i: number) =>
      step('grep', { pattern: 'oldName', path: `src/m${i}.ts` }, 'No matches found')
    expectSilence(steps(39, look))
    expect(live(steps(200, look)).filter(({ verdict }) => verdict.action !== 'nudge')).toEqual([])
  })

  it('an execution is refused from a dozen identical results on, and not before', () => {
    const [first] = live(steps(20, () => passing)).filter(
      ({ verdict }) => verdict.action === 'block',
    )
    expect(first?.call).toBe(12)
  })

  it('an execution with something new in between is not refused', () => {
    const said = live(steps(40, (i) => [passing, read(`src/m${i}.ts`, `export const m = ${i}`)]))
    expect(
      said.filter(({ verdict }) => verdict.action !== 'nudge'),
      told(said).join('; '),
    ).toEqual([])
  })
})

describe('results that the host made are no evidence', () => {
  it.each([
    '<tool_use_error>Cancelled: parallel tool call errored</tool_use_error>',
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'Permission to use edit_file has been denied.',
  ])('%s', (output) => {
    expectSilence(
      steps(40, (i) => ({ ...edit(`src/m${i}.ts`, `a${i}`, `b${i}`), output, ok: false })),
    )
  })

  it('they do not count for the call they stand in for', () => {
    const host = detector()
    const args = { command: 'npm run deploy' }
    for (let i = 0; i < 5; i++) {
      expect(host.record('bash', args, `${i}`).action).toBe('continue')
      const output = "The user doesn't want to proceed with this tool use."
      expect(host.recordResult({ id: `${i}`, ok: false, output }).action).toBe('continue')
    }
  })
})

describe('a stop', () => {
  it('comes after a nudge and a refusal of the same loop', () => {
    const actions = live(steps(15, () => failing)).map(({ verdict }) => verdict.action)
    expect(actions.at(-1)).toBe('stop')
    expect(actions.indexOf('nudge')).toBe(0)
    expect(actions).toContain('block')
  })

  it('also where the rungs are as steep as can be', () => {
    const rungs = [
      { at: 1, action: 'nudge', level: 'notice' },
      { at: 2, action: 'block', level: 'warning' },
      { at: 3, action: 'stop', level: 'critical' },
    ] as const
    const host = detector({ detectors: { 'no-progress': { rungs } } })
    const said = live(
      steps(10, () => failing),
      host,
    )
    expect(said.map(({ verdict }) => verdict.action)).toEqual(['nudge', 'block', 'stop'])
  })

  it('is not for a result: what has run cannot be refused', () => {
    for (const { when, verdict } of live(steps(40, () => sameEdit))) {
      if (when === 'after') expect(verdict.action).toBe('nudge')
    }
  })
})

describe('atMost', () => {
  const cases: readonly (readonly [string, Alarm, readonly Step[], object])[] = [
    [
      'lowers what a kind of evidence allows',
      'nudge',
      steps(60, () => failing),
      { atMost: { proven: 'nudge' } },
    ],
    ['lowers it to refusals', 'block', steps(60, () => failing), { atMost: { proven: 'block' } }],
    [
      'raises it: an unattended host stops what repeats itself',
      'stop',
      steps(60, () => sameEdit),
      { atMost: { duplicate: 'stop' } },
    ],
    [
      'raises it for executions',
      'stop',
      steps(60, () => passing),
      { atMost: { execution: 'stop', 'identical-execution': 'stop' } },
    ],
    ['raises it for polls', 'stop', steps(60, () => poll), { atMost: { waiting: 'stop' } }],
    [
      'lowers what a pattern allows',
      'block',
      steps(60, () => failing),
      { detectors: { 'no-progress': { atMost: 'block' } } },
    ],
    [
      'raises what a pattern allows',
      'stop',
      steps(60, () => sameEdit),
      { detectors: { 'no-progress': { atMost: 'stop' } } },
    ],
    [
      'lowers what a tool allows',
      'nudge',
      steps(60, () => failing),
      { tools: { bash: { atMost: 'nudge' } } },
    ],
    [
      'raises what a tool allows',
      'stop',
      steps(60, () => sameEdit),
      { tools: { edit_file: { atMost: 'stop' } } },
    ],
    [
      'of a tool comes before that of a pattern',
      'stop',
      steps(60, () => failing),
      {
        detectors: { 'no-progress': { atMost: 'nudge' } },
        tools: { bash: { atMost: 'stop' } },
      },
    ],
  ]

  it.each(cases)('%s', (_, atMost, run, options) => {
    expectLadder(run, atMost, detector(untyped(options)))
  })

  it('of one tool leaves the others alone', () => {
    const options = { tools: { edit_file: { atMost: 'nudge' } } }
    expectLadder(
      steps(15, () => failing),
      'stop',
      detector(untyped(options)),
    )
  })

  it('refuses names and actions that it does not know', () => {
    const make = (atMost: object) => () => detector(untyped({ atMost }))
    expect(make({ certain: 'stop' })).toThrow(/options\.atMost\.certain is not a kind of evidence/)
    expect(make({ proven: 'loud' })).toThrow(/options\.atMost\.proven must be one of/)
  })
})

describe('the budget of a loop', () => {
  it('200 repeats with three new reads after each nudge: few nudges, then refusals', () => {
    const host = detector()
    const actions: Action[] = []
    let reads = 0
    for (let i = 0; i < 200; i++) {
      const said = live([failing], host).map(({ verdict }) => verdict.action)
      actions.push(...said)
      if (!said.includes('nudge')) continue
      for (let k = 0; k < 3; k++) {
        reads += 1
        expectSilence([read(`src/new${reads}.ts`, `export const it = ${reads * 31}`)], host)
      }
    }
    expect(actions.filter((action) => action === 'nudge').length).toBeLessThanOrEqual(8)
    expect(actions).toContain('block')
  })

  it('sub-agents that take turns in one detector get few nudges', () => {
    const stuck = ['a', 'b', 'c'].map((name) =>
      sh(`npm test -w ${name}`, `${name}: 1 failed`, false),
    )
    const nudges = (run: readonly Step[]) =>
      live(run).filter(({ verdict }) => verdict.action === 'nudge').length
    expect(nudges(steps(20, () => stuck))).toBeLessThanOrEqual(6)
    const [one, , other] = stuck as [Step, Step, Step]
    const mixed = steps(20, (i) => [one, read(`b${i}.ts`, `const b = ${i}`), other])
    expect(nudges(mixed)).toBeLessThanOrEqual(6)
  })

  it('nudges of what is never refused come further and further apart', () => {
    const calls = live(steps(200, () => poll)).map(({ call }) => call)
    const gaps = calls.slice(1).map((call, i) => call - (calls[i] as number))
    expect(gaps.length).toBeGreaterThan(1)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    expect(new Set(gaps).size).toBe(gaps.length)
  })

  it('a loop is over after a dozen new things', () => {
    const host = detector()
    live(
      steps(5, () => failing),
      host,
    )
    expectSilence(
      steps(12, (i) => read(`src/m${i}.ts`, `export const m = ${i * 31}`)),
      host,
    )
    const again = expectFound(
      steps(5, () => failing),
      5,
      'no-progress',
      host,
    )
    expect(again.verdict.level).toBe('notice')
  })

  it('and not after the odd new call', () => {
    const host = detector()
    live(
      steps(7, () => failing),
      host,
    )
    expectSilence([read('src/odd.ts', 'export const odd = 1')], host)
    const [first] = live(
      steps(4, () => failing),
      host,
    )
    expect(first?.verdict.action).toBe('block')
  })
})
