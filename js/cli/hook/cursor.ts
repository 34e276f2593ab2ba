/**
 * Cursor's hooks: no event for the end of a step, and no way to end a run; the model's reasoning is
 * reported.
 *
 * @module
 */

import { type Dialect, type Fields, type HookEvent, requireText, textIn } from './dialect.js'

/** Cursor drops a longer context instead of cutting it. */
const MAX_CONTEXT = 9_000

export const cursor: Dialect = {
  recognizes: (input) => 'cursor_version' in input || 'conversation_id' in input,
  session: (input) => ({ sessionId: requireText(input, 'conversation_id'), agentId: null }),
  read(input): readonly HookEvent[] {
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
      case 'preCompact':
        return [{ type: 'compacted' }]
      case 'stop':
        return [{ type: 'end', text: '' }]
      default:
        return []
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

/** Reads the output, which is JSON text; that of a command has an exit code. */
function resultOf(output: unknown): { output: unknown; ok: boolean | undefined } {
  if (typeof output !== 'string') return { output, ok: true }
  try {
    const fields = JSON.parse(output) as Fields | null
    if (typeof fields?.exitCode !== 'number') return { output, ok: undefined }
    return { output: fields.output ?? output, ok: fields.exitCode === 0 }
  } catch {
    return { output, ok: undefined }
  }
}
