/** What the playground works with, apart from the page: samples, redaction, labels, code, simulation. */

import { readFileSync } from 'node:fs'
import { scan } from 'loophound'
import { describe, expect, it } from 'vitest'
import { LEAVE_OUT_CACHE } from '../../js/report/figures.js'
import { savedWords } from '../../js/report/saved.js'
import { codeFor } from '../../playground/code.js'
import { verdictOn } from '../../playground/compare-pane.js'
import { alarmOf, Judge } from '../../playground/judge.js'
import { labelLines, type Mark, nameOf } from '../../playground/labels.js'
import { redact } from '../../playground/redact.js'
import { CHANT, SAMPLES } from '../../playground/samples.js'
import { type Move, simulate } from '../../playground/simulation.js'
import { streamText, watchesText } from '../../playground/text-stream.js'
import { inRoot } from '../docs/pages.js'

const sample = (title: string) => {
  const found = SAMPLES.find((one) => one.title === title)
  if (!found) throw new Error(`There is no sample "${title}".`)
  return found
}
const stuck = sample('A test that never passes')

describe('the samples', () => {
  it.each([
    ['A test that never passes', ['no-progress', 'cycle', 'no-progress'], 'claude-code'],
    ['Edits that undo each other', ['oscillation'], 'openai-chat'],
    ['Waiting for a deployment', [], 'events'],
    ['A healthy session', [], 'claude-code'],
  ])('%s: %j', (title, kinds, format) => {
    const report = scan(sample(title).text)
    expect(report.loops.map(({ kind }) => kind)).toEqual(kinds)
    expect(report.format).toBe(format)
    expect(report.skipped).toEqual([])
  })

  it('say what could have been saved', () => {
    const { waste } = scan(stuck.text)
    expect(savedWords({ waste })).toEqual(['42 calls', 'about 30k tokens', 'about $0.55'])
    expect(savedWords(scan(sample('A healthy session').text))).toEqual([])
  })

  it('are of a format whose tokens leave out the cache, as its price says', () => {
    const prices = readFileSync(inRoot('js/transcripts/prices.ts'), 'utf8')
    const [, list = ''] = /WITHOUT_CACHE[^=]*= \[([^\]]*)\]/.exec(prices) ?? []
    expect(LEAVE_OUT_CACHE).toEqual([...list.matchAll(/'([^']+)'/g)].map(([, name]) => name))
    expect(LEAVE_OUT_CACHE).toContain(scan(stuck.text).format)
  })
})

describe('the comparison', () => {
  const [loop] = scan(stuck.text).loops
  if (!loop) throw new Error('There is no loop.')
  const [both, twiceInB, onlyA, onlyB] = [
    { found: [[loop], [loop]] },
    { found: [[loop], [loop, loop]] },
    { found: [[loop], []] },
    { found: [[], [loop]] },
  ] as const satisfies readonly { found: unknown }[]

  it.each([
    [[], 'Neither finds a loop'],
    [[both, twiceInB], 'A and B find the same loops'],
    [[both, onlyA, onlyA], 'A finds 2 more loops'],
    [[onlyB, twiceInB], 'B finds 1 more loop'],
    [[onlyA, onlyA, onlyB], 'A finds 2 loops that B misses, and misses 1 that B finds'],
  ])('counts places, not reports: %#', (groups, expected) => {
    expect(verdictOn(groups as unknown as Parameters<typeof verdictOn>[0])).toBe(expected)
  })
})

