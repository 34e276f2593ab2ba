/** What scan() makes of loops: one finding each, what it wasted, and whose it was. */

import { type AgentEvent, type PresetName, presets, type ScanOptions, scan } from 'loophound'
import { PRICES, scanStream, streamTranscript } from 'loophound/transcripts'
import { describe, expect, it } from 'vitest'

type Row = readonly [name: string, args: unknown, output: unknown, ok?: boolean]

/** A run of calls, one a second, each with its result half a second later and with its usage. */
function run(length: number, row: (index: number) => Row, model = 'gpt-5-codex'): AgentEvent[] {
  return Array.from({ length }, (_, index): AgentEvent[] => {
    const [name, args, output, ok = true] = row(index)
    const [id, at] = [`${index}`, index * 1000]
    return [
      { t: 'turn' },
      { t: 'call', name, args, id, at, turn: index + 1 },
      { t: 'usage', in: 1000, out: 100, model, turn: index + 1 },
      { t: 'result', id, ok, output, at: at + 500 },
    ]
  }).flat()
}

const read = (path: string): Row => ['read', { path }, `content of ${path}`]
const forty = run(40, () => read('a'))

describe('forty identical reads', () => {
  it.each(Object.keys(presets) as PresetName[])('are one loop of forty calls: %s', (preset) => {
    const { loops, waste } = scan(forty, preset)
    expect(loops).toHaveLength(1)
    expect(loops[0]).toMatchObject({ agent: '', from: 0, to: 39, calls: 40, wasted: 39 })
    expect(loops[0]?.pattern).toEqual(['read({"path":"a"})'])
    expect(waste.calls).toBe(39)
  })

  it('tell the first alarm, what the model would have read, and what it would have saved', () => {
    const [loop] = scan(forty).loops
    expect(loop).toMatchObject({ kind: 'no-progress', tool: 'read', call: 2, action: 'stop' })
    expect(loop?.verdict.action).toBe('nudge')
    expect(loop?.verdict.message).toContain('read')
    expect(loop?.avoidable).toBe(37)
    expect(loop?.alarms).toBeGreaterThan(2)
  })

  it('cost the time, the tokens and the money of the 39 that were too many', () => {
    const { waste, tokens, ms, cost } = scan(forty)
    expect(waste).toMatchObject({ ms: 38_500, tokens: { in: 39_000, out: 3900 } })
    expect(waste.cost).toBeCloseTo((39_000 * 1.25 + 3900 * 10) / 1e6, 10)
    expect([ms, tokens]).toEqual([39_500, { in: 40_000, out: 4000 }])
    expect(cost).toBeCloseTo((40_000 * 1.25 + 4000 * 10) / 1e6, 10)
  })

  it('are the same when they are read from a stream', () => {
    const lines = forty.map((event) => `${JSON.stringify(event)}\n`)
    expect(scanStream(streamTranscript(lines))).toEqual(scan(forty))
  })
})

