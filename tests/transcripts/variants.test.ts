/**
 * Variants of the formats: older and newer versions, other containers, and what writers do that the
 * format does not foresee. Each is a small transcript with the figures that a person would count.
 */

import { readTranscript } from 'loophound'
import { describe, expect, it } from 'vitest'
import { kinds, lines, only } from './pick.js'
import { type Summary, summarize } from './summary.js'

type Row = readonly [name: string, transcript: unknown, figures: Partial<Summary>]

const person = { role: 'user', content: 'go' }
const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string, name = 'ls') => ({ type: 'tool_use', id, name, input: {} })
const answer = (id: string, content: unknown = 'x') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const listed = (id: unknown, name = 'ls') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})

const chat: Row[] = [
  [
    'a tool that returned data, and numbers as ids',
    [
      person,
      { role: 'assistant', content: null, tool_calls: [listed(1)] },
      { role: 'tool', tool_call_id: 1, content: { files: [] } },
    ],
    { format: 'openai-chat', calls: 1, results: 1 },
  ],
  [
    'calls and results repeated as parts of content',
    [
      person,
      { role: 'assistant', content: [use('1')], tool_calls: [listed('1')] },
      { role: 'tool', tool_call_id: '1', content: [answer('1')] },
    ],
    { format: 'openai-chat', calls: 1, results: 1 },
  ],
  [
    'usage in each message',
    [
      person,
      { role: 'assistant', content: 'a', usage: { prompt_tokens: 3, completion_tokens: 4 } },
      { role: 'assistant', content: 'b', usage: { prompt_tokens: 5, completion_tokens: 6 } },
    ],
    { format: 'openai-chat', tokens: { in: 8, out: 10 } },
  ],
  [
    'messages deep in the object of another program',
    {
      data: {
        thread: { messages: [person, { role: 'assistant', tool_calls: [listed('1')] }] },
      },
    },
    { format: 'openai-chat', calls: 1, userMessages: 1 },
  ],
  [
    'a wrapped run per line',
    lines({ run: { trajectory: [person] } }, { run: { trajectory: [person] } }),
    { format: 'openai-chat', agents: 2, userMessages: 2 },
  ],
  [
    'a log of a request and its response, with reasoning in details',
    {
      request: { messages: [person] },
      response: {
        choices: [
          {
            message: {
              role: 'assistant',
              reasoning_details: [{ type: 'reasoning.text', text: 'hm' }],
              tool_calls: [listed('1')],
            },
          },
        ],
      },
    },
    { format: 'openai-chat', calls: 1, userMessages: 1 },
  ],
  [
    'figures that only Python writes',
    '{"score": NaN, "low": -Infinity, "messages": [{"role": "user", "content": "a: NaN, \\" b"}]}',
    { format: 'openai-chat', userMessages: 1 },
  ],
]

const anthropic: Row[] = [
  [
    'blocks that hold blocks',
    [
      {
        role: 'user',
        content: [text('q'), { type: 'search_result', source: 'u', content: [text('found')] }],
      },
      { role: 'assistant', content: [use('1')] },
      { role: 'user', content: [answer('1')] },
    ],
    { format: 'anthropic', calls: 1, results: 1, userMessages: 1 },
  ],
  [
    'a failed tool of the provider',
    [
      person,
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: '1', name: 'web_search', input: {} },
          {
            type: 'web_search_tool_result',
            tool_use_id: '1',
            content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
          },
        ],
      },
    ],
    { format: 'anthropic', calls: 1, results: 1, errors: 1 },
  ],
  [
    'a request without tools',
    { model: 'm', max_tokens: 9, system: 's', messages: [person] },
    { format: 'anthropic', userMessages: 1 },
  ],
  [
    'a request with its response, whose usage is not that of the run',
    {
      messages: [person],
      response: { role: 'assistant', content: [use('1')], usage: { input_tokens: 1 } },
    },
    { calls: 1, tokens: null },
  ],
]

const invocation = (state: string, id: string) => ({
  state,
  toolCallId: id,
  toolName: 'ls',
  args: {},
  ...(state === 'result' && { result: 'x' }),
})

