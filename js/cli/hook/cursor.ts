/**
 * Cursor's hooks: no event for the end of a step, and no way to end a run; the model's reasoning is
 * reported.
 *
 * @module
 */

import {
  type Dialect,
  type Fields,
  type HookEvent,
  parseText,
  requireText,
  textIn,
} from './dialect.js'

/** Cursor drops a longer context instead of cutting it. */
const MAX_CONTEXT = 9_000

export const cursor: Dialect = {
  recognizes: (input) => 'cursor_version' in input || 'conversation_id' in input,
  session: (input) => ({ sessionId: requireText(input, 'conversation_id'), agentId: null }),
  read(input, steps): readonly HookEvent[] {
    const call = {
      id: textIn(input, 'tool_use_id') || undefined,
      name: textIn(input, 'tool_name'),
      args: input.tool_input,
    }
    switch (input.hook_event_name) {
      case 'preToolUse':
        return [{ type: 'call', ...call }]
      case 'postToolUse':
        return [{ type: 'result', ...call, ...resultOf(input.tool_output) }]
      case 'postToolUseFailure':
        // A call that a person refused or interrupted says nothing about the tool.
        if (input.is_interrupt || input.failure_type === 'permission_denied') return []
        return [{ type: 'result', ...call, output: input.error_message, ok: false }]
      case 'beforeSubmitPrompt':
        return [{ type: 'prompt' }]
      case 'afterAgentThought':
        return [{ type: 'text', text: textIn(input, 'text'), channel: 'reasoning' }]
      case 'afterAgentResponse':
        return [{ type: 'text', text: textIn(input, 'text'), channel: 'text' }]
      case 'preCompact':
        return [{ type: 'compacted' }]
      case 'stop':
        return [{ type: 'end', text: '' }]
      default:
        // Where calls are reported with ids, these are second reports of the same calls.
        return steps.hasIds ? [] : readOneKind(input)
    }
  },
  abilities: ({ hook_event_name: name }) => ({
    nudge: name === 'postToolUse' || name === 'postToolUseFailure',
  }),
  write(_, answer) {
    switch (answer.type) {
      case 'nudge':
        return { additional_context: answer.text.slice(0, MAX_CONTEXT) }
      case 'deny':
        return { permission: 'deny', agent_message: answer.text, user_message: REFUSED }
      default:
        return {}
    }
  },
  steps: { hasBatches: false },
}

/** What the user sees about a refused call. */
const REFUSED = 'loophound refused this call: the agent repeats itself.'

/** Reads an event about one kind of tool: without ids, and with results that cannot be answered. */
function readOneKind(input: Fields): readonly HookEvent[] {
  const shell = { name: 'Shell', args: { command: input.command, cwd: input.cwd } }
  const mcp = { name: textIn(input, 'tool_name'), args: parseText(input.tool_input) }
  switch (input.hook_event_name) {
    case 'beforeShellExecution':
      return [{ type: 'call', ...shell }]
    case 'afterShellExecution':
      return [{ type: 'result', ...shell, output: input.output }]
    case 'beforeMCPExecution':
      return [{ type: 'call', ...mcp }]
    case 'afterMCPExecution':
      return [{ type: 'result', ...mcp, ...resultOf(input.result_json) }]
    case 'afterFileEdit': {
      const edit = { name: 'Edit', args: { file_path: input.file_path, edits: input.edits } }
      return [
        { type: 'call', ...edit },
        { type: 'result', ...edit, output: '', ok: true },
      ]
    }
    default:
      return []
  }
}

/** Reads an output, usually JSON text; that of a command has an exit code. */
function resultOf(output: unknown): { output: unknown; ok: boolean | undefined } {
  const { exitCode, output: inner, isError } = (parseText(output) ?? {}) as Fields
  if (typeof exitCode === 'number') return { output: inner ?? output, ok: exitCode === 0 }
  if (isError === true) return { output, ok: false }
  return { output, ok: typeof output === 'string' ? undefined : true }
}
