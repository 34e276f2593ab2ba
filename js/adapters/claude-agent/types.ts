/**
 * The parts of hook inputs and outputs that the adapter uses, as the Claude Agent SDK passes them
 * to callbacks, and as Claude Code passes them to commands as JSON.
 *
 * @module
 */

export type { HookSteps } from '../shared/hook-session.js'

/** A hook's input. Which fields it has depends on the event. */
export interface HookInput {
  readonly hook_event_name: string
  readonly session_id: string
  /** Only within a subagent. */
  readonly agent_id?: string
  readonly tool_name?: string
  readonly tool_input?: unknown
  readonly tool_use_id?: string
  readonly tool_response?: unknown
  readonly error?: unknown
  readonly is_interrupt?: boolean
  readonly tool_calls?: readonly BatchedCall[]
  readonly last_assistant_message?: string
  readonly prompt?: string
  /** For a prompt: who wrote it (not in all versions). For a session: why it starts. */
  readonly source?: string
}

/** A call in `PostToolBatch`. */
export interface BatchedCall {
  readonly tool_name: string
  readonly tool_input: unknown
  readonly tool_use_id: string
  readonly tool_response?: unknown
}

/** A hook's output. An empty object changes nothing. */
export interface HookOutput {
  /** `false` ends the run. */
  continue?: boolean
  /** Why, for the user. */
  stopReason?: string
  hookSpecificOutput?:
    | {
        hookEventName: 'PreToolUse'
        permissionDecision: 'deny'
        /** Why, for the model. */
        permissionDecisionReason: string
      }
    | {
        hookEventName: 'PostToolBatch' | 'PostToolUse' | 'PostToolUseFailure'
        /** A nudge, for the model. */
        additionalContext: string
      }
}

/** The session, or the subagent in it, that a guard is for. */
export interface HookSession {
  readonly sessionId: string
  /** The subagent; `null` for the main thread. */
  readonly agentId: string | null
}

/** A callback in the SDK's format. */
export type HookCallback = (input: HookInput) => Promise<HookOutput>

/** The events that the guard needs. */
export type GuardedEvent =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'UserPromptSubmit'
  | 'Stop'
  | 'SubagentStop'
  | 'PostCompact'
