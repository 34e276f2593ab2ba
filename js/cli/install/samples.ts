/**
 * A call and its result as each host reports them, to try out a hook.
 *
 * @module
 */

import type { Fields, Host } from '../hook/dialect.js'

const session = 'loophound-doctor'
const args = { command: 'true' }

const claudeLike = (more: Fields, result: Fields): readonly Fields[] => {
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

const timestamp = '2026-01-01T00:00:00.000Z'

const gemini = {
  session_id: session,
  transcript_path: '',
  cwd: '/',
  timestamp,
  tool_name: 'run_shell_command',
  tool_input: args,
}

const copilot = { sessionId: session, timestamp: 0, cwd: '/', toolName: 'bash', toolArgs: args }

const cursor = {
  conversation_id: session,
  generation_id: '1',
  cursor_version: '0',
  tool_name: 'Shell',
  tool_input: args,
  tool_use_id: 'call_1',
}

export const SAMPLES: Readonly<Record<Host, readonly Fields[]>> = {
  'claude-code': claudeLike({}, batch),
  codex: claudeLike(
    { turn_id: '1', model: '' },
    { hook_event_name: 'PostToolUse', tool_response: '' },
  ),
  'qwen-code': claudeLike({ timestamp }, batch),
  'gemini-cli': [
    { ...gemini, hook_event_name: 'BeforeTool' },
    { ...gemini, hook_event_name: 'AfterTool', tool_response: { llmContent: '' } },
  ],
  copilot: [copilot, { ...copilot, toolResult: { resultType: 'success', textResultForLlm: '' } }],
  cursor: [
    { ...cursor, hook_event_name: 'preToolUse' },
    { ...cursor, hook_event_name: 'postToolUse', tool_output: '{"output":"","exitCode":0}' },
  ],
}
