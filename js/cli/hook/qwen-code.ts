/**
 * qwen-code's hooks: Claude Code's events, with ids that differ between events, an empty prompt
 * before each model call, and sometimes one batch for each parallel call.
 *
 * @module
 */

import {
  hookAbilities,
  readHookInput,
  writeHookOutput,
} from '../../adapters/claude-agent/dialect.js'
import type { HookInput } from '../../adapters/claude-agent/types.js'
import { claudeSession, type Dialect, type Fields, fieldsIn, textIn } from './dialect.js'
import { shellOutput } from './shell-output.js'

const asInput = (input: Fields) => input as unknown as HookInput

export const qwenCode: Dialect = {
  // Claude Code's inputs have no time; those of others that have one have none of these.
  recognizes: (input) =>
    'timestamp' in input &&
    ['permission_mode', 'prompt_id', 'tool_call_id', 'tool_calls'].some((name) => name in input),
  session: claudeSession,
  read(input, steps) {
    switch (input.hook_event_name) {
      case 'UserPromptSubmit':
        // It is sent again, empty, with the results of tools.
        if (textIn(input, 'prompt') === '') return [{ type: 'model' }]
        return readHookInput(asInput(input), steps)
      case 'PostToolBatch': {
        const calls = Array.isArray(input.tool_calls) ? (input.tool_calls as Fields[]) : []
        return [{ type: 'batch', calls: calls.map(finishedCall) }]
      }
      case 'PostToolUse': {
        const response = fieldsIn(input, 'tool_response')
        return readHookInput(
          asInput({ ...withId(input), tool_response: outputOf(response) }),
          steps,
        )
      }
      default:
        return readHookInput(asInput(withId(input)), steps)
    }
  },
  abilities: (input) => hookAbilities(asInput(input)),
  write: (input, answer) => writeHookOutput(textIn(input, 'hook_event_name'), answer) as Fields,
}

/**
 * Uses the model's id of the call, which is the same in every event; older versions do not have it.
 */
function withId(input: Fields): Fields {
  const { tool_call_id: id } = input
  return typeof id === 'string' ? { ...input, tool_use_id: id } : input
}

function finishedCall(call: Fields) {
  const response = fieldsIn(call, 'tool_response')
  const isKnown = 'tool_response' in call && call.status !== 'cancelled'
  const ok = call.status === undefined ? undefined : call.status === 'success'
  return {
    id: textIn(withId(call), 'tool_use_id') || undefined,
    name: textIn(call, 'tool_name'),
    args: call.tool_input,
    result: isKnown ? { output: outputOf(response), ok } : undefined,
  }
}

function outputOf(response: Fields): unknown {
  const parts = Array.isArray(response.response_parts) ? (response.response_parts as Fields[]) : []
  const answers = parts.map((part) => fieldsIn(fieldsIn(part, 'functionResponse'), 'response'))
  const texts = answers.map(({ output, error }) => output ?? error)
  const isText = texts.length > 0 && texts.every((part) => typeof part === 'string')
  const text = isText ? texts.join('\n') : undefined
  const output = text || response.llmContent || response.error || response.result_display
  return typeof output === 'string' ? shellOutput(output) : (output ?? text ?? response)
}
