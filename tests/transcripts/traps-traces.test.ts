/** What real files have that a reader trips over: traces. */

import { readTranscript, scan } from 'loophound'
import { describe, expect, it } from 'vitest'
import { kinds, only } from './pick.js'
import { summarize } from './summary.js'

describe('otel', () => {
  const exported = (
    span_id: string,
    parent_id: string | null,
    kind: string,
    more: object = {},
  ) => ({
    name: `${kind} x`,
    context: { trace_id: '0xt', span_id },
    parent_id,
    start_time: `2026-01-01T00:00:0${span_id}Z`,
    end_time: `2026-01-01T00:00:0${span_id}Z`,
    status: { status_code: 'UNSET' },
    attributes: { 'gen_ai.operation.name': kind, ...more },
  })

  it("reads what Python's console exporter writes: values over several lines, children first", () => {
    const spans = [
      exported('3', '2', 'execute_tool', {
        'gen_ai.tool.name': 'ls',
        'gen_ai.tool.call.result': 'a',
      }),
      exported('2', '1', 'invoke_agent', { 'gen_ai.agent.name': 'helper' }),
      exported('4', '1', 'execute_tool', { 'gen_ai.tool.name': 'rm' }),
      exported('1', null, 'invoke_agent', { 'gen_ai.agent.name': 'boss' }),
    ]
    const text = spans.map((span) => JSON.stringify(span, null, 4)).join('\n')
    const transcript = readTranscript(text)
    expect(transcript.agents.map(({ id, name, parent }) => [id, name, parent])).toEqual([
      ['', 'boss', undefined],
      ['2', 'helper', ''],
    ])
    expect(summarize(transcript)).toMatchObject({ format: 'otel', calls: 2, results: 1, errors: 0 })
    // The last value is cut off.
    const cut = readTranscript(text.slice(0, -20))
    expect(cut.skipped.some(({ reason }) => reason === 'broken line')).toBe(true)
  })

  it('reads Jaeger, and failures by status and exception', () => {
    const transcript = readTranscript({
      data: [
        {
          traceID: 't',
          spans: [
            {
              spanID: 'a',
              operationName: 'tool',
              startTime: 1_760_000_000_000_000,
              duration: 2000,
              references: [],
              tags: [
                { key: 'openinference.span.kind', type: 'string', value: 'TOOL' },
                { key: 'tool.name', value: 'ls' },
                { key: 'error', value: true },
              ],
              logs: [{ fields: [{ key: 'exception.message', value: 'boom' }] }],
            },
          ],
        },
      ],
    })
    expect(only(transcript, 'call')).toMatchObject([{ name: 'ls', at: 1_760_000_000_000 }])
    expect(only(transcript, 'result')).toMatchObject([
      { ok: false, output: 'boom', at: 1_760_000_000_002 },
    ])
  })

  it('takes calls from messages only where the results are there', () => {
    const ask = {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: '1', name: 'ls', arguments: {} }],
    }
    const done = { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'a' }] }
    const chat = (id: string, input: object[], output: object[]) =>
      exported(id, null, 'chat', {
        'gen_ai.input.messages': JSON.stringify(input),
        'gen_ai.output.messages': JSON.stringify(output),
      })
    expect(summarize(readTranscript([chat('1', [], [ask])])).calls).toBe(0)
    const both = readTranscript([
      chat('1', [], [ask]),
      chat('2', [ask, done], [{ role: 'assistant', parts: [{ type: 'text', content: 'ok' }] }]),
    ])
    expect(summarize(both)).toMatchObject({ calls: 1, results: 1 })
  })

  it('reads the AI SDK dialect, and counts the tokens of nested spans once', () => {
    const usage = { 'ai.usage.promptTokens': 5, 'ai.usage.completionTokens': 2 }
    const span = (span_id: string, parent_id: string | null, name: string, attributes: object) => ({
      ...exported(span_id, parent_id, ''),
      name,
      attributes,
    })
    const transcript = readTranscript([
      span('1', null, 'ai.generateText', usage),
      span('2', '1', 'ai.generateText.doGenerate', usage),
      span('3', '1', 'ai.toolCall', {
        'ai.toolCall.name': 'ls',
        'ai.toolCall.id': 'c',
        'ai.toolCall.args': '{"a":1}',
        'ai.toolCall.result': '"b"',
      }),
    ])
    expect(summarize(transcript)).toMatchObject({ calls: 1, results: 1, tokens: { in: 5, out: 2 } })
    expect(only(transcript, 'call')).toMatchObject([{ id: 'c', args: { a: 1 } }])
  })

  it('reads messages in numbered attributes', () => {
    const call = 'llm.output_messages.0.message.tool_calls.0.tool_call'
    const transcript = readTranscript([
      exported('1', null, 'chat', {
        'llm.output_messages.0.message.role': 'assistant',
        [`${call}.id`]: '1',
        [`${call}.function.name`]: 'ls',
        [`${call}.function.arguments`]: '{}',
      }),
      exported('2', null, 'chat', {
        'llm.input_messages.0.message.role': 'tool',
        'llm.input_messages.0.message.tool_call_id': '1',
        'llm.input_messages.0.message.content': 'a',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'ok',
      }),
    ])
    expect(kinds(transcript)).toBe('turn call result turn text')
  })
})

