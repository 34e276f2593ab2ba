/** Reading transcripts: which forms are known, and what is said about the others. */

import { type AgentEvent, readTranscript, scan } from 'loophound'
import { describe, expect, it } from 'vitest'

/** Events without the keys that are undefined. */
function events(transcript: unknown): unknown {
  return JSON.parse(JSON.stringify(readTranscript(transcript).events))
}

function problem(transcript: unknown): string {
  try {
    readTranscript(transcript)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  throw new Error('the transcript was accepted')
}

const NEUTRAL: AgentEvent[] = [
  { t: 'user', text: 'go' },
  { t: 'turn' },
  { t: 'chunk', text: 'hm', channel: 'reasoning' },
  { t: 'text', text: 'so' },
  { t: 'call', name: 'a', args: { x: 1 }, id: '1' },
  { t: 'result', id: '1', name: 'a', ok: true, output: 'fine' },
]

describe('neutral events', () => {
  it.each([
    ['a list', NEUTRAL],
    ['an object with events', { title: 'sample', events: NEUTRAL }],
    ['JSON text', JSON.stringify(NEUTRAL)],
    ['pretty JSON text of an object', JSON.stringify({ events: NEUTRAL }, null, 2)],
    ['JSON lines', NEUTRAL.map((event) => JSON.stringify(event)).join('\n')],
    [
      'JSON lines with blank lines, CRLF and BOM',
      `\uFEFF\r\n${NEUTRAL.map((event) => JSON.stringify(event)).join('\r\n\r\n')}\r\n`,
    ],
    ['JSON text with BOM', `\uFEFF${JSON.stringify(NEUTRAL)}`],
  ])('are read from %s', (_, transcript) => {
    expect(readTranscript(transcript).format).toBe('events')
    expect(events(transcript)).toEqual(NEUTRAL)
  })

  it('may have null for what is absent, and keys of their own', () => {
    const list = [
      { t: 'call', name: 'a', args: null, id: null, at: null, mood: 7 },
      { t: 'result', id: null, name: null, ok: null, output: null },
      { t: 'user', text: null },
    ]
    expect(events(list)).toEqual([{ t: 'call', name: 'a' }, { t: 'result' }, { t: 'user' }])
  })

  it('may have times, and say where the context was compacted', () => {
    const list = [
      { t: 'call', name: 'a', at: 7 },
      { t: 'result', output: 'fine', at: 9 },
      { t: 'compacted' },
    ]
    expect(events(list)).toEqual(list)
  })

  it('may be a single line', () => {
    expect(events('{"t":"call","name":"a"}\n')).toEqual([{ t: 'call', name: 'a' }])
  })

  it.each([
    [[{ t: 'call' }], 'transcript: item 0 (call): name must be a string; got undefined'],
    [
      [...NEUTRAL, { t: 'meta' }],
      'transcript: item 6 must have a `t` that is one of call, result, text, chunk, user, turn, compacted, usage, spawn; got "meta"',
    ],
    [[...NEUTRAL, null], 'transcript: item 6 must be an event; got null'],
    [
      [...NEUTRAL, { t: 'text' }],
      'transcript: item 6 (text): text must be a string; got undefined',
    ],
    [
      [...NEUTRAL, { t: 'result', ok: 'yes' }],
      'transcript: item 6 (result): ok must be true or false; got "yes"',
    ],
    [
      [...NEUTRAL, { t: 'chunk', text: 'a', channel: 'loud' }],
      'transcript: item 6 (chunk): channel must be "text", "reasoning" or "arguments"; got "loud"',
    ],
    [
      '{"t":"turn"}\n\n{"t":"call"}',
      'transcript: line 3 (call): name must be a string; got undefined',
    ],
  ])('%j is refused with its place', (transcript, message) => {
    expect(problem(transcript)).toBe(message)
  })
})

const CHAT = [
  { role: 'system', content: 'Be brief.' },
  { role: 'developer', content: 'Be kind.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is ' },
      { type: 'image_url', image_url: {} },
      { type: 'text', text: 'this?' },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"x":1}' } },
      { id: 'c2', type: 'custom', custom: { name: 'free', input: 'text' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
  { role: 'tool', tool_call_id: 'c1', content: 'one' },
  { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
  { role: 'function', name: 'old', content: 'older' },
  { role: 'assistant', content: 'It is a cat.' },
]

const CHAT_EVENTS = [
  { t: 'user', text: 'What is this?' },
  { t: 'turn' },
  { t: 'text', text: 'Let me look.' },
  { t: 'call', name: 'look', args: '{"x":1}', id: 'c1', turn: 1 },
  { t: 'call', name: 'free', args: 'text', id: 'c2', turn: 1 },
  { t: 'result', id: 'c2', output: 'two' },
  { t: 'result', id: 'c1', output: 'one' },
  { t: 'turn' },
  { t: 'call', name: 'old', args: '{}', turn: 2 },
  { t: 'result', name: 'old', output: 'older' },
  { t: 'turn' },
  { t: 'text', text: 'It is a cat.' },
]

describe('OpenAI chat messages', () => {
  it.each([
    ['a list', CHAT],
    ['an object with messages', { model: 'm', messages: CHAT }],
    ['JSON text', JSON.stringify({ messages: CHAT })],
    ['JSON lines', CHAT.map((message) => JSON.stringify(message)).join('\n\n')],
  ])('are read from %s', (_, transcript) => {
    expect(readTranscript(transcript).format).toBe('openai-chat')
    expect(events(transcript)).toEqual(CHAT_EVENTS)
  })

  it('may leave out what they do not need', () => {
    expect(
      events([
        { role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: { x: 1 } } }] },
        { role: 'tool', content: null },
        { role: 'assistant', content: null },
        { role: 'assistant', content: '', tool_calls: [] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], tool_calls: null },
      ]),
    ).toEqual([
      { t: 'turn' },
      { t: 'call', name: 'a', args: { x: 1 }, turn: 1 },
      { t: 'result' },
      { t: 'turn' },
      { t: 'text', text: '' },
      { t: 'turn' },
      { t: 'text', text: '' },
      { t: 'turn' },
      { t: 'text', text: 'No.' },
    ])
  })

  it('are judged: an assistant message is a turn, its calls are a batch', () => {
    const ask = (id: string) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, function: { name: 'find', arguments: '{"q":"x"}' } }],
      },
      { role: 'tool', tool_call_id: id, content: 'nothing' },
    ]
    const report = scan(
      [{ role: 'user', content: 'hi' }, ...ask('1'), ...ask('2'), ...ask('3')],
      'nudge',
    )
    expect(report).toMatchObject({
      format: 'openai-chat',
      calls: 3,
      results: 3,
      turns: 3,
      stuck: true,
    })
    expect(report.first).toMatchObject({ event: 8, call: 2, verdict: { tool: 'find', count: 3 } })
  })

  it('by two assistants in a row are two turns, also without results', () => {
    const ask = { role: 'assistant', tool_calls: [{ function: { name: 'find', arguments: '{}' } }] }
    expect(scan([ask, ask, ask], 'guard').turns).toBe(3)
  })

  it('that cannot be read are counted and left out, as long as there are others', () => {
    const strange = [{ role: 'critic' }, 5, { role: 'user', content: 7 }, { role: 'assistant' }]
    const { skipped } = readTranscript([...CHAT, ...strange])
    expect(events([...CHAT, ...strange])).toEqual(CHAT_EVENTS)
    expect(skipped).toEqual([
      { reason: 'system message', count: 1, first: 'item 0' },
      { reason: 'developer message', count: 1, first: 'item 1' },
      { reason: 'unreadable message', count: 4, first: 'item 9' },
    ])
  })

  it.each([
    [
      [{ role: 'critic' }],
      'transcript: item 0: must have a role that is one of system, developer, user, assistant, tool, function; got "critic"',
    ],
    [[{ role: 'assistant' }], 'transcript: item 0 (assistant): has neither content nor tool_calls'],
    [
      [{ role: 'user', content: 5 }],
      'transcript: item 0 (user): content must be a string, a list of parts or null; got 5',
    ],
    [
      [{ role: 'assistant', tool_calls: {} }],
      'transcript: item 0 (assistant): tool_calls must be a list; got an object',
    ],
    [
      [{ role: 'assistant', tool_calls: [{}] }],
      'transcript: item 0 (assistant): tool_calls[0]: must have a function; got undefined',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ function: {} }] }],
      'transcript: item 0 (assistant): tool_calls[0]: name must be a string; got undefined',
    ],
    [
      [{ role: 'tool', tool_call_id: true }],
      'transcript: item 0 (tool): the id of a call must be a string; got true',
    ],
    [
      '{"role":"user","content":7}\n{"role":"user","content":7}',
      'transcript: line 1 (user): content must be a string, a list of parts or null; got 7',
    ],
  ])('%j is refused with its place', (transcript, message) => {
    expect(problem(transcript)).toBe(message)
  })
})

