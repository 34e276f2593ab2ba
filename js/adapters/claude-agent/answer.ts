/**
 * Answers hook events: for callbacks of the Claude Agent SDK, and for your own hook servers.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { answerEvents } from '../shared/hook-session.js'
import { hookAbilities, readHookInput, writeHookOutput } from './dialect.js'
import type { HookInput, HookOutput, HookSteps } from './types.js'

const stepsOfGuards = new WeakMap<LoopGuard, HookSteps>()

/** Returns what is known about a guard's steps; initially, what is given. */
export function stepsOf(guard: LoopGuard, first: HookSteps = {}): HookSteps {
  const steps = stepsOfGuards.get(guard) ?? first
  stepsOfGuards.set(guard, steps)
  return steps
}

/**
 * Reports a hook event to a guard; returns the answer.
 *
 * Claude Code sends the same JSON to commands and HTTP servers: use this for your own hook server.
 * Events that are irrelevant to loops are answered with an empty object.
 *
 * @param guard The guard of the session, or of the subagent if the input has an `agent_id`.
 * @param input The hook's input. `PreToolUse` is needed, and `PostToolBatch` or, from hosts that do not
 *   have it, `PostToolUse` and `PostToolUseFailure`; the others help.
 * @param steps What is known about the session's steps. It is changed in place. Pass it if a guard
 * is restored from a snapshot for each event, and keep it with the snapshot; otherwise it is kept
 * for each guard.
 *
 * @example
 * ```ts
 * const guards = new GuardPool()
 * const answer = (input: HookInput) =>
 *   answerHook(guards.for(`${input.session_id}/${input.agent_id ?? ''}`), input)
 * ```
 */
export function answerHook(
  guard: LoopGuard,
  input: HookInput,
  steps: HookSteps = stepsOf(guard),
): HookOutput {
  const answer = answerEvents(guard, readHookInput(input, steps), steps, hookAbilities(input))
  return writeHookOutput(input.hook_event_name, answer)
}