const aiSdk: Row[] = [
  [
    'an approval is no result',
    [
      person,
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: '1', toolName: 'ls', input: {} },
          { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'ls',
            output: { type: 'error-text', value: 'x' },
          },
        ],
      },
    ],
    { format: 'ai-sdk-model', calls: 1, results: 1, errors: 1 },
  ],
  [
    'version 4',
    [
      { id: '1', role: 'user', content: 'x', parts: [text('x')] },
      {
        id: '2',
        role: 'assistant',
        content: '',
        parts: [
          { type: 'step-start' },
          { type: 'tool-invocation', toolInvocation: invocation('result', '1') },
          { type: 'tool-invocation', toolInvocation: invocation('call', '2') },
          { type: 'tool-invocation', toolInvocation: invocation('partial-call', '3') },
        ],
      },
    ],
    { format: 'ai-sdk-ui', calls: 2, results: 1, firstTools: ['ls', 'ls'], userMessages: 1 },
  ],
  [
    'version 4 without parts',
    [
      { id: '1', role: 'user', content: 'x' },
      {
        id: '2',
        role: 'assistant',
        content: 'y',
        toolInvocations: [invocation('result', '1')],
      },
    ],
    { format: 'ai-sdk-ui', calls: 1, results: 1, userMessages: 1 },
  ],
  [
    'devtools: a result before an answer that was not recorded',
    {
      runs: [{ id: 'r' }, { id: 'q' }],
      steps: [
        {
          run_id: 'r',
          input: JSON.stringify({ prompt: [person] }),
          output: JSON.stringify({
            content: [{ type: 'tool-call', toolCallId: '1', toolName: 'ls', input: {} }],
          }),
        },
        {
          run_id: 'q',
          input: JSON.stringify({
            prompt: [
              person,
              {
                role: 'assistant',
                content: [{ type: 'tool-call', toolCallId: '1', toolName: 'ls', input: {} }],
              },
              {
                role: 'tool',
                content: [
                  {
                    type: 'tool-result',
                    toolCallId: '1',
                    toolName: 'ls',
                    output: { type: 'text', value: 'x' },
                  },
                ],
              },
              { role: 'assistant', content: 'done' },
              person,
            ],
          }),
          output: JSON.stringify({ content: [text('z')] }),
        },
      ],
    },
    { format: 'ai-sdk-devtools', calls: 1, results: 1 },
  ],
]

const row = (type: string, fields: object) => ({
  type,
  uuid: 'u',
  parentUuid: 'p',
  sessionId: 's',
  ...fields,
})
const block = (id: string, content: object) => ({
  message: {
    id,
    role: 'assistant',
    content: [content],
    usage: { input_tokens: 1, output_tokens: 2 },
  },
})
const printed = (type: string, parent: string | null, fields: object) => ({
  type,
  session_id: 's',
  uuid: 'u',
  parent_tool_use_id: parent,
  ...fields,
})

const claudeCode: Row[] = [
  [
    'a text of the program between the lines of one response',
    lines(
      row('assistant', block('m', use('1', 'Skill'))),
      row('user', { message: { role: 'user', content: [answer('1')] } }),
      row('user', { isMeta: true, message: { role: 'user', content: 'the skill' } }),
      row('assistant', block('m', use('2'))),
      row('user', { message: { role: 'user', content: [answer('2')] } }),
    ),
    { format: 'claude-code', calls: 2, results: 2, userMessages: 0, tokens: { in: 1, out: 2 } },
  ],
  [
    'what the command prints as stream-json',
    lines(
      { type: 'system', subtype: 'init', session_id: 's', tools: [], uuid: 'i' },
      printed('assistant', null, block('m', use('1', 'Task'))),
      printed('assistant', '1', block('n', use('2'))),
      printed('user', '1', { message: { role: 'user', content: [answer('2')] } }),
      printed('user', null, { message: { role: 'user', content: [answer('1')] } }),
      { type: 'result', subtype: 'success', session_id: 's', usage: { input_tokens: 99 } },
    ),
    { format: 'claude-code', calls: 2, results: 2, agents: 2, tokens: { in: 2, out: 4 } },
  ],
  [
    'a cut-out without ids',
    lines(
      { type: 'user', message: { content: 'go' } },
      { type: 'assistant', message: { content: [use('1')], usage: { input_tokens: 1 } } },
      { type: 'user', message: { content: [answer('1')] } },
    ),
    { format: 'claude-code', calls: 1, results: 1, userMessages: 1 },
  ],
  [
    'additions of the program before what a person wrote, and alone',
    lines(
      row('user', {
        message: { content: '<system-reminder>\nx\n</system-reminder>\n\nMend the parser.' },
      }),
      row('user', { message: { content: '<system-reminder>x</system-reminder>' } }),
      row('user', {
        message: {
          content: '<ide_opened_file>a</ide_opened_file>\n<ide_selection>b</ide_selection>\n',
        },
      }),
      row('user', { message: { content: '<system-reminder>x</system-reminder><bash-input>ls' } }),
    ),
    { format: 'claude-code', userMessages: 1 },
  ],
]

