/**
 * The parts of LangChain that the adapter imports, as far as it uses them: LangChain is not
 * installed where the adapter is made. `tests/adapters` checks it against LangChain's own types.
 */

declare module 'langchain' {
  interface Message {
    readonly content: unknown
    readonly text: string
    getType(): string
  }

  interface Runtime {
    readonly configurable?: { readonly thread_id?: string | undefined }
    readonly signal?: { readonly aborted: boolean } | undefined
  }

  interface State {
    readonly messages: readonly Message[]
    readonly [field: string]: unknown
  }

  interface ModelRequest {
    readonly messages: readonly Message[]
    readonly state: State
    readonly runtime: Runtime
  }

  interface ToolCallRequest {
    readonly toolCall: { readonly id?: string; readonly name: string }
    readonly state: State
    readonly runtime: Runtime
  }

  type Answer = AIMessage | import('@langchain/langgraph').Command
  type ToolAnswer = ToolMessage | import('@langchain/langgraph').Command

  export class AIMessage {
    static isInstance(value: unknown): value is AIMessage
    constructor(fields: { content: string; response_metadata: Record<string, unknown> })
    readonly content: unknown
    readonly contentBlocks?: readonly object[]
    readonly text: string
    readonly tool_calls?: readonly ModelCall[]
    getType(): string
  }

  export interface ModelCall {
    readonly id?: string
    readonly name: string
    readonly args: unknown
    /** In a plain object, as OpenAI has it. */
    readonly function?: { readonly name: string; readonly arguments: string }
  }

  export class HumanMessage {
    constructor(content: string)
    readonly content: unknown
    readonly text: string
    getType(): string
  }

  export class ToolMessage {
    static isInstance(value: unknown): value is ToolMessage
    constructor(fields: { content: string; tool_call_id: string; name: string; status: 'error' })
    readonly content: unknown
    readonly tool_call_id: string
    readonly name?: string
    readonly status?: 'success' | 'error'
    readonly text: string
    getType(): string
  }

  export class MiddlewareError extends Error {
    static isInstance(error: unknown): error is MiddlewareError
  }

  export interface AgentMiddleware<Schema, ContextSchema, FullContext, Tools, Transformers> {
    readonly name: string
    readonly '~middlewareTypes'?: [Schema, ContextSchema, FullContext, Tools, Transformers]
  }

  export function createMiddleware<Schema>(config: {
    name: string
    stateSchema: Schema
    wrapModelCall(
      request: ModelRequest,
      handler: (request: ModelRequest) => Promise<Answer>,
    ): Promise<Answer>
    wrapToolCall(
      request: ToolCallRequest,
      handler: (request: ToolCallRequest) => Promise<ToolAnswer>,
    ): Promise<ToolAnswer>
  }): AgentMiddleware<undefined, undefined, unknown, readonly [], readonly []>

  export type { Message, ModelRequest, Runtime, ToolCallRequest }
}

declare module '@langchain/langgraph' {
  export class Command {
    constructor(fields: { update: Record<string, unknown> })
    readonly update?: unknown
  }
}

declare module 'zod' {
  export const z: {
    any(): { optional(): unknown }
    object(shape: Record<string, unknown>): unknown
  }
}
