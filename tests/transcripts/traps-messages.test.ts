/** What real files have that a reader trips over: messages of providers and SDKs. */

import { readTranscript } from 'loophound'
import { describe, expect, it } from 'vitest'
import { kinds, lines, only } from './pick.js'
import { summarize } from './summary.js'

describe('openai-chat', () => {
  it('the last call is in the response; hybrids have the same call twice', () => {
    const called = { id: '1', type: 'function', function: { name: 'ls', arguments: '{}' } }
    const transcript = readTranscript({
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: '1', name: 'ls', input: {} }],
          tool_calls: [called],
        },
        { role: 'tool', tool_call_id: '1', content: 'a' },
      ],
      response: {
        choices: [
          { message: { role: 'assistant', content: null, tool_calls: [{ ...called, id: '2' }] } },
        ],
        usage: {},
      },
    })
    expect(summarize(transcript)).toMatchObject({
      format: 'openai-chat',
      calls: 2,
      results: 1,
      tokens: null,
    })
  })

  it('reasoning and refusals', () => {
    const transcript = readTranscript([
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [] },
      { role: 'assistant', refusal: 'No.' },
    ])
    expect(kinds(transcript)).toBe('turn chunk text turn text')
  })

  it('datasets have one run per line', () => {
    const run = {
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'ok' },
      ],
    }
    expect(readTranscript(lines(run, run, run)).agents.map(({ id }) => id)).toEqual([
      '',
      'run-2',
      'run-3',
    ])
  })
})

describe('openai-responses', () => {
  it('one run per line; outputs without calls; calls that share an output', () => {
    const line = (input: string, output: object[]) => ({
      responses_create_params: { input: [{ role: 'user', content: input }] },
      response: { output, usage: { input_tokens: 2, output_tokens: 1 } },
    })
    const call = (call_id: string) => ({
      type: 'function_call',
      call_id,
      name: 'x',
      arguments: '{}',
    })
    const transcript = readTranscript(
      lines(
        line('a', [
          { type: 'additional_tools', tools: [] },
          call('1'),
          call('2'),
          { type: 'function_call_output', call_id: '1', output: 'x' },
        ]),
        line('b', [{ type: 'function_call_output', call_id: '9', output: 'y' }, call('1')]),
      ),
    )
    expect(transcript.agents.map(({ id }) => id)).toEqual(['', 'run-2'])
    expect(summarize(transcript)).toMatchObject({
      calls: 3,
      results: 2,
      userMessages: 2,
      tokens: { in: 4, out: 2 },
    })
    expect(transcript.skipped).toMatchObject([{ reason: 'record type "additional_tools"' }])
  })

  it('MCP and provider tools have their result within the call', () => {
    const transcript = readTranscript([
      { type: 'message', role: 'user', content: 'go' },
      { type: 'mcp_call', id: 'm', name: 'find', arguments: '{}', output: null, error: 'gone' },
      {
        type: 'code_interpreter_call',
        id: 'c',
        code: '1+1',
        outputs: [{ type: 'logs', text: '2' }],
      },
    ])
    expect(only(transcript, 'result')).toMatchObject([
      { id: 'm', ok: false },
      { id: 'c', output: '2' },
    ])
  })

  it('a run state that the Agents SDK for Python saved', () => {
    const transcript = readTranscript({
      original_input: 'go',
      generated_items: [
        { raw_item: { type: 'function_call', call_id: '1', name: 'ls', arguments: '{}' } },
        { raw_item: { type: 'function_call_output', call_id: '1', output: 'a' } },
      ],
      model_responses: [{ usage: { input_tokens: 4, output_tokens: 2 }, output: [] }],
    })
    expect(transcript.agents).toHaveLength(1)
    expect(summarize(transcript)).toMatchObject({
      calls: 1,
      results: 1,
      userMessages: 1,
      tokens: { in: 4, out: 2 },
    })
  })

  it('a saved run state of the Agents SDK', () => {
    const transcript = readTranscript({
      originalInput: 'go',
      generatedItems: [
        { rawItem: { type: 'function_call', callId: '1', name: 'ls', arguments: '{}' } },
        {
          rawItem: {
            type: 'function_call_result',
            callId: '1',
            output: { type: 'text', text: 'a' },
          },
        },
      ],
      modelResponses: [{ usage: { inputTokens: 4, outputTokens: 2 } }],
    })
    expect(summarize(transcript)).toMatchObject({
      format: 'openai-agents',
      calls: 1,
      results: 1,
      userMessages: 1,
      tokens: { in: 4, out: 2 },
    })
  })
})

