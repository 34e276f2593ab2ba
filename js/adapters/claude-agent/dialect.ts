/**
 * Reads and writes the JSON of Claude Code's hooks: for callbacks of the Claude Agent SDK, for the
 * command, and for hosts that adopted Claude Code's events.
 *
 * @module
 */

import type { HookAbilities, HookAnswer, HookEvent, HookSteps } from '../shared/hook-session.js'
import type { HookInput, HookOutput } from './types.js'

/**
 * Sources of prompts that Claude Code writes itself, such as wake-ups; they are not from a person.
 */
const AUTOMATIC_SOURCES = ['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']

/** Reads a hook's input; no event if it is irrelevant to loops. */
export function readHookInput(input: HookInput, steps: Readonly<HookSteps>): readonly HookEvent[] {
  const { tool_name: name = '', tool_use_id: id, tool_input: args } = input
  switch (input.hook_event_name) {
    case 'PreToolUse':
      return [{ type: 'call', id, name, args }]
    case 'PostToolUse': {
      // Without batches, there may be no event for failures either: then the output must
      // show it.
      const ok = isError(input.tool_response)
        ? false
        : steps.hasBatches === false
          ? undefined
          : true
      const output = outputOf(input.tool_response)
      return [{ type: 'result', id, name, args, output, ok, isBatched: true }]
    }
    case 'PostToolUseFailure':
      // An interrupted call says nothing about the tool.
      if (input.is_interrupt) return []
      return [{ type: 'result', id, name, args, output: input.error, ok: false, isBatched: true }]
    case 'PostToolBatch':
      return [{ type: 'batch', calls: (input.tool_calls ?? []).map(finishedCall) }]
    case 'Stop':
    case 'SubagentStop':
      return [{ type: 'end', text: input.last_assistant_message ?? '' }]
    case 'UserPromptSubmit':
      return [{ type: 'prompt', isAutomatic: isAutomatic(input) }]
    case 'SessionStart':
      if (input.source === 'clear') return [{ type: 'reset' }]
      return input.source === 'compact' ? [{ type: 'compacted' }] : []
    case 'PostCompact':
      return [{ type: 'compacted' }]
    default:
      return []
  }
}

function finishedCall(call: NonNullable<HookInput['tool_calls']>[number]) {
  const { tool_use_id: id, tool_name: name, tool_input: args, tool_response } = call
  const ok = isError(tool_response) ? false : undefined
  const result = tool_response === undefined ? undefined : { output: outputOf(tool_response), ok }
  return { id, name, args, result }
}

/** Returns whether a response is marked as an error, as those of MCP servers are. */
function isError(response: unknown): boolean {
  const { isError, is_error } = (response ?? {}) as Fields
  return isError === true || is_error === true
}

function isAutomatic({ source, prompt = '' }: HookInput): boolean {
  return source ? AUTOMATIC_SOURCES.includes(source) : prompt.startsWith('<task-notification>')
}

/** After these events, context can be given to the model. */
const NUDGED = ['PostToolBatch', 'PostToolUse', 'PostToolUseFailure']

/** After these, the run can be ended with a result for every call. */
const STOPPED = [...NUDGED, 'Stop', 'SubagentStop']

/** Returns which answers Claude Code accepts to an event. */
export function hookAbilities({ hook_event_name: name }: HookInput): HookAbilities {
  return { nudge: NUDGED.includes(name), stop: STOPPED.includes(name) }
}

/** Writes an answer in Claude Code's format. */
export function writeHookOutput(event: string, answer: HookAnswer): HookOutput {
  switch (answer.type) {
    case 'nothing':
      return {}
    case 'nudge':
      return {
        hookSpecificOutput: {
          hookEventName: event as 'PostToolBatch' | 'PostToolUse' | 'PostToolUseFailure',
          additionalContext: answer.text,
        },
      }
    case 'deny':
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: answer.text,
        },
      }
    case 'stop':
      return { continue: false, stopReason: answer.text }
  }
}

/** Fields in which built-in tools report how long they took. */
const DURATION = /^(total)?duration(ms|seconds)?$/i

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the text of content blocks or of a shell's output; anything else without durations. An exit
 * code stays beside the output: it shows whether the command failed.
 */
export function outputOf(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response
  if (Array.isArray(response)) return textOfBlocks(response) ?? response
  const { stdout, stderr, content, ...rest } = response as Fields
  if (typeof stdout === 'string' && (rest.exit_code ?? rest.exitCode) === undefined) {
    return typeof stderr === 'string' && stderr !== '' ? `${stdout}\n${stderr}` : stdout
  }
  if (Array.isArray(content)) return textOfBlocks(content) ?? response
  if (!Object.keys(rest).some((key) => DURATION.test(key))) return response
  return Object.fromEntries(Object.entries(response).filter(([key]) => !DURATION.test(key)))
}

function textOfBlocks(blocks: readonly unknown[]): string | null {
  const texts = blocks.map((block) => (block as Fields | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null
}
