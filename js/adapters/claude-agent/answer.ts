/**
 * Answers hook events: the same for callbacks of the Claude Agent SDK and for the command hook of
 * Claude Code.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import type { HookInput, HookOutput } from './types.js'

/**
 * Reports a hook event to a guard, and returns what to answer.
 *
 * Claude Code sends the same JSON to commands and HTTP servers: use this for a hook server of your
 * own. Events that say nothing about loops are answered with an empty object.
 *
 * @param guard The guard of the session, or of the subagent if the input has an `agent_id`.
 * @param input The hook's input. `PreToolUse` and `PostToolBatch` are needed, the others help.
 *
 * @example
 * ```ts
 * const guards = new GuardPool()
 * const answer = (input: HookInput) =>
 *   answerHook(guards.for(`${input.session_id}/${input.agent_id ?? ''}`), input)
 * ```
 */
export function answerHook(guard: LoopGuard, input: HookInput): HookOutput {
  const { tool_name: name = '', tool_use_id: id } = input
  switch (input.hook_event_name) {
    case 'PreToolUse':
      return refusal(guard.call({ id, name, args: input.tool_input }).reply)
    case 'PostToolUse':
      guard.result({ id, name, ok: true, output: outputOf(input.tool_response) })
      return {}
    case 'PostToolUseFailure':
      // An interrupted call says nothing about the tool.
      if (!input.is_interrupt) guard.result({ id, name, ok: false, output: input.error })
      return {}
    case 'PostToolBatch':
      return endBatch(guard, input)
    case 'Stop':
    case 'SubagentStop':
      guard.endStep({ text: input.last_assistant_message ?? '' })
      return guard.shouldStop ? stopOutput(guard) : {}
    case 'UserPromptSubmit':
      beginPrompt(guard, input)
      return {}
    case 'SessionStart':
      if (input.source === 'clear') guard.reset()
      return {}
    default:
      return {}
  }
}

/** Ends the step: every call has its result, and the model is about to be called again. */
function endBatch(guard: LoopGuard, { tool_calls = [] }: HookInput): HookOutput {
  guard.endStep({
    calls: tool_calls.map((call) => ({
      id: call.tool_use_id,
      name: call.tool_name,
      args: call.tool_input,
    })),
    results: tool_calls.flatMap(({ tool_use_id: id, tool_name: name, tool_response }) =>
      tool_response === undefined ? [] : { id, name, output: outputOf(tool_response) },
    ),
  })
  // The next step begins here, where it can still be prevented.
  if (!guard.beginStep()) return stopOutput(guard)
  const additionalContext = guard.takeNudge()
  if (additionalContext === null) return {}
  return { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext } }
}

/** Sources of prompts that Claude Code writes itself, such as wake-ups; no person spoke. */
const AUTOMATIC_SOURCES = ['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']

function beginPrompt(guard: LoopGuard, { source, prompt = '' }: HookInput): void {
  // A step that was under way was interrupted.
  guard.endStep()
  const isAutomatic = source
    ? AUTOMATIC_SOURCES.includes(source)
    : prompt.startsWith('<task-notification>')
  // A stop ends one run, and this is the next one, whether or not a person started it.
  if (guard.stopped || !isAutomatic) guard.userMessage()
}

function refusal(reply: string | null): HookOutput {
  if (reply === null) return {}
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reply,
    },
  }
}

const stopOutput = ({ stopped }: LoopGuard): HookOutput => ({
  continue: false,
  stopReason: stopped?.message ?? 'loophound: the agent is stuck in a loop.',
})

/** Fields in which built-in tools report how long they took. */
const DURATION = /^(total)?duration(ms|seconds)?$/i

type Fields = Readonly<Record<string, unknown>>

/** Returns the text of content blocks or of a shell's output; anything else without durations. */
function outputOf(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response
  if (Array.isArray(response)) return textOfBlocks(response) ?? response
  const { stdout, stderr, content, ...rest } = response as Fields
  if (typeof stdout === 'string') {
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
