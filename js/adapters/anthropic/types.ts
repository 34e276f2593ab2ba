/**
 * The parts of the Anthropic SDK's types that the adapter uses. Values that it only passes on are
 * `unknown`.
 *
 * @module
 */

/** A block of content: text, a call, or a result. Which fields it has depends on its type. */
export interface Block {
  readonly type: string
}

/** All fields that are read, of blocks of any type. */
export interface AnyBlock extends Block {
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly text?: string
  readonly tool_use_id?: string
  readonly content?: unknown
  readonly is_error?: boolean
}

/** A message of the model. */
export interface AssistantMessage {
  readonly content: readonly Block[]
  readonly stop_reason?: string | null
}

/** Runs a tool of the tool runner. */
export type Run = (args: unknown, context?: RunContext) => unknown

export interface RunContext {
  readonly toolUse?: AnyBlock
  /** The earlier name of `toolUse`. */
  readonly toolUseBlock?: AnyBlock
  readonly signal?: { readonly aborted: boolean } | null | undefined
}

export interface RunnerParams {
  readonly tools: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** What the runner answers the model with. */
export interface ToolResponse {
  readonly role: 'user'
  content: unknown
}

/** A stream of the runner, with the parts that are used. */
export interface MessageStream {
  finalMessage(): Promise<AssistantMessage>
  readonly currentMessage?: AssistantMessage | undefined
  on?(event: 'text' | 'thinking', listener: (delta: string) => void): unknown
  abort?(): void
}

/** The tool runner, with the parts that are used. */
export interface ToolRunner extends AsyncIterable<AssistantMessage | MessageStream> {
  generateToolResponse(): Promise<ToolResponse | null>
  done(): Promise<AssistantMessage>
}
