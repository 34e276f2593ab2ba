/**
 * gemini-cli's hooks: no ids, and an event before each model call, which ends a step.
 *
 * @module
 */

import { hashOf } from '../../adapters/shared/hash.js'
import {
  claudeSession,
  type Dialect,
  type Fields,
  fieldsIn,
  type HookEvent,
  textIn,
} from './dialect.js'
import { shellOutput } from './shell-output.js'

const EVENTS = [
  'BeforeTool',
  'AfterTool',
  'BeforeModel',
  'AfterModel',
  'BeforeAgent',
  'AfterAgent',
  'BeforeToolSelection',
  'PreCompress',
]

export const geminiCli: Dialect = {
  recognizes: (input) => EVENTS.includes(textIn(input, 'hook_event_name')),
  session: claudeSession,
  read(input) {
    const call = { name: textIn(input, 'tool_name'), args: input.tool_input }
    switch (input.hook_event_name) {
      case 'BeforeTool':
        return [{ type: 'call', ...call }]
      case 'AfterTool':
        return [{ type: 'result', ...call, ...resultOf(fieldsIn(input, 'tool_response')) }]
      case 'BeforeModel':
        return [...compactionOf(fieldsIn(input, 'llm_request')), { type: 'model' }]
      case 'BeforeAgent':
        return [{ type: 'prompt' }]
      case 'AfterAgent':
        return [{ type: 'end', text: textIn(input, 'prompt_response') }]
      case 'PreCompress':
        // An automatic one is reported before every model call, whether it happens or not:
        // the summary shows.
        return input.trigger === 'manual' ? [{ type: 'compacted' }] : []
      default:
        return []
    }
  },
  // Before the model is called, every call has its result.
  abilities: ({ hook_event_name: name }) => ({
    nudge: name === 'AfterTool',
    stop: name === 'BeforeModel',
  }),
  write(input, answer) {
    switch (answer.type) {
      case 'nothing':
        return {}
      case 'nudge':
        return {
          hookSpecificOutput: {
            hookEventName: input.hook_event_name,
            additionalContext: answer.text,
          },
        }
      case 'deny':
        return { decision: 'deny', reason: answer.text }
      case 'stop':
        return { continue: false, stopReason: answer.text }
    }
  },
}

/** How many messages come before the summary of a compacted conversation, at most. */
const SUMMARY_WITHIN = 4

/** Looks for the summary that a compacted conversation begins with. */
function compactionOf({ messages }: Fields): readonly HookEvent[] {
  const first: readonly Fields[] = Array.isArray(messages) ? messages.slice(0, SUMMARY_WITHIN) : []
  const summary = first.find(({ content }) => JSON.stringify(content)?.includes('<state_snapshot>'))
  if (!summary) return []
  return [{ type: 'compacted', mark: hashOf(JSON.stringify(summary.content)) }]
}

/** Reads a result. gemini-cli does not mark failing commands: the exit code shows. */
function resultOf({ llmContent, returnDisplay, error }: Fields) {
  const output = llmContent ?? returnDisplay
  const text = typeof output === 'string' ? shellOutput(output) : output
  const exitCode = typeof text === 'string' ? /^Exit Code: (\d+)$/m.exec(text)?.[1] : undefined
  const failed = error != null || (exitCode !== undefined && exitCode !== '0')
  return { output: text ?? fieldsIn({ error }, 'error').message, ok: !failed }
}