const output = (id: string, value: unknown) => ({
  type: 'response_item',
  payload: { type: 'function_call_output', call_id: id, output: value },
})

const codex: Row[] = [
  [
    'exit codes: beside the output, before it, or not there',
    lines(
      { type: 'session_meta', payload: { id: 's' } },
      output('1', JSON.stringify({ output: 'x'.repeat(5000), metadata: { exit_code: 1 } })),
      output(
        '2',
        JSON.stringify({ output: 'Process exited with code 3', metadata: { exit_code: 0 } }),
      ),
      output('3', 'Wall time: 1\nProcess running with session ID 4\nOutput:\nexited with code 3'),
      output('4', [{ type: 'input_text', text: 'Exit code: 2\nOutput:\n' }]),
      output('5', { content: 'x', success: false }),
    ),
    { format: 'codex', results: 5, errors: 3 },
  ],
  [
    'the first version, which had no envelopes',
    lines(
      { id: 's', timestamp: '2025-05-01T00:00:00Z', instructions: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', call_id: '1', name: 'shell', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: '1',
        output: JSON.stringify({ output: '', metadata: { exit_code: 1 } }),
      },
    ),
    { format: 'codex', calls: 1, results: 1, errors: 1, userMessages: 1 },
  ],
  [
    'totals alone, and a compaction that is told twice',
    lines(
      { type: 'session_meta', payload: { id: 's' } },
      ...[10, 30].map((input_tokens) => ({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: { input_tokens, output_tokens: 2 } },
        },
      })),
      { type: 'compacted', payload: { message: 'x' } },
      { type: 'response_item', payload: { type: 'compaction' } },
    ),
    { format: 'codex', tokens: { in: 30, out: 2 }, compactions: 1 },
  ],
]

const message = (type: string, source: string, content: unknown) => ({
  type,
  source,
  content,
  models_usage: null,
})
const autogen = [message('TextMessage', 'user', 'x'), message('TextMessage', 'a', 'y')]
const construct = (kind: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', kind],
  kwargs,
})

const frameworks: Row[] = [
  [
    'langchain: the state of a thread',
    {
      values: {
        messages: [
          { type: 'human', content: 'x' },
          { type: 'AIMessageChunk', content: '', tool_calls: [{ name: 'ls', args: {}, id: '1' }] },
        ],
      },
      next: [],
    },
    { format: 'langchain', calls: 1, userMessages: 1 },
  ],
  [
    'langsmith: tokens in what the model returned, and a tool that never ended',
    [
      {
        id: '1',
        run_type: 'llm',
        dotted_order: '1',
        inputs: {},
        outputs: {
          generations: [
            [
              {
                message: construct('AIMessage', {
                  content: 'x',
                  usage_metadata: { input_tokens: 5, output_tokens: 6 },
                }),
              },
            ],
          ],
        },
      },
      { id: '2', run_type: 'tool', name: 'ls', dotted_order: '2', inputs: {}, outputs: null },
      { id: '3', run_type: 'tool', name: 'ls', dotted_order: '3', inputs: {}, error: 'no' },
    ],
    { format: 'langsmith', calls: 2, results: 1, errors: 1, tokens: { in: 5, out: 6 } },
  ],
  [
    'autogen: a person has the last word, in a saved task result',
    { task_result: { messages: [...autogen, message('TextMessage', 'user', 'bye')] } },
    { format: 'autogen', agents: 1, userMessages: 2 },
  ],
  [
    'autogen: the saved state of a team',
    {
      type: 'TeamState',
      agent_states: { manager: { type: 'RoundRobinManagerState', message_thread: autogen } },
    },
    { format: 'autogen', agents: 1, userMessages: 1 },
  ],
  [
    'langchain: functions, usage of the provider, and a summary for the model',
    [
      construct('HumanMessage', { content: 'x' }),
      construct('AIMessage', {
        content: '',
        additional_kwargs: { function_call: { name: 'ls', arguments: '{}' } },
        response_metadata: { token_usage: { prompt_tokens: 3, completion_tokens: 4 } },
      }),
      construct('FunctionMessage', { content: 'a', name: 'ls' }),
      construct('HumanMessage', {
        content: 'So far: x',
        additional_kwargs: { lc_source: 'summarization' },
      }),
    ],
    { format: 'langchain', calls: 1, results: 1, userMessages: 1, tokens: { in: 3, out: 4 } },
  ],
  [
    'langfuse: an export to a bucket',
    lines(
      {
        id: '1',
        type: 'TOOL',
        name: 'ls',
        start_time: '2026-01-01T00:00:01Z',
        end_time: '2026-01-01T00:00:02Z',
        level: 'ERROR',
        status_message: 'no',
        input: '{}',
      },
      {
        id: '2',
        type: 'GENERATION',
        start_time: '2026-01-01T00:00:00Z',
        usage_details: { input: 5, output: 6 },
        output: 'x',
      },
    ),
    { format: 'langfuse', calls: 1, results: 1, errors: 1, tokens: { in: 5, out: 6 } },
  ],
]

