/**
 * The parts of pi's types that the adapter uses, as `@earendil-works/pi-coding-agent` has them.
 *
 * @module
 */

/** A session, for a function that returns its guard. */
export interface PiSession {
  readonly sessionId: string
}

export interface PiContext {
  readonly sessionManager: { getSessionId(): string }
  readonly signal: { readonly aborted: boolean } | undefined
  readonly ui: { notify(message: string, type?: 'warning'): void }
  abort(): void
}

type Handler<Event, Result = void> = (event: Event, ctx: PiContext) => Result | undefined

/** The part of pi's API that the extension uses. */
export interface PiExtensionApi {
  on(event: 'input', handler: Handler<{ readonly source: string }>): unknown
  on(event: 'turn_start', handler: Handler<object>): unknown
  on(event: 'tool_call', handler: Handler<ToolCallEvent, ToolCallResult>): unknown
  on(event: 'message_update', handler: Handler<MessageUpdate>): unknown
  on(event: 'turn_end', handler: Handler<TurnEnd, TurnEndResult>): unknown
  on(event: 'session_compact', handler: Handler<object>): unknown
}

export interface ToolCallEvent {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  /** The call of the tool that made this one, such as that of a script. */
  readonly parentToolCallId?: string
}

export interface ToolCallResult {
  block: boolean
  reason: string
  /** Whether the run may end here; it does if each call of the turn says so. */
  terminate: boolean
}

export interface MessageUpdate {
  readonly assistantMessageEvent: { readonly type: string; readonly delta?: unknown }
}

export interface TurnEnd {
  readonly message: AssistantMessage
  readonly toolResults: readonly ToolResultMessage[]
  /** What other extensions add to the session after the turn. */
  readonly entries: readonly object[]
}

// biome-ignore lint/suspicious/noExplicitAny: entries of other extensions are passed on as they are
export type Entries = any[]

export interface TurnEndResult {
  entries: Entries
}

export interface AssistantMessage {
  readonly stopReason?: string
  readonly content?: unknown
}

export interface ToolResultMessage {
  readonly toolCallId: string
  readonly toolName: string
  readonly isError: boolean
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

/** A part of an assistant's message: text, or a call. */
export interface ContentPart {
  readonly type: string
  readonly text?: string
  readonly id?: string
  readonly name?: string
  readonly arguments?: unknown
}
