/**
 * The parts of TanStack AI's types that the adapter uses.
 *
 * @module
 */

/** What every hook gets: one object for each run of `chat`. */
export interface ChatContext {
  readonly threadId: string
  readonly runId: string
  readonly phase: string
  abort(reason?: string): void
  emitCustomEvent(name: string, value: Record<string, unknown>): void
}

export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly ChatToolCall[] | undefined
  /** Whose result a message with the role `tool` is. */
  readonly toolCallId?: string | undefined
  readonly error?: string | undefined
}

export interface ChatConfig<Message> {
  readonly messages: Message[]
  readonly providerMessages?: Message[] | undefined
}

/** A call, as the model made it. */
export interface ChatToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface BeforeToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: unknown
}

export interface AfterToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly ok: boolean
  readonly result?: unknown
  readonly error?: unknown
}

export interface ToolPhase {
  readonly toolCalls: readonly ChatToolCall[]
  readonly results: readonly { readonly toolCallId: string; readonly result: unknown }[]
  readonly needsApproval?: readonly unknown[]
  readonly needsClientExecution?: readonly unknown[]
}

export interface ChatChunk {
  readonly type: string
  readonly delta?: unknown
}
