/** Damaged and hostile transcripts: an error or a skip, never a hang, a crash or another exception. */

import { readTranscript } from 'loophound'
import { MAX_LINE, streamTranscript } from 'loophound/transcripts'
import { describe, expect, it } from 'vitest'
import { SAMPLES } from './samples/index.js'

/** Reads what may be unreadable. Only a TypeError with a message of ours may come of it. */
function attempt(transcript: unknown, format: Parameters<typeof readTranscript>[1] = 'auto'): void {
  try {
    const { agents, skipped } = readTranscript(transcript, format)
    expect(agents.length).toBeGreaterThan(0)
    for (const { count } of skipped) expect(count).toBeGreaterThan(0)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toMatch(/^transcript/)
  }
}

const WRONG: readonly unknown[] = [
  null,
  0,
  -1,
  1e300,
  'x',
  '',
  true,
  [],
  [null],
  {},
  { a: 1 },
  [[1]],
  { __proto__: null, length: -1 },
]

/** Every way to replace one value within data by another, as far as `limit` allows. */
function* mutations(value: unknown, put: (changed: unknown) => unknown): Generator<unknown> {
  for (const wrong of WRONG) yield put(wrong)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* mutations(item, (changed) => put(value.with(index, changed)))
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* mutations(item, (changed) => put({ ...value, [key]: changed }))
    }
  }
}

/** The data of a sample: one value, or a list of lines. */
function dataOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.split('\n').map((line) => (line.startsWith('{') ? JSON.parse(line) : line))
  }
}

describe.each(SAMPLES)('%s', (format, { text }) => {
  it('cut off after any byte', () => {
    const bytes = new TextEncoder().encode(text)
    for (let length = 0; length <= bytes.length; length++) {
      attempt(bytes.subarray(0, length))
      if (length % 7 === 0) attempt(bytes.subarray(length))
    }
  })

  it('with the wrong type at every field', () => {
    let count = 0
    for (const changed of mutations(dataOf(text), (whole) => whole)) {
      attempt(changed)
      attempt(changed, format)
      count += 1
    }
    expect(count).toBeGreaterThan(10)
  })

  it('with __proto__ and constructor as keys', () => {
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    for (const key of keys) {
      for (const word of ['type', 'role', 'name', 'id', 'content', 'args', 'input', 'usage']) {
        attempt(text.replaceAll(`"${word}":`, `"${key}":`))
        attempt(text.replaceAll(`"${word}":`, `"${word}":"${key}","${key}":`))
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('nested 100,000 levels deep at any field', () => {
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`
    const objects = `${'{"content":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const places = [...text.matchAll(/":("[^"]*"|\d+|null|true|false)/g)]
    const step = Math.max(1, Math.floor(places.length / 8))
    for (let index = 0; index < places.length; index += step) {
      const place = places[index]
      if (!place) continue
      const [found] = place
      const start = place.index + 2
      const end = place.index + found.length
      for (const value of [deep, objects]) {
        attempt(`${text.slice(0, start)}${value}${text.slice(end)}`)
      }
    }
  })
})

describe('text of any kind', () => {
  it('100,000 levels and nothing else', () => {
    for (const open of ['[', '{"messages":', '{"child_spans":[', '{"runs":[', '{"t":']) {
      attempt(open.repeat(100_000))
    }
    attempt(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  })

  it('100,000 spans and runs within one another', () => {
    const nest = (open: string, close: string) =>
      `${open.repeat(100_000)}{}${close.repeat(100_000)}`
    attempt(
      nest(
        '{"span_id":"a","span_name":"x","span_attributes":{"gen_ai.operation.name":"invoke_agent"},"child_spans":[',
        ']}',
      ),
    )
    attempt(nest('{"id":"a","run_type":"chain","trace_id":"t","child_runs":[', ']}'))
  })

  it('100,000 spans in a chain are read in time', () => {
    const kinds = ['execute_tool', 'invoke_agent', 'chat']
    const spans = Array.from({ length: 100_000 }, (_, index) => ({
      name: 'x',
      context: { trace_id: 't', span_id: `s${index}` },
      parent_id: index === 0 ? null : `s${index - 1}`,
      start_time: index,
      attributes: { 'gen_ai.operation.name': kinds[index % 3], 'gen_ai.usage.input_tokens': 1 },
    }))
    const { agents } = readTranscript(spans)
    expect(agents.length).toBeGreaterThan(10_000)
  })

  it('spans that are their own ancestors', () => {
    const span = (id: string, parent: string, kind: string) => ({
      name: 'x',
      context: { trace_id: 't', span_id: id },
      parent_id: parent,
      attributes: { 'gen_ai.operation.name': kind, 'gen_ai.usage.input_tokens': 1 },
    })
    attempt([span('a', 'b', 'chat'), span('b', 'a', 'execute_tool'), span('c', 'c', 'chat')])
    attempt([span('a', 'b', 'invoke_agent'), span('b', 'a', 'invoke_agent')])
  })

  it('a line of 50 MB is counted and left out', () => {
    const line = `{"t":"text","text":"${'x'.repeat(50_000_000)}"}`
    const { events, skipped } = readTranscript(`{"t":"turn"}\n${line}\n{"t":"turn"}`)
    expect(events).toHaveLength(2)
    expect(skipped).toEqual([{ reason: 'line longer than 8 MiB', count: 1, first: 'line 2' }])
    // Alone it is a document, which may be of any size.
    expect(readTranscript(line).events).toHaveLength(1)
    const stream = streamTranscript(
      (function* chunks() {
        yield '{"t":"turn"}\n'
        for (let sent = 0; sent < 50_000_000; sent += 65_536) yield 'x'.repeat(65_536)
        yield '\n{"t":"turn"}'
      })(),
    )
    expect([...stream]).toHaveLength(2)
    expect(stream.skipped[0]?.count).toBe(1)
  })

  it('a line just within the limit is read', () => {
    const room = MAX_LINE - '{"t":"text","text":""}'.length
    const line = `{"t":"text","text":"${'x'.repeat(room)}"}`
    expect(readTranscript(`${line}\n{"t":"turn"}`).events).toHaveLength(2)
    expect(readTranscript(`${line} \n{"t":"turn"}`).events).toHaveLength(1)
  })

  it('binary data, control characters and lone surrogates', () => {
    attempt(new Uint8Array(1000).map((_, index) => (index * 7919) % 256))
    attempt('\0\0\0')
    attempt('\ud800')
    attempt(`{"role":"user","content":"\ud800"}\n{"role":"assistant","content":"\u0000"}`)
  })

  it('thousands of different reasons to skip are counted together from the hundredth on', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `{"type":"x${index}","payload":{}}`)
    const { skipped } = readTranscript(`{"type":"session_meta","payload":{}}\n${lines.join('\n')}`)
    expect(skipped.length).toBeLessThanOrEqual(101)
    expect(skipped.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
  })
})

describe('objects that misbehave', () => {
  it('proxies, getters, cycles and exotic objects', () => {
    const cycle: Record<string, unknown> = { role: 'user' }
    cycle.content = [cycle]
    cycle.parts = [cycle]
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new RangeError('boom')
        },
      },
    )
    for (const odd of [cycle, proxy, trap, new Map(), new Date(), Symbol('x'), 5n, () => 1]) {
      attempt(odd)
      attempt([odd])
      attempt({ messages: [odd] })
      attempt([
        { role: 'user', content: odd },
        { role: 'assistant', content: odd },
      ])
    }
  })
})