const span = (id: string, attributes: object, fields: object = {}) => ({
  traceId: 't',
  spanId: id,
  name: `span ${id}`,
  startTimeUnixNano: '1700000000000000000',
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value: { stringValue: value },
  })),
  ...fields,
})
const trace = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const tool = { 'gen_ai.operation.name': 'execute_tool' }
const told = (name: string, attributes: object) => ({
  name,
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value: { stringValue: value },
  })),
})

const traces: Row[] = [
  [
    'otel: tools that start at the same time, one with a type of error only',
    trace(
      span('1', { ...tool, 'gen_ai.tool.name': 'a', 'gen_ai.tool.call.result': 'x' }),
      span('2', { ...tool, 'gen_ai.tool.name': 'b', 'error.type': 'Timeout' }),
    ),
    { format: 'otel', calls: 2, results: 2, errors: 1, firstTools: ['a', 'b'] },
  ],
  [
    'otel: a span that names its tool and says no more',
    trace(span('1', { 'gen_ai.tool.name': 'a', tool_arguments: '{}', tool_response: 'x' })),
    { format: 'otel', calls: 1, results: 1, firstTools: ['a'] },
  ],
  [
    'otel: messages in events of the span',
    trace(
      span(
        '1',
        { 'gen_ai.operation.name': 'chat' },
        {
          events: [
            {
              attributes: [
                {
                  key: 'gen_ai.output.messages',
                  value: {
                    stringValue: JSON.stringify([
                      {
                        role: 'assistant',
                        parts: [{ type: 'tool_call', id: '1', name: 'ls', arguments: {} }],
                      },
                    ]),
                  },
                },
              ],
            },
          ],
        },
      ),
      span('2', {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': JSON.stringify([
          { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'x' }] },
        ]),
        'gen_ai.output.messages': '[]',
      }),
    ),
    { format: 'otel', calls: 1, results: 1 },
  ],
  [
    'otel: messages that are events, as before 1.37',
    trace(
      span(
        '1',
        { 'gen_ai.operation.name': 'chat' },
        {
          events: [
            told('gen_ai.user.message', { content: 'go' }),
            told('gen_ai.choice', {
              message: JSON.stringify({
                tool_calls: [{ id: 'c', function: { name: 'ls', arguments: '{}' } }],
              }),
            }),
          ],
        },
      ),
      span(
        '2',
        { 'gen_ai.operation.name': 'chat' },
        {
          events: [
            told('gen_ai.tool.message', { id: 'c', content: '[1, 2]' }),
            told('gen_ai.choice', { message: 'done' }),
          ],
        },
      ),
    ),
    { format: 'otel', calls: 1, results: 1, firstTools: ['ls'] },
  ],
  [
    'otel: what a tool was given and returned, as messages',
    trace(
      span(
        '1',
        { ...tool, 'gen_ai.tool.name': 'ls' },
        {
          events: [
            told('gen_ai.tool.message', { content: '{"a":1}' }),
            told('gen_ai.choice', { message: '[{"text":"b"}]' }),
          ],
        },
      ),
    ),
    { format: 'otel', calls: 1, results: 1 },
  ],
  [
    'otel: the names of protocol buffers',
    {
      resource_spans: [
        {
          scope_spans: [
            {
              spans: [
                {
                  trace_id: 't',
                  span_id: 's',
                  name: 'execute_tool ls',
                  start_time_unix_nano: '1700000000000000000',
                  attributes: [
                    { key: 'gen_ai.operation.name', value: { string_value: 'execute_tool' } },
                    { key: 'gen_ai.tool.call.result', value: { string_value: 'a' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    { format: 'otel', calls: 1, results: 1, firstTools: ['ls'] },
  ],
]

const run = (id: number, cause?: number) => ({ id, source: 'agent', cause })
const steps = [{ step_id: 1, source: 'user', message: 'x' }]

const trajectories: Row[] = [
  [
    'openhands-v0: a command that was killed, and one that a person ran',
    [
      { ...run(1), action: 'run', args: { command: 'ls' } },
      { ...run(2, 1), observation: 'run', content: '', extras: { metadata: { exit_code: -15 } } },
      { id: 3, source: 'user', action: 'run', args: { command: 'ls' } },
      { ...run(4, 3), observation: 'run', content: '', extras: {} },
    ],
    { format: 'openhands-v0', calls: 1, results: 1, errors: 1 },
  ],
  [
    'openhands-v1: tokens in the whole state',
    lines({
      id: '1',
      kind: 'ConversationStateUpdateEvent',
      source: 'environment',
      key: 'full_state',
      value: {
        stats: {
          usage_to_metrics: {
            agent: { accumulated_token_usage: { prompt_tokens: 5, completion_tokens: 6 } },
          },
        },
      },
    }),
    { format: 'openhands-v1', tokens: { in: 5, out: 6 } },
  ],
  [
    'atif: several trajectories, of which one has only totals',
    [
      {
        schema_version: 'ATIF-v1.4',
        steps,
        final_metrics: { total_prompt_tokens: 7, total_completion_tokens: 8 },
      },
      {
        schema_version: 'ATIF-v1.4',
        steps: [
          ...steps,
          { step_id: 2, source: 'agent', message: 'y', metrics: { prompt_tokens: 1 } },
        ],
        final_metrics: { total_prompt_tokens: 100 },
      },
    ],
    { format: 'atif', agents: 2, userMessages: 2, tokens: { in: 8, out: 8 } },
  ],
  [
    'mini-swe-agent with the Responses API',
    {
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        person,
        {
          object: 'response',
          output: [{ type: 'function_call', call_id: '1', name: 'bash', arguments: '{}' }],
          usage: { input_tokens: 1, output_tokens: 2 },
          extra: { actions: [{ command: 'ls' }] },
        },
        {
          type: 'function_call_output',
          call_id: '1',
          output: '<returncode>1</returncode>',
          extra: { returncode: 1 },
        },
      ],
    },
    { format: 'mini-swe-agent', calls: 1, results: 1, errors: 1, tokens: { in: 1, out: 2 } },
  ],
  [
    'swe-agent: an empty trajectory beside the history',
    {
      trajectory: [],
      history: [
        { role: 'system', content: 's', agent: 'main', message_type: 'system_prompt' },
        { role: 'assistant', content: 'x', action: 'ls -a', message_type: 'action' },
        { role: 'user', content: 'a', message_type: 'observation' },
      ],
    },
    { format: 'swe-agent', calls: 1, results: 1, firstTools: ['ls'] },
  ],
  [
    'inspect: user messages that the loop of the agent wrote',
    {
      version: 2,
      eval: {},
      samples: [
        {
          id: 1,
          messages: [
            { role: 'user', content: 'q', source: 'input' },
            { role: 'assistant', content: 'a' },
            { role: 'user', content: 'Please proceed.' },
          ],
        },
      ],
    },
    { format: 'inspect', userMessages: 1 },
  ],
  [
    'inspect: a header alone',
    { version: 2, status: 'started', eval: {}, plan: {} },
    { format: 'inspect', calls: 0 },
  ],
]

const editors: Row[] = [
  [
    "pi: summaries and messages of extensions are no one's",
    lines(
      { type: 'session', version: 3, id: 's', cwd: '/' },
      { type: 'message', id: '1', message: { role: 'user', content: 'x' } },
      {
        type: 'message',
        id: '2',
        parentId: '1',
        message: { role: 'compactionSummary', summary: 'y' },
      },
      { type: 'message', id: '3', parentId: '2', message: { role: 'custom', content: 'z' } },
    ),
    { format: 'pi', userMessages: 1 },
  ],
  [
    'roo: results of tools that change modes and start tasks',
    [
      { role: 'user', ts: 1, content: [text('<task>\nx\n</task>')] },
      {
        role: 'assistant',
        ts: 2,
        condenseParent: 'c',
        content: [text('<new_task>\n<mode>code</mode>\n</new_task>')],
      },
      { role: 'user', ts: 3, content: [text("[new_task in code mode: 'm'] Result:"), text('ok')] },
      { role: 'user', ts: 4, content: [text("[search_files for 'x' in '*.ts'] Result:\nok")] },
    ],
    { format: 'roo', calls: 1, results: 2, userMessages: 1 },
  ],
  [
    'gemini-cli: responses of functions are no person',
    lines(
      { sessionId: 's', projectHash: 'h' },
      { id: '1', type: 'user', content: [{ text: 'x' }] },
      {
        id: '2',
        type: 'gemini',
        content: '',
        toolCalls: [{ id: 'a', name: 'ls', args: {}, status: 'success', result: [] }],
      },
      { id: '3', type: 'user', content: [{ functionResponse: { id: 'a', response: {} } }] },
    ),
    { format: 'gemini-cli', calls: 1, results: 1, userMessages: 1 },
  ],
  [
    'pi: usage of summaries and of keeping a cache warm, and calls that a tool made',
    lines(
      { type: 'custom', customType: 'x' },
      { type: 'session', version: 3, id: 's', cwd: '/' },
      {
        type: 'message',
        id: '1',
        parentId: null,
        message: { role: 'assistant', content: [], usage: { input: 1, output: 2 } },
      },
      {
        type: 'message',
        id: '2',
        parentId: '1',
        message: {
          role: 'toolResult',
          toolCallId: 'c',
          content: [],
          isError: false,
          nestedCalls: { calls: [{ id: 'n', name: 'read', status: 'ok' }], complete: true },
        },
      },
      { type: 'compaction', id: '3', parentId: '2', usage: { input: 10, output: 20 } },
      {
        type: 'usage',
        id: '4',
        parentId: '3',
        kind: 'cache_warm',
        usage: { input: 0, output: 0, cacheRead: 500 },
      },
    ),
    {
      format: 'pi',
      calls: 0,
      results: 1,
      compactions: 1,
      tokens: { in: 11, out: 22 },
      cacheRead: 500,
    },
  ],
  [
    'gemini-cli: a checkpoint, and the contents of a request',
    {
      history: [
        { role: 'user', parts: [{ text: 'This is the Gemini CLI. We are setting up.' }] },
        { role: 'model', parts: [{ text: 'Got it.' }] },
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { id: '1', name: 'ls', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: '1', name: 'ls', response: { error: 'no' } } }],
        },
      ],
    },
    { format: 'gemini-cli', calls: 1, results: 1, errors: 1, userMessages: 1 },
  ],
  [
    'copilot: sub-agents by their id, prompts that no person typed, usage of each response',
    lines(
      { type: 'session.start', data: {} },
      { type: 'user.message', data: { content: 'go' } },
      { type: 'assistant.message', data: { content: 'x', outputTokens: 5 } },
      { type: 'assistant.usage', data: { inputTokens: 50, outputTokens: 5 } },
      { type: 'tool.execution_start', data: { toolCallId: 't', toolName: 'task' } },
      {
        type: 'subagent.started',
        agentId: 'a',
        data: { toolCallId: 't', agentName: 'scout', agentDescription: '' },
      },
      { type: 'user.message', agentId: 'a', data: { content: 'find it' } },
      { type: 'tool.execution_start', agentId: 'a', data: { toolCallId: 'u', toolName: 'ls' } },
      {
        type: 'tool.execution_complete',
        data: { toolCallId: 'u', success: true, result: { content: 'b' }, parentToolCallId: 't' },
      },
      { type: 'user.message', data: { content: 'go on', isAutopilotContinuation: true } },
      {
        type: 'session.shutdown',
        data: { modelMetrics: { m: { usage: { inputTokens: 60, outputTokens: 7 } } } },
      },
    ),
    {
      format: 'copilot',
      agents: 2,
      calls: 2,
      results: 1,
      userMessages: 1,
      firstTools: ['task'],
      tokens: { in: 60, out: 7 },
    },
  ],
]

describe.each([
  ['openai-chat', chat],
  ['anthropic', anthropic],
  ['ai-sdk', aiSdk],
  ['claude-code', claudeCode],
  ['codex', codex],
  ['frameworks', frameworks],
  ['traces', traces],
  ['trajectories', trajectories],
  ['editors and terminals', editors],
])('%s', (_, rows) => {
  it.each(rows)('%s', (_name, transcript, figures) => {
    expect(summarize(readTranscript(transcript))).toMatchObject(figures)
  })
})

it('what a tool returned as data stays data', () => {
  const transcript = readTranscript([
    { role: 'assistant', tool_calls: [listed('1')] },
    { role: 'tool', tool_call_id: '1', content: { files: ['a'] } },
  ])
  expect(only(transcript, 'result')).toMatchObject([{ id: '1', output: { files: ['a'] } }])
})

it('bookkeeping is not taken for something broken', () => {
  const { skipped } = readTranscript(
    lines(
      { type: 'session', version: 3, id: 's', cwd: '/' },
      { type: 'message', id: '1', message: { role: 'branchSummary', summary: 'y' } },
    ),
  )
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'record type "session"',
    'branchSummary message',
  ])
})

it('sub-agents of Copilot and Codex are linked to what started them', () => {
  const copilot = readTranscript(
    lines(
      { type: 'tool.execution_start', data: { toolCallId: 't', toolName: 'task' } },
      { type: 'subagent.started', agentId: 'a', data: { toolCallId: 't', agentName: 'scout' } },
      { type: 'assistant.message', agentId: 'a', data: { content: 'x' } },
    ),
  )
  expect(copilot.agents[1]).toMatchObject({ id: 'a', name: 'scout', parent: '', parentCall: 't' })
  const spawned = { parent_thread_id: 'p', agent_nickname: 'scout' }
  const source = { subagent: { thread_spawn: spawned } }
  const codex = readTranscript(lines({ type: 'session_meta', payload: { id: 's', source } }))
  expect(codex.agents).toMatchObject([{ id: 's', parent: 'p', name: 'scout' }])
})

it('a call of gemini-cli names the sub-agent it started', () => {
  const call = { id: 'a', name: 'delegate', args: {}, agentId: 'child' }
  const transcript = readTranscript(
    lines({ sessionId: 's', projectHash: 'h' }, { id: '1', type: 'gemini', toolCalls: [call] }),
  )
  expect(only(transcript, 'spawn')).toMatchObject([{ id: 'a', child: 'child' }])
})

it('calls that Claude Code did not run are denied', () => {
  const refused = [
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    '<tool_use_error>Sibling tool call errored</tool_use_error>',
    'Permission to use Bash with command rm has been denied.',
  ]
  const transcript = readTranscript(
    lines(
      ...refused.map((content, index) =>
        row('user', { message: { role: 'user', content: [answer(`${index}`, content)] } }),
      ),
      row('user', { message: { role: 'user', content: [answer('9', 'Permission denied')] } }),
    ),
  )
  const denied = only(transcript, 'result').map((result) => result.denied === true)
  expect(denied).toEqual([true, true, true, false])
})

describe('what commands print', () => {
  it('codex exec --json', () => {
    const item = (type: string, fields: object) => ({ type: `item.${type}`, item: fields })
    const command = { id: 'i1', type: 'command_execution', command: 'make' }
    const search = { id: 'i2', type: 'mcp_tool_call', server: 'docs', tool: 'find', arguments: {} }
    const transcript = readTranscript(
      lines(
        { type: 'thread.started', thread_id: 't' },
        { type: 'turn.started' },
        item('completed', { id: 'i0', type: 'reasoning', text: 'hm' }),
        item('started', { ...command, status: 'in_progress' }),
        item('completed', { ...command, aggregated_output: 'no', exit_code: 2, status: 'failed' }),
        item('completed', { ...search, result: { content: [] }, status: 'completed' }),
        item('completed', { id: 'i3', type: 'file_change', changes: [], status: 'declined' }),
        item('completed', { id: 'i4', type: 'todo_list', items: [] }),
        item('completed', { id: 'i5', type: 'agent_message', text: 'Done.' }),
        {
          type: 'turn.completed',
          usage: { input_tokens: 5, cached_input_tokens: 2, output_tokens: 3 },
        },
      ),
    )
    expect(kinds(transcript)).toBe(
      'turn chunk call result turn call result turn call result turn text usage',
    )
    expect(summarize(transcript)).toMatchObject({
      format: 'codex',
      errors: 2,
      firstTools: ['command_execution', 'mcp__docs__find', 'file_change'],
      tokens: { in: 5, out: 3 },
    })
    expect(only(transcript, 'result')).toMatchObject([
      { id: 'i1', ok: false, exitCode: 2, output: 'no' },
      { id: 'i2', ok: true },
      { id: 'i3', ok: false, denied: true },
    ])
    expect(transcript.skipped).toMatchObject([{ reason: 'record type "todo_list"' }])
  })

  it('gemini --output-format stream-json', () => {
    const said = (role: string, content: string) => ({
      type: 'message',
      role,
      content,
      delta: true,
    })
    const use = (id: string) => ({ type: 'tool_use', tool_name: 'ls', tool_id: id, parameters: {} })
    const transcript = readTranscript(
      lines(
        { type: 'init', session_id: 's', model: 'm', timestamp: '2026-01-01T00:00:00Z' },
        said('user', 'Look.'),
        said('assistant', 'I '),
        said('assistant', 'look.'),
        use('1'),
        use('2'),
        { type: 'tool_result', tool_id: '1', status: 'success', output: 'a' },
        { type: 'tool_result', tool_id: '2', status: 'error', error: { message: 'no' } },
        said('assistant', 'Done.'),
        {
          type: 'result',
          status: 'success',
          stats: { input_tokens: 7, output_tokens: 2, cached: 1 },
        },
      ),
    )
    expect(kinds(transcript)).toBe('user turn text call call result result turn text usage')
    expect(only(transcript, 'text').map((event) => event.text)).toEqual(['I look.', 'Done.'])
    expect(summarize(transcript)).toMatchObject({
      format: 'gemini-cli',
      errors: 1,
      userMessages: 1,
      tokens: { in: 7, out: 2 },
      cacheRead: 1,
    })
  })
})

it('usage in the metadata of a message of the AI SDK is that of all its steps', () => {
  const usage = { inputTokens: 5, outputTokens: 2, cachedInputTokens: 1 }
  const message = { role: 'assistant', parts: [text('a')], metadata: { totalUsage: usage } }
  const transcript = readTranscript([{ role: 'user', parts: [text('q')] }, message])
  expect(summarize(transcript)).toMatchObject({ tokens: { in: 5, out: 2 }, cacheRead: 1 })
})

it('a sanitized export of opencode is refused, also one that has no calls', () => {
  const messages = [
    { info: { role: 'user' }, parts: [{ type: 'text', text: '[redacted:text:1]' }] },
  ]
  expect(() => readTranscript({ info: {}, messages })).toThrow(/sanitized/)
})

it('attachments of Inspect are found within parts', () => {
  const content = [text('attachment://a'), text('!')]
  const sample = { id: 1, attachments: { a: 'question' }, messages: [{ role: 'user', content }] }
  const transcript = readTranscript({ version: 2, eval: {}, samples: [sample] })
  expect(only(transcript, 'user')).toMatchObject([{ text: 'question!' }])
})

it('input that the AI SDK could not parse is kept as it was written', () => {
  const part = { type: 'tool-ls', toolCallId: '1', state: 'output-error', rawInput: '{"a":' }
  const transcript = readTranscript([{ role: 'assistant', parts: [part] }])
  expect(only(transcript, 'call')).toMatchObject([{ args: '{"a":' }])
})

it('a sub-agent of a sub-agent of Claude Code is linked to that', () => {
  const side = { isSidechain: true, parentUuid: null }
  const start = (id: string, prompt: string) =>
    block(`m${id}`, { type: 'tool_use', id, name: 'Task', input: { prompt } })
  const inline = readTranscript(
    lines(
      row('assistant', { uuid: 'a', ...start('1', 'look') }),
      row('user', { ...side, uuid: 'b', message: { content: 'look' } }),
      row('assistant', { ...side, uuid: 'c', parentUuid: 'b', ...start('2', 'deeper') }),
      row('user', { ...side, uuid: 'd', message: { content: 'deeper' } }),
    ),
  )
  const printedLines = readTranscript(
    lines(
      printed('assistant', null, start('1', 'look')),
      printed('assistant', '1', start('2', 'deeper')),
      printed('assistant', '2', block('n', use('3'))),
    ),
  )
  for (const { agents } of [inline, printedLines]) {
    const [, first, second] = agents
    expect(first).toMatchObject({ parent: '', parentCall: '1' })
    expect(second).toMatchObject({ parent: first?.id, parentCall: '2' })
  }
})
