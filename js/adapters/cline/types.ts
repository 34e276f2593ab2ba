/**
 * The parts of the Cline SDK's types that the adapter uses.
 *
 * @module
 */

/** The state of a runtime, with the parts that are used. */
export interface Snapshot {
  readonly runId?: string | undefined
  readonly iteration: number
}

export interface Part {
  readonly type: string
}

export interface AgentMessage {
  readonly role: string
  readonly content: readonly Part[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface AgentCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  /** Set if the model's provider runs the tool. */
  readonly execution?: unknown
}

export interface ToolContext {
  readonly toolCall: AgentCall
  readonly input: unknown
}

export interface ToolResultContext extends ToolContext {
  readonly result: { readonly output: unknown; readonly isError?: boolean }
}

export interface RuntimeEvent {
  readonly type: string
  readonly text?: string
  readonly message?: AgentMessage
  readonly toolCall?: AgentCall
}

/** What a plugin gets to know about its agent. */
export interface AgentInfo {
  readonly agentId: string
}

/** The hooks of a runtime that the adapter uses. */
export interface LoopGuardHooks {
  beforeModel<Message>(context: {
    readonly snapshot: Snapshot
    readonly request: { readonly messages: readonly Message[] }
  }): { messages: readonly Message[] } | { stop: true; reason: string } | undefined
  afterModel(context: { readonly assistantMessage: AgentMessage }): undefined
  beforeTool(context: ToolContext): { skip: true; reason: string } | undefined
  afterTool(context: ToolResultContext): undefined
  afterRun(context: { readonly result: { readonly status: string } }): void
  onEvent(event: RuntimeEvent): void
}