describe('a loop', () => {
  it('goes on between alarms and after the last one', () => {
    const report = scan(run(20, (index) => read('abc'[index % 3] ?? '')))
    expect(report.loops).toHaveLength(1)
    expect(report.loops[0]).toMatchObject({ kind: 'cycle', from: 0, to: 19, calls: 20, wasted: 17 })
  })

  it('that something else interrupts is one, without what is not part of it', () => {
    const report = scan(run(30, (index) => (index % 7 === 6 ? read(`${index}`) : read('a'))))
    expect(report.loops).toHaveLength(1)
    expect(report.loops[0]).toMatchObject({ from: 0, to: 26, calls: 24, wasted: 23 })
  })

  it('of another call is another one', () => {
    const { loops, waste } = scan(run(40, (index) => read(index < 20 ? 'a' : 'b')))
    expect(loops.map(({ from, to, wasted }) => [from, to, wasted])).toEqual([
      [0, 19, 19],
      [20, 39, 19],
    ])
    expect(waste).toMatchObject({ calls: 38, avoidable: 34, ms: 37_000 })
  })

  it('begins anew when a person spoke', () => {
    const { loops } = scan([...forty, { t: 'user', text: 'go on' }, ...forty], 'nudge')
    expect(loops.map(({ from, to }) => [from, to])).toEqual([
      [0, 39],
      [40, 79],
    ])
  })

  it('seen as two patterns wastes each call once', () => {
    const { loops, waste } = scan(
      run(12, () => ['bash', { command: 'make' }, 'error: no rule', false]),
      'nudge',
    )
    expect(loops.map(({ kind }) => kind).sort()).toEqual(['exact-repeat', 'failure-cascade'])
    expect(waste).toMatchObject({ calls: 11, avoidable: 9 })
  })

  it('of text has no calls', () => {
    const text: AgentEvent = { t: 'text', text: 'I will.' }
    const report = scan([text, text], 'nudge')
    expect(report.loops[0]).toMatchObject({ kind: 'summary', from: -1, to: -1, calls: 0 })
    expect(report).toMatchObject({ stuck: true, waste: { calls: 0, ms: null, cost: null } })
  })

  it('is told apart from the iteration cap', () => {
    const events = run(5, (index) => read(`${index}`))
    const report = scan(events, { preset: 'guard', iterationCap: 2 })
    expect(report.findings.map(({ kind }) => kind)).toEqual(['iteration-cap'])
    expect(report).toMatchObject({ loops: [], stuck: false, waste: { calls: 0 } })
  })
})

describe('every call', () => {
  it('counts as one that ran, unless that is switched off', () => {
    expect(scan(forty, { observe: true })).toEqual(scan(forty))
    const refusing = scan(forty, { observe: false }).loops[0]?.alarms
    expect(refusing).toBeLessThan(scan(forty).loops[0]?.alarms ?? 0)
  })
})

describe('agents', () => {
  const helper = forty.map((event) => ({ ...event, agent: 'helper' }))
  const report = scan([...run(4, (index) => read(`${index}`)), ...helper])

  it('are reported apart', () => {
    expect(report.byAgent).toMatchObject([
      { id: '', calls: 4, wasted: 0, loops: 0, tokens: { in: 4000, out: 400 } },
      { id: 'helper', calls: 40, wasted: 39, loops: 1, tokens: { in: 40_000, out: 4000 } },
    ])
    expect(report.loops[0]).toMatchObject({ agent: 'helper', from: 0, to: 39 })
    expect(report.tokens).toEqual({ in: 44_000, out: 4400 })
  })

  it('may be many: those that were heard of least recently begin anew', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      run(3, () => read('a')).map((event) => ({ ...event, agent: `run-${index}` })),
    ).flat()
    const { agents, loops, calls } = scan(many)
    expect([agents, loops.length, calls]).toEqual([300, 300, 900])
    const again = [...many, ...forty.map((event) => ({ ...event, agent: 'run-0' }))]
    const found = scan(again).loops.filter(({ agent }) => agent === 'run-0')
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [3, 42],
    ])
  })
})

describe('tools', () => {
  it('are counted with their failures and what they wasted', () => {
    const events = run(12, (index) =>
      index < 10 ? ['bash', { command: 'make' }, 'error: no rule', false] : read(`${index}`),
    )
    expect(scan(events).byTool).toEqual([
      { tool: 'bash', calls: 10, errors: 10, wasted: 9 },
      { tool: 'read', calls: 2, errors: 0, wasted: 0 },
    ])
  })
})

