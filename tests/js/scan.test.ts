/** scan(): a whole transcript, one report. */

import { type AgentEvent, LoopDetector, type ScanOptions, scan } from 'loophound'
import { describe, expect, it } from 'vitest'

const call = (name: string, args?: unknown): AgentEvent => ({ t: 'call', name, args })
const done: AgentEvent = { t: 'result', ok: true, output: 'done' }
const stuck = Array.from({ length: 4 }, () => [call('read', { path: 'a' }), done]).flat()

describe('the report', () => {
  it('counts what was read and lists what was found, in order', () => {
    const report = scan([call('look'), done, ...stuck], { preset: 'nudge' })
    expect(report).toMatchObject({
      format: 'events',
      events: 10,
      calls: 5,
      results: 5,
      turns: 5,
      stuck: true,
    })
    expect(report.findings).toHaveLength(1)
    expect(report.first).toBe(report.findings[0])
    expect(report.first).toMatchObject({ event: 6, call: 3, from: 1, to: 4, calls: 4, alarms: 2 })
    expect(report.first?.verdict).toMatchObject({ level: 'notice', count: 3, since: 1 })
    expect(report.verdict).toMatchObject({ level: 'warning', count: 4, since: 1 })
  })

  it('of a healthy run has no findings', () => {
    const events = ['a', 'b', 'c'].flatMap((path) => [call('read', { path }), done])
    expect(scan(events, 'nudge')).toMatchObject({
      stuck: false,
      verdict: { action: 'continue' },
      first: null,
      findings: [],
    })
  })

  it('of an empty transcript has no findings', () => {
    expect(scan([])).toMatchObject({ format: 'events', events: 0, turns: 0, stuck: false })
  })

  it('is frozen', () => {
    const report = scan(stuck, 'nudge')
    expect(Object.isFrozen(report)).toBe(true)
    expect(Object.isFrozen(report.findings)).toBe(true)
    expect(Object.isFrozen(report.first)).toBe(true)
  })

  it('has the first of equally hard verdicts', () => {
    const report = scan(
      Array.from({ length: 6 }, () => call('read', { path: 'a' })).flatMap((one) => [one, done]),
      'window',
    )
    expect(report.first?.alarms).toBeGreaterThan(1)
    expect(report.verdict).toBe(report.first?.verdict)
    expect(report.verdict.status).toBe('LOOP_DETECTED')
  })

  it('does not call it stuck when only the turns were used up', () => {
    const events = ['a', 'b', 'c'].flatMap((path) => [call('read', { path }), done])
    const report = scan(events, { preset: 'guard', iterationCap: 2 })
    expect(report).toMatchObject({
      stuck: false,
      verdict: { action: 'stop', kind: 'iteration-cap' },
    })
    expect(report.first).toMatchObject({ event: 4, call: 1 })
  })
})

describe('agents', () => {
  const by = (agent: string) => (event: AgentEvent) => ({ ...event, agent })

  it('are judged each for itself', () => {
    const halves = [...stuck.slice(0, 4), ...stuck.slice(4).map(by('helper'))]
    expect(scan(halves, 'nudge')).toMatchObject({ agents: 2, calls: 4, results: 4, stuck: false })
    const report = scan([...halves, ...stuck.map(by('helper'))], 'nudge')
    expect(report.first).toMatchObject({ agent: 'helper', event: 4, call: 2 })
    expect(report.findings.every(({ agent }) => agent === 'helper')).toBe(true)
  })

  it('find their way out only when a person speaks', () => {
    const spoken = (origin: 'person' | 'harness') =>
      stuck.flatMap((event): AgentEvent[] => [event, { t: 'user', text: 'go on', origin }])
    expect(scan(spoken('person'), 'nudge').stuck).toBe(false)
    expect(scan(spoken('harness'), 'nudge').stuck).toBe(true)
  })
})

