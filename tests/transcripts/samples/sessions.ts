/**
 * Sessions that command-line agents keep.
 *
 * @module
 */

import { at, FILES, GONE, json, lines, type Sample, STORY } from './story.js'

const claude = (second: number, fields: object) => ({
  uuid: `u${second}`,
  parentUuid: `u${second - 1}`,
  sessionId: 's',
  timestamp: at(second),
  isSidechain: false,
  ...fields,
})

const response = (second: number, block: object, out: number) =>
  claude(second, {
    type: 'assistant',
    message: {
      id: 'msg_1',
      role: 'assistant',
      model: 'claude',
      content: [block],
      usage: { input_tokens: 10, output_tokens: out, cache_read_input_tokens: 7 },
    },
  })

const answer = (id: string, content: string, is_error: boolean) => ({
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] },
})

const codex = (second: number, type: string, payload: object) => ({
  timestamp: at(second),
  type,
  payload,
})

const copilot = (second: number, type: string, data: object) => ({
  id: `e${second}`,
  timestamp: at(second),
  type,
  data,
})

/** The samples, by format. */
export const SESSIONS = {
  'claude-code': {
    text: lines(
      { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
      claude(1, { type: 'user', message: { role: 'user', content: 'look' } }),
      response(2, { type: 'thinking', thinking: 'hm' }, 1),
      response(3, { type: 'tool_use', id: '1', name: 'ls', input: {} }, 1),
      claude(4, { type: 'user', sourceToolAssistantUUID: 'u3', ...answer('1', FILES, false) }),
      response(5, { type: 'tool_use', id: '2', name: 'read', input: { path: 'c.txt' } }, 5),
      claude(6, { type: 'user', sourceToolAssistantUUID: 'u5', ...answer('2', GONE, true) }),
      claude(7, { type: 'system', subtype: 'compact_boundary' }),
      claude(8, { type: 'user', isCompactSummary: true, message: { content: 'So far: …' } }),
    ),
    expected: { ...STORY, tokens: { in: 10, out: 5 }, cacheRead: 7, compactions: 1 },
  },
  codex: {
    text: lines(
      codex(1, 'session_meta', { id: 's', cwd: '/', cli_version: '1' }),
      codex(1, 'turn_context', { model: 'm' }),
      codex(2, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>…</environment_context>' }],
      }),
      codex(2, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'look' }],
      }),
      codex(2, 'event_msg', { type: 'user_message', message: 'look' }),
      codex(3, 'response_item', {
        type: 'function_call',
        call_id: '1',
        name: 'ls',
        arguments: '{}',
      }),
      codex(3, 'response_item', {
        type: 'custom_tool_call',
        call_id: '2',
        name: 'read',
        input: 'c.txt',
      }),
      codex(4, 'response_item', {
        type: 'function_call_output',
        call_id: '1',
        output: `Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${FILES}`,
      }),
      codex(5, 'response_item', {
        type: 'custom_tool_call_output',
        call_id: '2',
        output: `Exit code: 1\n${GONE}`,
      }),
      codex(6, 'event_msg', {
        type: 'token_count',
        info: {
          total_token_usage: { input_tokens: 40, output_tokens: 4 },
          last_token_usage: { input_tokens: 40, cached_input_tokens: 30, output_tokens: 4 },
        },
      }),
    ),
    expected: { ...STORY, tokens: { in: 40, out: 4 }, cacheRead: 30 },
  },
  'gemini-cli': {
    text: lines(
      { sessionId: 's', projectHash: 'h', startTime: at(1), lastUpdated: at(1), kind: 'main' },
      { id: 'm1', timestamp: at(1), type: 'user', content: 'look' },
      { id: 'm2', timestamp: at(2), type: 'gemini', content: '', tokens: { input: 1, output: 1 } },
      {
        id: 'm2',
        timestamp: at(2),
        type: 'gemini',
        content: [{ text: 'I look.' }],
        thoughts: [{ subject: 'hm', description: 'so' }],
        toolCalls: [
          {
            id: '1',
            name: 'ls',
            args: {},
            status: 'success',
            result: [{ functionResponse: { id: '1', name: 'ls', response: { output: FILES } } }],
          },
          {
            id: '2',
            name: 'read',
            args: { path: 'c.txt' },
            status: 'error',
            result: [{ functionResponse: { id: '2', name: 'read', response: { error: GONE } } }],
          },
        ],
        tokens: { input: 50, output: 6, cached: 20, total: 56 },
        model: 'm',
      },
      { id: 'm3', timestamp: at(3), type: 'info', content: 'note' },
    ),
    expected: { ...STORY, tokens: { in: 50, out: 6 }, cacheRead: 20 },
  },
  'qwen-code': {
    text: lines(
      {
        uuid: 'u1',
        parentUuid: null,
        sessionId: 's',
        timestamp: at(1),
        type: 'user',
        message: { role: 'user', parts: [{ text: 'look' }] },
      },
      {
        uuid: 'u2',
        parentUuid: 'u1',
        sessionId: 's',
        timestamp: at(2),
        type: 'assistant',
        model: 'qwen',
        message: {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { functionCall: { id: '1', name: 'ls', args: {} } },
            { functionCall: { id: '2', name: 'read', args: { path: 'c.txt' } } },
          ],
        },
        usageMetadata: { promptTokenCount: 13, candidatesTokenCount: 2 },
      },
      {
        uuid: 'u3',
        parentUuid: 'u2',
        sessionId: 's',
        timestamp: at(3),
        type: 'tool_result',
        message: {
          role: 'user',
          parts: [{ functionResponse: { id: '1', name: 'ls', response: { output: FILES } } }],
        },
        toolCallResult: { callId: '1', status: 'success' },
      },
      {
        uuid: 'u4',
        parentUuid: 'u3',
        sessionId: 's',
        timestamp: at(4),
        type: 'tool_result',
        message: {
          role: 'user',
          parts: [{ functionResponse: { id: '2', name: 'read', response: { error: GONE } } }],
        },
        toolCallResult: { callId: '2', status: 'error' },
      },
      { uuid: 'u5', parentUuid: 'u4', sessionId: 's', type: 'system', subtype: 'chat_compression' },
    ),
    expected: { ...STORY, tokens: { in: 13, out: 2 }, compactions: 1 },
  },
  opencode: {
    text: json({
      info: { id: 'ses', title: 'x' },
      messages: [
        { info: { id: 'm1', role: 'user' }, parts: [{ type: 'text', text: 'look' }] },
        {
          info: { id: 'm2', role: 'assistant', modelID: 'm', tokens: { input: 1, output: 1 } },
          parts: [
            { type: 'step-start' },
            {
              type: 'tool',
              callID: '1',
              tool: 'ls',
              state: { status: 'completed', input: {}, output: FILES, metadata: { exit: 1 } },
            },
            {
              type: 'tool',
              callID: '2',
              tool: 'read',
              state: { status: 'error', input: { path: 'c.txt' }, error: GONE },
            },
            {
              type: 'step-finish',
              cost: 0.2,
              tokens: { input: 14, output: 3, cache: { read: 2, write: 1 } },
            },
          ],
        },
      ],
    }),
    expected: { ...STORY, tokens: { in: 14, out: 3 }, cacheRead: 2, cacheWrite: 1 },
  },
  copilot: {
    text: lines(
      copilot(1, 'session.start', { sessionId: 's' }),
      copilot(2, 'user.message', { content: 'look' }),
      copilot(3, 'assistant.message', {
        content: '',
        model: 'm',
        outputTokens: 5,
        toolRequests: [{ toolCallId: '1', name: 'ls', arguments: {} }],
      }),
      copilot(4, 'tool.execution_start', { toolCallId: '1', toolName: 'ls', arguments: {} }),
      copilot(4, 'tool.execution_start', { toolCallId: '2', toolName: 'read', arguments: {} }),
      copilot(5, 'tool.execution_complete', {
        toolCallId: '1',
        success: true,
        result: { content: FILES },
      }),
      copilot(6, 'tool.execution_complete', {
        toolCallId: '2',
        success: false,
        error: { message: GONE, code: 'failure' },
      }),
      copilot(7, 'session.shutdown', {
        modelMetrics: { m: { usage: { inputTokens: 60, outputTokens: 6, cacheReadTokens: 9 } } },
      }),
    ),
    expected: { ...STORY, tokens: { in: 60, out: 6 }, cacheRead: 9 },
  },
  pi: {
    text: lines(
      { type: 'session', version: 3, id: 's', cwd: '/', timestamp: at(1) },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        message: { role: 'user', content: [{ type: 'text', text: 'look' }] },
      },
      {
        type: 'message',
        id: 'off',
        parentId: 'a',
        message: { role: 'user', content: 'another branch' },
      },
      {
        type: 'message',
        id: 'b',
        parentId: 'a',
        message: {
          role: 'assistant',
          model: 'm',
          content: [
            { type: 'toolCall', id: '1', name: 'ls', arguments: {} },
            { type: 'toolCall', id: '2', name: 'read', arguments: { path: 'c.txt' } },
          ],
          usage: { input: 3, output: 4, cacheRead: 5, cacheWrite: 6, cost: { total: 0.5 } },
        },
      },
      {
        type: 'message',
        id: 'c',
        parentId: 'b',
        message: {
          role: 'toolResult',
          toolCallId: '1',
          toolName: 'ls',
          content: [{ type: 'text', text: FILES }],
          isError: false,
        },
      },
      {
        type: 'message',
        id: 'd',
        parentId: 'c',
        message: {
          role: 'toolResult',
          toolCallId: '2',
          toolName: 'read',
          content: [{ type: 'text', text: GONE }],
          isError: true,
        },
      },
    ),
    expected: { ...STORY, tokens: { in: 3, out: 4 }, cacheRead: 5, cacheWrite: 6 },
  },
} satisfies Record<string, Sample>
