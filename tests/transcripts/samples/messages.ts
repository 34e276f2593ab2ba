/**
 * Messages of providers and SDKs.
 *
 * @module
 */

import { FILES, GONE, json, lines, type Sample, STORY, UNMARKED } from './story.js'

const anthropicTurns = [
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: '1', name: 'ls', input: {} },
      { type: 'tool_use', id: '2', name: 'read', input: { path: 'c.txt' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: '1', content: FILES },
      {
        type: 'tool_result',
        tool_use_id: '2',
        content: [{ type: 'text', text: GONE }],
        is_error: true,
      },
    ],
  },
  { role: 'assistant', content: 'Not there.' },
]

/** The samples, by format. */
export const MESSAGES = {
  events: {
    text: lines(
      { t: 'user', text: 'look' },
      { t: 'call', name: 'ls', id: '1', args: {} },
      { t: 'call', name: 'read', id: '2', args: { path: 'c.txt' } },
      { t: 'result', id: '1', ok: true, output: FILES },
      { t: 'result', id: '2', ok: false, output: GONE },
      { t: 'usage', in: 10, out: 5 },
      { t: 'text', text: 'Not there.' },
    ),
    expected: { ...STORY, tokens: { in: 10, out: 5 } },
  },
  'openai-chat': {
    text: json({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'ls', arguments: '{}' } },
            {
              id: '2',
              type: 'function',
              function: { name: 'read', arguments: '{"path":"c.txt"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: FILES },
        { role: 'tool', tool_call_id: '2', content: GONE },
        { role: 'assistant', content: 'Not there.' },
      ],
    }),
    expected: { ...UNMARKED, tokens: null },
  },
  'openai-responses': {
    text: json({
      input: 'look',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'function_call', call_id: '1', name: 'ls', arguments: '{}' },
        { type: 'function_call', call_id: '2', name: 'read', arguments: '{"path":"c.txt"}' },
        { type: 'function_call_output', call_id: '1', output: FILES },
        {
          type: 'function_call_output',
          call_id: '2',
          output: [{ type: 'input_text', text: GONE }],
        },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Not there.' }],
        },
      ],
      usage: { input_tokens: 20, output_tokens: 8, input_tokens_details: { cached_tokens: 4 } },
    }),
    expected: { ...UNMARKED, tokens: { in: 20, out: 8 }, cacheRead: 4 },
  },
  'openai-agents': {
    text: json([
      { role: 'user', content: 'look' },
      { type: 'function_call', callId: '1', name: 'ls', arguments: '{}' },
      { type: 'function_call', callId: '2', name: 'read', arguments: '{"path":"c.txt"}' },
      { type: 'function_call_result', callId: '1', output: { type: 'text', text: FILES } },
      { type: 'function_call_result', callId: '2', output: { type: 'text', text: GONE } },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Not there.' }],
      },
    ]),
    expected: UNMARKED,
  },
  anthropic: {
    text: json({ model: 'claude', messages: anthropicTurns }),
    expected: { ...STORY, tokens: null },
  },
  'ai-sdk-ui': {
    text: json([
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'look' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm', state: 'done' },
          {
            type: 'tool-ls',
            toolCallId: '1',
            state: 'output-available',
            input: {},
            output: { files: ['a.txt'] },
          },
          {
            type: 'dynamic-tool',
            toolName: 'read',
            toolCallId: '2',
            state: 'output-error',
            input: { path: 'c.txt' },
            errorText: GONE,
          },
          { type: 'step-start' },
          { type: 'text', text: 'Not there.', state: 'done' },
        ],
      },
    ]),
    expected: STORY,
  },
  'ai-sdk-model': {
    text: json([
      { role: 'user', content: [{ type: 'text', text: 'look' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: '1', toolName: 'ls', input: {} },
          { type: 'tool-call', toolCallId: '2', toolName: 'read', input: { path: 'c.txt' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'ls',
            output: { type: 'text', value: FILES },
          },
          {
            type: 'tool-result',
            toolCallId: '2',
            toolName: 'read',
            output: { type: 'error-text', value: GONE },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Not there.' }] },
    ]),
    expected: STORY,
  },
  langchain: {
    text: json({
      messages: [
        { lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'look' } },
        {
          type: 'ai',
          data: {
            content: '',
            tool_calls: [
              { id: '1', name: 'ls', args: {} },
              { id: '2', name: 'read', args: { path: 'c.txt' } },
            ],
            usage_metadata: { input_tokens: 12, output_tokens: 6 },
          },
        },
        { type: 'tool', tool_call_id: '1', content: FILES, status: 'success' },
        {
          lc: 1,
          type: 'constructor',
          id: ['x', 'ToolMessage'],
          kwargs: { tool_call_id: '2', content: GONE, status: 'error' },
        },
        { type: 'ai', content: 'Not there.' },
      ],
    }),
    expected: { ...STORY, tokens: { in: 12, out: 6 } },
  },
  roo: {
    text: json([
      ...anthropicTurns.map((message, index) => ({ ...message, ts: index })),
      { role: 'user', ts: 9, content: 'Summary', isSummary: true, condenseId: 'x' },
    ]),
    expected: { ...STORY, userMessages: 2, compactions: 1 },
  },
  cline: {
    text: json([
      { role: 'user', content: [{ type: 'text', text: '<task>look</task>' }], ts: 1 },
      {
        role: 'assistant',
        ts: 2,
        content: [
          { type: 'tool_use', id: '1', name: 'ls', input: {} },
          { type: 'tool_use', id: '2', name: 'read', input: { path: 'c.txt' } },
        ],
      },
      {
        role: 'user',
        ts: 3,
        content: [
          { type: 'text', text: `[ls] Result:\n${FILES}` },
          { type: 'text', text: `[read for 'c.txt'] Result:\nError ${GONE}` },
          { type: 'text', text: '<environment_details>…</environment_details>' },
        ],
      },
      { role: 'assistant', ts: 4, content: [{ type: 'text', text: 'Not there.' }] },
    ]),
    expected: STORY,
  },
} satisfies Record<string, Sample>