describe('what cannot be read', () => {
  it.each([
    [undefined, 'undefined'],
    [42, '42'],
    [null, 'null'],
    [{}, 'an empty object'],
    [{ steps: [], model: 'x' }, 'an object with the keys steps, model'],
    [[[]], 'a list whose item 0 is an array'],
    [[{ type: 'message' }], 'a list whose item 0 is an object with the keys type'],
    [new Map(), 'an empty object'],
    ['5', '5'],
    ['{"a":1}\n{"b":2}', 'a list whose line 1 is an object with the keys a'],
  ])('%j: the error says what was looked for and what was found', (transcript, found) => {
    const message = problem(transcript)
    expect(message).toContain(`found ${found}, which is none of the known forms`)
    expect(message).toMatch(/The closest is [\w-]+ \(.+\); missing: `\w+`/)
    expect(message).toContain('Known: events, atif, otel,')
  })

  it('the error names the closest format, and what is missing', () => {
    expect(problem({ steps: [{ id: 1 }], agent: {} })).toContain(
      'The closest is atif (an object with `schema_version` "ATIF-v1.…", `agent` and `steps`); ' +
        'missing: `schema_version`.',
    )
    expect(problem([{ timestamp: 'now', type: 'x', payloads: {} }])).toContain(
      'The closest is codex (JSON lines with `type`: "session_meta", "response_item", … and a ' +
        '`payload`); missing: `payload`.',
    )
  })

  it('a bad line is counted and left out', () => {
    const transcript = readTranscript('{"t":"turn"}\n\n{"t":\n{"t":"turn"}')
    expect(transcript.events).toHaveLength(2)
    expect(transcript.skipped).toEqual([{ reason: 'broken line', count: 1, first: 'line 3' }])
  })

  it('text that is not JSON at all', () => {
    expect(problem('Hello there')).toMatch(
      /^transcript: looked for JSON or JSON lines; found text that is neither: line 1 is not JSON: /,
    )
    expect(problem(' \n ')).toBe('transcript: looked for JSON or JSON lines; found empty text')
  })

  it('a format that was asked for, but is not there', () => {
    const read = () => readTranscript({ events: [] }, 'openai-chat')
    expect(read).toThrow(TypeError)
    expect(read).toThrow(/looked for openai-chat \(.*\); found an object with the keys events$/s)
  })

  it('getters that throw', () => {
    const cause = new Error('boom')
    const trap = {
      get role() {
        throw cause
      },
    }
    expect(() => scan([trap])).toThrow(
      new TypeError('transcript could not be read: boom', { cause }),
    )
  })
})