describe('turns', () => {
  const cap = (events: AgentEvent[]) => scan(events, { preset: 'guard', iterationCap: 1000 }).turns

  it('a batch is one', () => {
    expect(cap([call('a'), call('b'), done, done, call('c')])).toBe(2)
  })

  it('a text before a call belongs to it, any other text is one', () => {
    const text: AgentEvent = { t: 'text', text: 'so' }
    expect(cap([text, call('a'), done])).toBe(1)
    expect(cap([text, { t: 'user' }, text])).toBe(2)
    expect(cap([text, text, call('a')])).toBe(2)
  })

  it('chunks belong to the call or text that follows', () => {
    const chunk: AgentEvent = { t: 'chunk', text: 'so', channel: 'reasoning' }
    expect(cap([chunk, chunk, call('a'), done, chunk, { t: 'text', text: 'so' }])).toBe(2)
  })

  it('may have events of their own', () => {
    expect(cap([{ t: 'turn' }, call('a'), { t: 'turn' }, call('b'), done, done])).toBe(2)
  })

  it('with events of their own hold all texts up to the next result', () => {
    const text: AgentEvent = { t: 'text', text: 'so' }
    const chunk: AgentEvent = { t: 'chunk', text: 'hm', channel: 'reasoning' }
    const turn: AgentEvent = { t: 'turn' }
    expect(cap([turn, text, chunk, text, call('a'), text, done, turn, text])).toBe(2)
    const events = [turn, text, text, call('a'), done, turn, text, chunk, call('b'), text, done]
    expect(scan(events, 'nudge').stuck).toBe(false)
  })

  it('are not changed by what is told about tokens and sub-agents', () => {
    const usage: AgentEvent = { t: 'usage', in: 5, out: 1 }
    const spawn: AgentEvent = { t: 'spawn', child: 'helper' }
    const text: AgentEvent = { t: 'text', text: 'so' }
    expect(cap([text, usage, call('a'), spawn, call('b'), done, done])).toBe(1)
  })

  it('with events of their own separate batches', () => {
    const batch = Array.from({ length: 3 }, () => call('a'))
    expect(scan(batch, 'nudge').findings).toHaveLength(1)
    const parted = batch.flatMap((one): AgentEvent[] => [{ t: 'turn' }, one])
    expect(scan(parted, 'nudge').first).toMatchObject({ event: 5, call: 2 })
  })
})

describe('a text', () => {
  it('without calls, twice, is a summary loop', () => {
    const text: AgentEvent = { t: 'text', text: 'I will.' }
    expect(scan([text, text], 'nudge')).toMatchObject({
      stuck: true,
      first: { event: 1, call: -1, verdict: { kind: 'summary' } },
    })
    expect(scan([text, call('a'), done, text, call('b'), done, text], 'nudge').stuck).toBe(false)
    expect(scan([text, { t: 'user', text: 'go on' }, text], 'nudge').stuck).toBe(false)
  })
})

describe('options', () => {
  it("are the detector's, and refused like the detector's", () => {
    expect(scan(stuck, { preset: 'nudge', threshold: 2 }).first?.alarms).toBe(3)
    expect(() => scan(stuck, { threshold: 0 })).toThrow(RangeError)
    const bad: unknown = { treshold: 3 }
    expect(() => scan(stuck, bad as ScanOptions)).toThrow('options.treshold')
    expect(() => scan(stuck, 5 as unknown as ScanOptions)).toThrow(
      new TypeError('scan(options): options must be a preset name or an object; got 5'),
    )
  })

  it('name the format', () => {
    expect(scan([], { format: 'openai-chat' }).format).toBe('openai-chat')
    expect(scan([], { format: 'auto' }).format).toBe('events')
    const bad: unknown = { format: 'gemini' }
    const read = () => scan([], bad as ScanOptions)
    expect(read).toThrow(RangeError)
    expect(read).toThrow(/^options\.format must be one of "auto", "events", .+; got "gemini"$/)
  })

  it('are not changed', () => {
    const options: ScanOptions = Object.freeze({ preset: 'nudge', format: 'events' })
    expect(scan(stuck, options).stuck).toBe(true)
  })
})

describe('memory', () => {
  it('is released, also when something throws', () => {
    const options: ScanOptions = {
      tools: {
        read: {
          identity: () => {
            throw new Error('boom')
          },
        },
      },
    }
    for (let i = 0; i < 200; i++) expect(() => scan(stuck, options)).toThrow('boom')
    expect(scan(stuck, 'nudge').stuck).toBe(true)
    new LoopDetector().free()
  })
})
