/**
 * The parts of hook inputs and outputs that the adapter looks at, as the Claude Agent SDK passes them
 * to callbacks, and as Claude Code passes them to commands as JSON.
 *
 * @module
 */

/** What a hook is told. Which fields it has depends on the event. */
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
  /** Of a prompt: who wrote it; not all versions say so. Of a session: why it starts. */
  readonly source?: string
}

/** A call in `PostToolBatch`. */
export interface BatchedCall {
  readonly tool_name: string
  readonly tool_input: unknown
  readonly tool_use_id: string
  readonly tool_response?: unknown
}

/** What a hook answers. An empty object means: nothing to say. */
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
        hookEventName: 'PostToolBatch'
        /** A nudge, for the model. */
        additionalContext: string
      }
}

/** Whose guard is asked for. */
export interface HookSession {
  readonly sessionId: string
  /** The subagent; `null` for the main thread. */
  readonly agentId: string | null
}

/** A callback, as the SDK wants it. */
export type HookCallback = (input: HookInput) => Promise<HookOutput>

/** The events that the guard has to see. */
export type GuardedEvent =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'UserPromptSubmit'
  | 'Stop'
  | 'SubagentStop'
