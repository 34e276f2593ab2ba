/**
 * The parts of the ADK that the adapter uses: it is not installed where the adapter is made.
 * `tests/adapters` checks it against the ADK's own types.
 */

declare module '@google/adk' {
  export interface Part {
    text?: string
    thought?: boolean
    functionCall?: object
    functionResponse?: { id?: string; name?: string; response?: unknown }
    executableCode?: { code?: string; language?: string }
    codeExecutionResult?: { outcome?: string; output?: string }
  }

  export interface Content {
    role?: string
    parts?: Part[]
  }

  export interface InvocationContext {
    readonly invocationId: string
    readonly appName: string
    readonly userId: string
    readonly session: { readonly id: string }
    readonly runConfig?: object
    readonly branch?: string
    readonly liveRequestQueue?: object
    readonly agent?: { readonly name: string }
  }

  export interface Context {
    readonly invocationContext: InvocationContext
    readonly agentName: string
    readonly functionCallId?: string
    readonly abortSignal?: { readonly aborted: boolean }
    readonly actions: {
      escalate?: boolean
      readonly requestedAuthConfigs?: Readonly<Record<string, unknown>>
      readonly requestedToolConfirmations?: Readonly<Record<string, unknown>>
    }
  }

  export interface LlmRequest {
    contents: Content[]
    readonly previousInteractionId?: string
  }

  export interface LlmResponse {
    content?: Content
    partial?: boolean
    customMetadata?: Record<string, unknown>
  }

  export interface ToolCallParams {
    readonly tool: { readonly name: string }
    readonly toolArgs: Record<string, unknown>
    readonly toolContext: Context
  }

  export abstract class BasePlugin {
    readonly name: string
    constructor(name: string)
    onUserMessageCallback(params: {
      invocationContext: InvocationContext
      userMessage: Content
    }): Promise<Content | undefined>
    afterRunCallback(params: { invocationContext: InvocationContext }): Promise<void>
    beforeModelCallback(params: {
      callbackContext: Context
      llmRequest: LlmRequest
    }): Promise<LlmResponse | undefined>
    afterModelCallback(params: {
      callbackContext: Context
      llmResponse: LlmResponse
    }): Promise<LlmResponse | undefined>
    onModelErrorCallback(params: {
      callbackContext: Context
      llmRequest: LlmRequest
      error: Error
    }): Promise<LlmResponse | undefined>
    beforeToolCallback(params: ToolCallParams): Promise<Record<string, unknown> | undefined>
    afterToolCallback(
      params: ToolCallParams & { result: Record<string, unknown> },
    ): Promise<Record<string, unknown> | undefined>
    onToolErrorCallback(
      params: ToolCallParams & { error: Error },
    ): Promise<Record<string, unknown> | undefined>
    afterContextCompaction(params: { invocationContext: InvocationContext }): Promise<void>
  }

  export function createEvent(params: object): LlmResponse
}
