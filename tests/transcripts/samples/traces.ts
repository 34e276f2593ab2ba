/**
 * Traces, and what trajectories are exchanged in.
 *
 * @module
 */

import { at, FILES, GONE, json, lines, nano, type Sample, STORY, UNMARKED } from './story.js'

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

const toolSpan = (id: string, name: string, args: string, result: string, code: number) => ({
  traceId: 't',
  spanId: id,
  parentSpanId: 'a',
  name: `execute_tool ${name}`,
  startTimeUnixNano: nano(Number(id)),
  endTimeUnixNano: nano(Number(id) + 5),
  attributes: [
    attribute('gen_ai.operation.name', 'execute_tool'),
    attribute('gen_ai.tool.name', name),
    attribute('gen_ai.tool.call.arguments', args),
    attribute('gen_ai.tool.call.result', result),
  ],
  status: { code },
})

const observation = (type: string, second: number, fields: object) => ({
  id: `${type}${second}`,
  type,
  startTime: at(second),
  endTime: at(second + 1),
  parentObservationId: null,
  level: 'DEFAULT',
  ...fields,
})

const langsmithRun = (second: number, run_type: string, fields: object) => ({
  id: `r${second}`,
  run_type,
  trace_id: 't',
  dotted_order: `2026010203040${second}`,
  start_time: at(second),
  end_time: at(second + 1),
  ...fields,
})

