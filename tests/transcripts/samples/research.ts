/**
 * Trajectories of research agents.
 *
 * @module
 */

import { at, FILES, GONE, json, lines, type Sample, STORY, UNMARKED } from './story.js'

const openhands = (id: number, fields: object) => ({
  id,
  timestamp: at(id),
  source: 'agent',
  ...fields,
})

const toolCall = (tool_call_id: string, function_name: string) => ({
  tool_call_metadata: {
    tool_call_id,
    function_name,
    model_response: { id: 'm1', model: 'm', usage: { prompt_tokens: 9, completion_tokens: 3 } },
  },
})

/** The samples, by format. */
export const RESEARCH = {
  'openhands-v0': {
    text: json([
      openhands(0, { source: 'user', action: 'message', args: { content: 'look' } }),
      openhands(1, { source: 'agent', action: 'recall', args: {} }),
      openhands(2, {
        action: 'run',
        args: { command: 'ls', thought: 'hm' },
        ...toolCall('1', 'ls'),
      }),
      openhands(3, { action: 'read', args: { path: 'c.txt' }, ...toolCall('2', 'read') }),
      openhands(4, {
        observation: 'run',
        cause: 2,
        content: FILES,
        extras: { metadata: { exit_code: -1 } },
        ...toolCall('1', 'ls'),
      }),
      openhands(5, {
        observation: 'error',
        cause: 3,
        content: GONE,
        extras: {},
        ...toolCall('2', 'read'),
      }),
      openhands(6, { source: 'environment', observation: 'agent_state_changed', content: '' }),
    ]),
    expected: { ...STORY, tokens: { in: 9, out: 3 } },
  },
  'openhands-v1': {
    text: lines(
      openhands(1, {
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'look' }] },
      }),
      openhands(2, {
        kind: 'ActionEvent',
        tool_name: 'ls',
        tool_call_id: '1',
        llm_response_id: 'm',
        action: { kind: 'LsAction' },
        tool_call: { id: '1', name: 'ls', arguments: '{"summary":"list","security_risk":"LOW"}' },
      }),
      openhands(3, {
        kind: 'ActionEvent',
        tool_name: 'read',
        tool_call_id: '2',
        llm_response_id: 'm',
        action: { kind: 'ReadAction', path: 'c.txt' },
      }),
      openhands(4, {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_call_id: '1',
        observation: { content: [{ type: 'text', text: FILES }], is_error: false, exit_code: 1 },
      }),
      openhands(5, { kind: 'AgentErrorEvent', tool_call_id: '2', error: GONE }),
      openhands(6, {
        kind: 'ConversationStateUpdateEvent',
        key: 'stats',
        value: {
          usage_to_metrics: {
            default: { accumulated_token_usage: { prompt_tokens: 70, completion_tokens: 7 } },
          },
        },
      }),
      openhands(7, {
        kind: 'ConversationStateUpdateEvent',
        key: 'stats',
        value: {
          usage_to_metrics: {
            default: { accumulated_token_usage: { prompt_tokens: 90, completion_tokens: 9 } },
          },
        },
      }),
    ),
    expected: { ...STORY, tokens: { in: 90, out: 9 } },
  },
  'swe-agent': {
    text: json({
      environment: 'main',
      trajectory: [
        { action: 'ls', observation: FILES, response: 'r', thought: 'hm' },
        { action: 'cat c.txt\n', observation: GONE, response: 'r', thought: 'so' },
        { action: 'exit_cost', observation: '', response: 'r', thought: '' },
      ],
      history: [
        { role: 'system', content: 'x', agent: 'main' },
        { role: 'assistant', content: 'hm', action: 'ls', agent: 'main' },
        {
          role: 'assistant',
          content: 'so',
          action: 'cat c.txt\n',
          agent: 'main',
          tool_calls: [{ id: '2', function: { name: 'read', arguments: '{"path":"c.txt"}' } }],
        },
      ],
      info: { model_stats: { tokens_sent: 80, tokens_received: 8, instance_cost: 0.3 } },
    }),
    expected: { ...UNMARKED, userMessages: 0, tokens: { in: 80, out: 8 } },
  },
  'mini-swe-agent': {
    text: json({
      trajectory_format: 'mini-swe-agent-1.1',
      info: { exit_status: 'Submitted' },
      messages: [
        { role: 'system', content: 'x' },
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: 'hm\n```bash\nls\n```',
          extra: { response: { model: 'm', usage: { prompt_tokens: 15, completion_tokens: 5 } } },
        },
        { role: 'user', content: `<returncode>0</returncode>\n<output>\n${FILES}\n</output>` },
        { role: 'assistant', content: 'so', extra: { actions: [{ command: 'cat c.txt' }] } },
        { role: 'user', content: GONE, extra: { returncode: 1 } },
        { role: 'user', content: 'no action', extra: { interrupt_type: 'FormatError' } },
        { role: 'exit', content: 'done' },
      ],
    }),
    expected: {
      ...STORY,
      firstTools: ['bash', 'bash'],
      lastTool: 'bash',
      tokens: { in: 15, out: 5 },
    },
  },
  inspect: {
    text: json({
      version: 2,
      status: 'success',
      eval: { task: 'x', model: 'm' },
      samples: [
        {
          id: 1,
          epoch: 1,
          messages: [
            { role: 'system', content: 'x' },
            { role: 'user', source: 'input', content: 'attachment://abc' },
            {
              role: 'assistant',
              source: 'generate',
              content: '',
              tool_calls: [
                { id: '1', function: 'ls', arguments: {}, type: 'function' },
                { id: '2', function: 'read', arguments: { path: 'c.txt' }, type: 'function' },
              ],
            },
            { role: 'tool', tool_call_id: '1', function: 'ls', content: FILES },
            {
              role: 'tool',
              tool_call_id: '2',
              function: 'read',
              content: '',
              error: { type: 'file_not_found', message: GONE },
            },
          ],
          attachments: { abc: 'look' },
          model_usage: { m: { input_tokens: 16, output_tokens: 6, input_tokens_cache_read: 1 } },
        },
      ],
    }),
    expected: { ...STORY, tokens: { in: 16, out: 6 }, cacheRead: 1 },
  },
} satisfies Record<string, Sample>