describe('otel times', () => {
  /** A response whose calls ran one after the other, and a second one. */
  const trace = (start: number) => {
    const span = (spanId: string, at: number, attributes: Record<string, string>) => ({
      spanId,
      name: 'x',
      startTimeUnixNano: `${start + at}000000000`,
      endTimeUnixNano: `${start + at}500000000`,
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: { stringValue: value },
      })),
    })
    const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': '1' }
    const tool = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
      'gen_ai.tool.call.result': 'the same text',
    }
    const spans = [
      span('a', 1, model),
      ...[2, 4, 6, 8, 10].map((at) => span(`t${at}`, at, tool)),
      span('b', 20, model),
    ]
    return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  }

  it.each([0, 90, 1_760_000_000])('are nanoseconds, also %d seconds after 1970', (start) => {
    const [first, ...rest] = readTranscript(trace(start)).events
    expect(first?.at).toBe((start + 1) * 1000)
    expect(rest.at(-1)?.at).toBe((start + 20) * 1000)
  })

  it('equal calls of one response that ran one after the other are no loop', () => {
    expect(scan(trace(1_760_000_000))).toMatchObject({ calls: 5, turns: 2, loops: [] })
  })
})

describe('langfuse', () => {
  const one = (id: string, type: string, fields: object) => ({
    id,
    type,
    startTime: `2026-01-01T00:00:0${id}Z`,
    ...fields,
  })

  it('nested generations count once; the result has the name of the tool as its role', () => {
    const ask = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c', function: { name: 'ls', arguments: '{}' } }],
    }
    const transcript = readTranscript([
      one('1', 'GENERATION', { usageDetails: { input: 5, output: 1 }, output: ask }),
      one('2', 'GENERATION', {
        parentObservationId: '1',
        usageDetails: { input: 5, output: 1 },
        output: ask,
      }),
      one('3', 'GENERATION', {
        input: JSON.stringify([{ role: 'user', content: 'go' }, ask, { role: 'ls', content: 'a' }]),
        output: { role: 'assistant', content: 'ok' },
      }),
    ])
    expect(summarize(transcript)).toMatchObject({ calls: 1, results: 1, tokens: { in: 5, out: 1 } })
    expect(only(transcript, 'result')).toMatchObject([{ id: 'c', output: 'a' }])
  })

  it('names of tools come with a prefix', () => {
    const names = ['running tool: ls', 'execute_tool ls', 'ai.toolCall']
    const metadata = JSON.stringify({ attributes: { 'ai.toolCall.name': 'ls' } })
    const transcript = readTranscript(
      names.map((name, index) => one(`${index}`, 'TOOL', { name, metadata, input: {} })),
    )
    expect(only(transcript, 'call').map(({ name }) => name)).toEqual(['ls', 'ls', 'ls'])
  })
})

describe('langsmith', () => {
  it('without tool runs, calls come from the messages of model runs', () => {
    const run = (order: string, fields: object) => ({
      run_type: 'llm',
      trace_id: 't',
      dotted_order: order,
      ...fields,
    })
    const ask = {
      lc: 1,
      type: 'constructor',
      id: ['x', 'AIMessage'],
      kwargs: { content: '', tool_calls: [{ id: '1', name: 'ls', args: {} }] },
    }
    const done = {
      lc: 1,
      type: 'constructor',
      id: ['x', 'ToolMessage'],
      kwargs: { content: 'a', tool_call_id: '1' },
    }
    const transcript = readTranscript({
      runs: [
        run('2', {
          inputs: { messages: [[ask, done]] },
          outputs: {
            generations: [
              [
                {
                  text: 'ok',
                  message: {
                    lc: 1,
                    type: 'constructor',
                    id: ['x', 'AIMessage'],
                    kwargs: { content: 'ok' },
                  },
                },
              ],
            ],
          },
        }),
        run('1', { inputs: { messages: [[]] }, outputs: { generations: [[{ message: ask }]] } }),
      ],
    })
    expect(kinds(transcript)).toBe('turn call result turn text')
  })

  it('a tool may return a message, which may say that it failed', () => {
    const output = {
      lc: 1,
      type: 'constructor',
      id: ['x', 'ToolMessage'],
      kwargs: { content: 'bad', status: 'error' },
    }
    const transcript = readTranscript([
      {
        id: 'r',
        run_type: 'tool',
        name: 'ls',
        trace_id: 't',
        inputs: { input: "{'a': 1}" },
        outputs: { output },
      },
    ])
    expect(only(transcript, 'result')).toMatchObject([{ ok: false, output: 'bad' }])
  })
})