/** The samples, by format. */
export const TRACES = {
  'ai-sdk-devtools': {
    text: json({
      runs: [{ id: 'r', started_at: at(1) }],
      steps: [
        {
          id: 's1',
          run_id: 'r',
          step_number: 1,
          model_id: 'm',
          started_at: at(1),
          input: json({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'look' }] }] }),
          output: json({
            content: [
              { type: 'tool-call', toolCallId: '1', toolName: 'ls', input: '{}' },
              { type: 'tool-call', toolCallId: '2', toolName: 'read', input: '{"path":"c.txt"}' },
            ],
          }),
          usage: json({ inputTokens: { total: 11 }, outputTokens: { total: 4 } }),
        },
        {
          id: 's2',
          run_id: 'r',
          step_number: 2,
          started_at: at(2),
          input: json({
            prompt: [
              { role: 'user', content: [{ type: 'text', text: 'look' }] },
              { role: 'assistant', content: [] },
              {
                role: 'tool',
                content: [
                  { type: 'tool-result', toolCallId: '1', output: { type: 'text', value: FILES } },
                  {
                    type: 'tool-result',
                    toolCallId: '2',
                    output: { type: 'error-text', value: GONE },
                  },
                  { type: 'tool-result', toolCallId: '0', output: { type: 'text', value: 'old' } },
                ],
              },
            ],
          }),
          output: json({ textParts: [{ id: 't', text: 'Not there.' }], toolCalls: [] }),
          usage: '{}',
        },
      ],
    }),
    expected: { ...STORY, userMessages: 0, tokens: { in: 11, out: 4 } },
  },
  langsmith: {
    text: lines(
      langsmithRun(5, 'llm', {
        name: 'm',
        inputs: {},
        outputs: {},
        prompt_tokens: 9,
        completion_tokens: 2,
      }),
      langsmithRun(3, 'tool', {
        name: 'ls',
        inputs: { input: '{}' },
        outputs: { output: FILES },
      }),
      langsmithRun(4, 'tool', {
        name: 'read',
        inputs: { input: '{"path":"c.txt"}' },
        outputs: null,
        error: GONE,
      }),
      langsmithRun(1, 'chain', { name: 'agent', inputs: {}, outputs: {} }),
    ),
    expected: { ...STORY, userMessages: 0, tokens: { in: 9, out: 2 } },
  },
  langfuse: {
    text: json({
      trace: { id: 't' },
      observations: [
        observation('GENERATION', 1, {
          name: 'chat',
          model: 'm',
          input: json([{ role: 'user', content: 'look' }]),
          output: json({ role: 'assistant', content: 'I look.' }),
          usageDetails: { input: 8, output: 3 },
        }),
        observation('TOOL', 2, { name: 'running tool: ls', input: '{}', output: FILES }),
        observation('TOOL', 4, {
          name: 'read',
          input: { path: 'c.txt' },
          output: null,
          level: 'ERROR',
          statusMessage: GONE,
        }),
      ],
    }),
    expected: { ...STORY, userMessages: 0, tokens: { in: 8, out: 3 } },
  },
  otel: {
    text: json({
      resourceSpans: [
        {
          resource: { attributes: [] },
          scopeSpans: [
            {
              spans: [
                toolSpan('4', 'read', '{"path":"c.txt"}', GONE, 2),
                toolSpan('3', 'ls', '{}', FILES, 1),
                {
                  traceId: 't',
                  spanId: 'a',
                  name: 'invoke_agent',
                  startTimeUnixNano: nano(1),
                  attributes: [attribute('gen_ai.operation.name', 'invoke_agent')],
                },
                {
                  traceId: 't',
                  spanId: 'c',
                  parentSpanId: 'a',
                  name: 'chat m',
                  startTimeUnixNano: nano(2),
                  attributes: [
                    attribute('gen_ai.operation.name', 'chat'),
                    { key: 'gen_ai.usage.input_tokens', value: { intValue: '21' } },
                    { key: 'gen_ai.usage.output_tokens', value: { intValue: '7' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    }),
    expected: { ...STORY, userMessages: 0, tokens: { in: 21, out: 7 } },
  },
  atif: {
    text: json({
      schema_version: 'ATIF-v1.6',
      session_id: 's',
      agent: { name: 'x', model_name: 'm' },
      steps: [
        { step_id: 1, source: 'user', message: 'look' },
        {
          step_id: 2,
          source: 'agent',
          message: '',
          reasoning_content: 'hm',
          tool_calls: [
            { tool_call_id: '1', function_name: 'ls', arguments: {} },
            { tool_call_id: '2', function_name: 'read', arguments: { path: 'c.txt' } },
          ],
          observation: {
            results: [
              { source_call_id: '1', content: FILES },
              { source_call_id: '2', content: [{ type: 'text', text: GONE }] },
            ],
          },
          metrics: { prompt_tokens: 30, completion_tokens: 9, cached_tokens: 5, cost_usd: 0.1 },
        },
        { step_id: 3, source: 'agent', message: 'Not there.' },
      ],
    }),
    expected: { ...UNMARKED, tokens: { in: 30, out: 9 }, cacheRead: 5 },
  },
  autogen: {
    text: json([
      { source: 'user', models_usage: null, content: 'look', type: 'TextMessage' },
      {
        source: 'helper',
        models_usage: { prompt_tokens: 17, completion_tokens: 7 },
        type: 'ToolCallRequestEvent',
        content: [
          { id: '1', name: 'ls', arguments: '{}' },
          { id: '2', name: 'read', arguments: '{"path":"c.txt"}' },
        ],
      },
      {
        source: 'helper',
        models_usage: null,
        type: 'ToolCallExecutionEvent',
        content: [
          { call_id: '1', name: 'ls', content: FILES, is_error: false },
          { call_id: '2', name: 'read', content: GONE, is_error: true },
        ],
      },
      { source: 'helper', models_usage: null, type: 'ToolCallSummaryMessage', content: FILES },
      { source: 'writer', models_usage: null, type: 'TextMessage', content: 'Not there.' },
    ]),
    expected: { ...STORY, agents: 2, tokens: { in: 17, out: 7 } },
  },
  aider: {
    text: [
      '# aider chat started at 2026-01-02 03:04:05',
      '',
      '> Aider v0.86.2  ',
      '',
      '#### look  ',
      '#### closely  ',
      '',
      'Not there.',
      '',
      '> Tokens: 3.2k sent, 1.1k cache hit, 21 received. Cost: $0.01 message, $0.02 session.  ',
      '',
      '#### /exit  ',
      '',
      '# aider chat started at 2026-01-02 04:04:05',
      '',
      '#### again  ',
    ].join('\n'),
    expected: {
      calls: 0,
      results: 0,
      agents: 2,
      userMessages: 2,
      tokens: { in: 3200, out: 21 },
      cacheRead: 1100,
    },
  },
} satisfies Record<string, Sample>