describe('ai-sdk', () => {
  const step = (id: string, messages: object[]) => ({
    finishReason: 'tool-calls',
    usage: { inputTokens: 3, outputTokens: 2 },
    response: { id, modelId: 'm', timestamp: '2026-01-01T00:00:00Z', messages },
  })
  const called = (toolCallId: string) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'ls', input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId, toolName: 'ls', output: { type: 'text', value: 'a' } },
      ],
    },
  ]

  it.each([
    ['what it added', [step('1', called('1')), step('2', called('2'))]],
    ['all messages so far', [step('1', called('1')), step('2', [called('1'), called('2')].flat())]],
  ])('steps of a result are one agent; each has %s', (_what, steps) => {
    for (const records of [steps, { text: '', steps }]) {
      const transcript = readTranscript(records)
      expect(transcript.agents).toHaveLength(1)
      expect(kinds(transcript)).toBe('turn call usage result turn call usage result')
      expect(summarize(transcript)).toMatchObject({
        format: 'ai-sdk-model',
        calls: 2,
        results: 2,
        tokens: { in: 6, out: 4 },
      })
    }
  })

  it('denied and unfinished calls', () => {
    const part = (state: string, more: object = {}) => ({
      type: 'tool-x',
      toolCallId: state,
      state,
      input: {},
      ...more,
    })
    const transcript = readTranscript([
      {
        role: 'assistant',
        parts: [
          part('output-denied', { approval: { reason: 'no' } }),
          part('input-streaming'),
          part('output-available', { output: 1, preliminary: true }),
          part('approval-requested'),
        ],
      },
    ])
    expect(summarize(transcript)).toMatchObject({ calls: 3, results: 1, errors: 1 })
    expect(only(transcript, 'result')).toMatchObject([{ denied: true, output: 'no' }])
    const denied = readTranscript([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'x', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            output: { type: 'execution-denied', reason: 'no' },
          },
        ],
      },
    ])
    expect(only(denied, 'result')).toMatchObject([{ ok: false, denied: true }])
  })

  it('runs of devtools that another run started are sub-agents', () => {
    const step = (run_id: string, name: string) => ({
      run_id,
      input: '{"prompt":[]}',
      output: JSON.stringify({
        toolCalls: [{ type: 'tool-call', toolCallId: name, toolName: name, input: '{}' }],
      }),
    })
    const transcript = readTranscript({
      runs: [{ id: 'a' }, { id: 'b', parent_run_id: 'a', function_id: 'helper' }, { id: 'c' }],
      steps: [step('a', 'x'), step('b', 'y'), step('c', 'z')],
    })
    expect(transcript.agents.map(({ id, name, parent }) => [id, name, parent])).toEqual([
      ['', undefined, undefined],
      ['b', 'helper', ''],
    ])
    expect(summarize(transcript).firstTools).toEqual(['x', 'z'])
  })

  it('streams of devtools keep calls and reasoning beside the text', () => {
    const output = {
      reasoningParts: [{ id: '0', text: 'I think' }],
      textParts: [{ id: '1', text: 'Now' }],
      toolCalls: [{ toolCallId: 'c', toolName: 'x', input: '{}' }],
    }
    const transcript = readTranscript({
      runs: [{ id: 'a' }],
      steps: [{ run_id: 'a', input: '{"prompt":[]}', output: JSON.stringify(output), usage: '{}' }],
    })
    expect(kinds(transcript)).toBe('turn chunk text call')
  })
})

describe('results without text', () => {
  it('stay what they are: different ones stay different', () => {
    const search = (id: string, content: unknown) => [
      { type: 'server_tool_use', id, name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: id, content },
    ]
    const found = (url: string) => [{ type: 'web_search_result', url }]
    const content = [...search('1', found('a')), ...search('2', found('b')), ...search('3', [])]
    const outputs = only(readTranscript([{ role: 'assistant', content }]), 'result')
    expect(outputs.map(({ output }) => output)).toEqual([found('a'), found('b'), ''])
  })
})

describe('images', () => {
  it('are replaced by their type and a hash: equal ones stay equal', () => {
    const image = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    const result = (id: string, data: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: [image(data)] }],
    })
    const outputs = only(
      readTranscript([result('1', 'aaaa'), result('2', 'aaaa'), result('3', 'aaab')]),
      'result',
    ).map(({ output }) => output)
    expect(outputs[0]).toMatch(/^\[image\/png [0-9a-f]+\]$/)
    expect(outputs[1]).toBe(outputs[0])
    expect(outputs[2]).not.toBe(outputs[0])
  })
})