describe('the judge', () => {
  const question = { options: {}, format: 'auto', chosen: null, loophound: '0' } as const

  it('explains why it spoke, and how close the other patterns were', () => {
    const judge = new Judge()
    judge.load([stuck])
    const [loop] = judge.report(question).sessions[0]?.loops ?? []
    if (!loop) throw new Error('There is no loop.')
    const place = { file: stuck.name, agent: loop.agent, call: loop.call }
    const explained = judge.explain(place, question)
    expect(explained?.atCall.verdict.action).toBe(loop.verdict.action)
    expect(explained?.atCall.call?.index).toBe(loop.call)
    expect(explained?.atCall.patterns.length).toBeGreaterThan(3)
    expect(judge.explain({ ...place, call: 10_000 }, question)).toBeNull()
  })

  it.each(SAMPLES.map((one) => [one.title, one] as const))(
    'says the same of each call as the timeline: %s',
    (_, source) => {
      const judge = new Judge()
      judge.load([source])
      const calls = judge.report(question).sessions[0]?.timeline ?? []
      const explained = calls.map(({ agent }, index) => {
        const call = calls.slice(0, index).filter((other) => other.agent === agent).length
        const found = judge.explain({ file: source.name, agent, call }, question)
        return found && alarmOf(found).verdict.action
      })
      expect(explained).toEqual(calls.map(({ action }) => action ?? 'continue'))
    },
  )

  it('says so when it explains another call of the same turn', () => {
    const calls = ['a', 'b'].map((path) => ({ t: 'call', name: 'read', args: { path } }))
    const judge = new Judge()
    judge.load([{ name: 'turn', text: calls.map((call) => JSON.stringify(call)).join('\n') }])
    const isOfLast = [0, 1].map((call) => {
      return judge.explain({ file: 'turn', agent: '', call }, question)?.isOfLast
    })
    expect(isOfLast).toEqual([true, false])
  })

  it('lists the calls of one session among several, and what cannot be read', () => {
    const judge = new Judge()
    judge.load([...SAMPLES, { name: 'notes', text: 'no transcript' }])
    const { sessions, failures } = judge.report(question)
    expect(sessions.map(({ timeline }) => timeline !== null)).toEqual([true, false, false, false])
    expect(failures.map(({ file }) => file)).toEqual(['notes'])
    const chosen = judge.report({ ...question, chosen: 'healthy.jsonl' }).sessions
    expect(chosen.find(({ timeline }) => timeline)?.file).toBe('healthy.jsonl')
  })

  it('refuses options that a detector refuses', () => {
    expect(() => new Judge().report({ ...question, options: { threshold: 0 } })).toThrow(RangeError)
  })
})