describe('what is not known', () => {
  it('is null: times, tokens, prices', () => {
    const bare = forty.flatMap((event): AgentEvent[] =>
      event.t === 'usage' ? [] : [{ ...event, at: undefined }],
    )
    expect(scan(bare)).toMatchObject({ ms: null, tokens: null, cost: null, start: null })
    expect(scan(bare).waste).toMatchObject({ calls: 39, ms: null, tokens: null, cost: null })
    const unpriced = scan(run(40, () => read('a'), 'some-model'))
    expect(unpriced).toMatchObject({ cost: null, waste: { tokens: { in: 39_000 }, cost: null } })
    expect(scan(forty, { prices: null }).cost).toBeNull()
  })

  it('makes a sum unknown: one response without a price is enough', () => {
    const odd: AgentEvent[] = [{ t: 'turn' }, { t: 'usage', in: 1, out: 1, model: 'some-model' }]
    expect(scan([...forty, ...odd])).toMatchObject({ cost: null, tokens: { in: 40_001 } })
  })
})

describe('prices', () => {
  const cost = (usage: object, options: ScanOptions = {}) =>
    scan([{ t: 'turn' }, { t: 'usage', in: 1e6, out: 1e6, ...usage } as AgentEvent], options).cost

  it('are found by the name of the model, whatever its provider and date', () => {
    expect(cost({ model: 'gpt-5-codex' })).toBe(11.25)
    expect(cost({ model: 'openai/gpt-5-codex-2025-09-15' })).toBe(11.25)
    expect(cost({ model: 'claude-sonnet-4-5-20250929' })).toBe(18)
    expect(cost({ model: 'gpt-5-mini' })).toBeNull()
    expect(cost({ model: '__proto__' })).toBeNull()
    expect(cost({})).toBeNull()
  })

  it('are not needed where the transcript has the cost', () => {
    expect(cost({ model: 'gpt-5-codex', cost: 0.5 })).toBe(0.5)
  })

  it('can be replaced', () => {
    const prices = { date: '2026-01-01', models: { 'some-model': { in: 1, out: 2 } } }
    expect(cost({ model: 'some-model' }, { prices })).toBe(3)
    expect(cost({ model: 'gpt-5-codex' }, { prices })).toBeNull()
  })

  it('of a cache count as the format counts them, or not at all', () => {
    const message = (usage: object) => ({
      type: 'assistant',
      uuid: 'u',
      parentUuid: null,
      sessionId: 's',
      message: { id: 'm', role: 'assistant', model: 'claude-opus-4-5', content: 'hi', usage },
    })
    const usage = { input_tokens: 1e6, output_tokens: 0, cache_read_input_tokens: 1e6 }
    expect(scan([message(usage)], { format: 'claude-code' }).cost).toBe(5.5)
    expect(cost({ model: 'gpt-5-codex', cacheRead: 5 })).toBeNull()
  })

  it('are dated', () => {
    expect(PRICES.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const price of Object.values(PRICES.models)) expect(price.out).toBeGreaterThan(price.in)
  })
})

describe('the timeline', () => {
  it('is there only if it is asked for', () => {
    expect(scan(forty).timeline).toBeNull()
    const { timeline } = scan(forty, { timeline: true })
    expect(timeline).toHaveLength(40)
    expect(timeline?.[0]).toEqual({
      agent: '',
      tool: 'read',
      args: '{"path":"a"}',
      output: 'content of a',
      ok: true,
      turn: 1,
      at: 0,
      action: null,
    })
    expect(timeline?.[2]?.action).toBe('nudge')
  })

  it('cuts what is long, and shows of secrets what may be shown', () => {
    const long = run(1, () => ['write', { text: '😀'.repeat(5000) }, '😀'.repeat(5000)])
    const [call] = scan(long, { timeline: true }).timeline ?? []
    expect(call?.args.length).toBeLessThanOrEqual(401)
    expect(call?.output?.length).toBeLessThanOrEqual(2001)
    expect(`${call?.args}${call?.output}`).not.toMatch(/\p{Cs}/u)
    const redacted = scan(forty, { timeline: true, redact: (name) => `${name}!` })
    expect(redacted.timeline?.[0]).toMatchObject({ args: 'read!', output: '12 characters' })
    expect(redacted.loops[0]?.pattern).toEqual(['read(read!)'])
  })
})
