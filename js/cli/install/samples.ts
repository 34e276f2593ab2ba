/**
 * A call and its result as each host reports them, to try out a hook.
 *
 * @module
 */

import type { Fields, Host } from '../hook/dialect.js'

const args = { command: 'true' }
const timestamp = '2026-01-01T00:00:00.000Z'

function claudeLike(session: string, more: Fields, result: Fields): readonly Fields[] {
  const call = {
    session_id: session,
    transcript_path: '',
    cwd: '/',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: args,
    tool_use_id: 'call_1',
    ...more,
  }
  return [
    { ...call, hook_event_name: 'PreToolUse' },
    { ...call, ...result },
  ]
}

const batch = {
  hook_event_name: 'PostToolBatch',
  tool_calls: [
    {
      tool_name: 'Bash',
      tool_input: args,
      tool_use_id: 'call_1',
      tool_response: '',
      status: 'success',
    },
  ],
}

/** Makes the events of a session with one call. */
export const SAMPLES: Readonly<Record<Host, (session: string) => readonly Fields[]>> = {
  'claude-code': (session) => claudeLike(session, {}, batch),
  codex: (session) =>
    claudeLike(
      session,
      { turn_id: '1', model: '' },
      { hook_event_name: 'PostToolUse', tool_response: '' },
    ),
  'qwen-code': (session) => claudeLike(session, { timestamp }, batch),
  'gemini-cli': (session) => {
    const call = {
      session_id: session,
      transcript_path: '',
      cwd: '/',
      timestamp,
      tool_name: 'run_shell_command',
      tool_input: args,
    }
    return [
      { ...call, hook_event_name: 'BeforeTool' },
      { ...call, hook_event_name: 'AfterTool', tool_response: { llmContent: '' } },
    ]
  },
  copilot: (session) => {
    const call = {
      sessionId: session,
      timestamp: 0,
      cwd: '/',
      toolName: 'bash',
      toolArgs: args,
    }
    return [call, { ...call, toolResult: { resultType: 'success', textResultForLlm: '' } }]
  },
  cursor: (session) => {
    const call = {
      conversation_id: session,
      generation_id: '1',
      cursor_version: '0',
      tool_name: 'Shell',
      tool_input: args,
      tool_use_id: 'call_1',
    }
    return [
      { ...call, hook_event_name: 'preToolUse' },
      { ...call, hook_event_name: 'postToolUse', tool_output: '{"output":"","exitCode":0}' },
    ]
  },
}