describe('redaction', () => {
  const loopsOf = (text: string) =>
    scan(text).loops.map(({ kind, from, to, action }) => ({ kind, from, to, action }))

  it.each(SAMPLES.map(({ title, text }) => [title, text] as const))(
    'leaves the loops: %s',
    (_, text) => {
      expect(loopsOf(redact(text))).toEqual(loopsOf(text))
    },
  )

  it.each([
    ['an e-mail address', 'ask ada.lovelace@example.org now', 'ask [email 1] now'],
    ['a path', 'cat /home/ada/notes/plan.md', 'cat [path 1]'],
    ['a path of Windows', 'type C:\\Users\\ada\\plan.md', 'type [path 1]'],
    ['a key', 'export KEY=sk-proj-abcdefghijklmnop1234', 'export KEY=[key 1]'],
    ['a token of GitHub', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[key 1]'],
    ['a web token', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl', '[token 1]'],
    ['an address', 'ping 10.20.30.40', 'ping [address 1]'],
    ['a link', 'open https://intra.example.com/x?y=z', 'open [url 1]'],
    ['a long secret', 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6', '[secret 1]'],
    [
      'a password',
      'mysql --password=hunter2 -e "show tables"',
      'mysql --password=[secret 1] -e "show tables"',
    ],
    ['a header', 'Authorization: Bearer abcdef.ghijkl', 'Authorization: Bearer [secret 1]'],
    ['a bearer', '-H "X: Bearer abcdefghijkl"', '-H "X: Bearer [secret 1]"'],
    ['the address of a database', 'postgres://ada:hunter2@db/shop', '[url 1]'],
    ['a long text', 'word '.repeat(100), '[500 characters 1]'],
  ])('takes out %s', (_, text, expected) => {
    expect(JSON.parse(redact(JSON.stringify({ output: text }))).output).toBe(expected)
  })

  it('takes out what is secret by its name', () => {
    const given = { name: 'login', args: { user: 'ada', apiKey: 'a b', password: 'hunter2' } }
    expect(JSON.parse(redact(JSON.stringify(given))).args).toEqual({
      user: 'ada',
      apiKey: '[secret 1]',
      password: '[secret 2]',
    })
  })

  it('looks into JSON within strings, and keeps what was equal equal', () => {
    const given = [
      { arguments: '{"path":"src/a.ts"}' },
      { arguments: '{"path":"src/b.ts"}' },
      { arguments: '{"path":"src/a.ts"}' },
    ]
    const read = JSON.parse(redact(JSON.stringify(given)))
    expect(read.map((one: { arguments: string }) => JSON.parse(one.arguments).path)).toEqual([
      '[path 1]',
      '[path 2]',
      '[path 1]',
    ])
  })

  it('takes any text', () => {
    expect(redact('hello a@b.example\nbye')).toBe('hello [email 1]\nbye')
  })
})

describe('labels', () => {
  const file = stuck.name
  const judge = new Judge()
  judge.load([stuck])
  const { sessions } = judge.report({ options: {}, format: 'auto', chosen: null, loophound: '0' })
  const loops = sessions[0]?.loops ?? []
  const wrong = (index: number): Mark => {
    const loop = loops[index]
    if (!loop) throw new Error('There is no such loop.')
    return { type: 'wrong', file, loop: nameOf(loop), title: loop.kind }
  }

  it('are lines in the form of the corpus', () => {
    const missed = {
      type: 'missed',
      file,
      agent: '',
      from: 2,
      to: 5,
      reason: 'reads again',
    } as const
    const line = labelLines(sessions, [wrong(0), missed])
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toEqual({
      id: file,
      stuck: true,
      spans: [
        { from: 1, to: 11, kind: 'no_progress', agent: 'researcher' },
        { from: 2, to: 5, kind: 'missed' },
        { from: 24, to: 48, kind: 'cycle' },
      ],
      borderline: false,
      readers: 1,
      reason: 'wrong alarm: no-progress from 7 to 20; reads again',
    })
  })

  it('say that a session is not stuck when every alarm is wrong', () => {
    const label = JSON.parse(labelLines(sessions, [wrong(0), wrong(1), wrong(2)]))
    expect(label).toMatchObject({ stuck: false, spans: [] })
  })

  it('are none without marks', () => {
    expect(labelLines(sessions, [])).toBe('')
  })
})

describe('code', () => {
  it('makes a guard with the same options', () => {
    const options = { preset: 'nudge', threshold: 4, detectors: { 'exact-repeat': false } } as const
    const code = codeFor('JavaScript', options)
    const [, given = ''] = /new LoopGuard\((.*)\)\n$/s.exec(code) ?? []
    expect(new Function(`return ${given}`)()).toEqual({ detector: options })
    expect(codeFor('JavaScript', { preset: 'guard' })).toContain("new LoopGuard('guard')")
    expect(codeFor('JavaScript', {})).toContain('new LoopGuard()')
  })

  it('names the command with its options', () => {
    expect(codeFor('command line', { preset: 'guard' })).toBe(
      'npx loophound scan --preset guard session.jsonl\n',
    )
    expect(codeFor('command line', { threshold: 4 })).toContain('--options loophound.json')
    expect(codeFor('CI', { threshold: 4 })).toContain('--options loophound.json --format github')
    expect(codeFor('CI', {})).toContain('run: npx loophound scan --format github')
  })
})

describe('the simulated agent', () => {
  const actions = (moves: readonly Move[], options = {}) =>
    simulate(moves, options).steps.map(({ verdict }) => verdict?.action ?? 'continue')
  const times = (count: number, move: Move) => Array.from({ length: count }, () => move)

  it('that repeats is nudged, refused and stopped, in this order', () => {
    const { steps, stopped } = simulate(times(20, 'repeat'), {})
    const said = steps.flatMap(({ verdict }) => verdict?.action ?? [])
    expect([...new Set(said)]).toEqual(['nudge', 'block', 'stop'])
    expect(stopped).toContain('The run was stopped.')
    expect(steps.length).toBeLessThan(20)
    expect(steps.find(({ nudge }) => nudge)?.nudge).toContain('bash failed the same way')
    expect(steps.find(({ hasRun }) => !hasRun)?.output).not.toContain('FAIL')
  })

  it('that fixes something between its tests is left alone', () => {
    const moves = times(12, 'fix').flatMap((move): Move[] => [move, 'repeat'])
    expect(new Set(actions(moves))).toEqual(new Set(['continue']))
  })

  it('that polls is never refused', () => {
    expect(actions(times(100, 'poll'))).not.toContain('block')
  })

  it('follows the options', () => {
    expect(actions(times(5, 'repeat'), { preset: 'window' })).toContain('stop')
  })
})

describe('a stream', () => {
  it('is cut where it only repeats itself', () => {
    const { cutAt, alarms } = streamText(CHANT, 12, 'text', {})
    expect(cutAt).toBeLessThan(CHANT.length)
    expect(alarms[0]?.verdict.details?.unit).toBe('Wait, let me check the rounding again.')
  })

  it('of new text is not', () => {
    const text = Array.from({ length: 40 }, (_, index) => `Item ${index} is about ${index * 7}.`)
    expect(streamText(text.join(' '), 7, 'reasoning', {}).cutAt).toBeNull()
  })

  it.each([
    [{}, true],
    [{ preset: 'nudge' }, false],
    [{ preset: 'nudge', detectors: { chant: true } }, true],
    [{ detectors: { chant: { threshold: 20 } } }, true],
    [{ detectors: { chant: false } }, false],
  ] as const)('is watched with %j: %s', (options, isWatched) => {
    expect(watchesText(options)).toBe(isWatched)
    expect(streamText(CHANT, 12, 'text', options).cutAt !== null).toBe(isWatched)
  })
})
