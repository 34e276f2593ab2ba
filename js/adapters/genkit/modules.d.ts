/**
 * The parts of Genkit that the adapter uses: it is not installed where the adapter is made.
 * `tests/adapters` checks it against Genkit's own types.
 */

declare module 'genkit' {
  export interface Part {
    readonly text?: string
    readonly reasoning?: string
    readonly toolRequest?: ToolRequestPart['toolRequest']
    readonly toolResponse?: ToolResponsePart['toolResponse']
  }

  export interface MessageData {
    readonly role: 'system' | 'user' | 'model' | 'tool'
    readonly content: Part[]
  }

  export interface GenerateRequest {
    readonly messages: MessageData[]
    readonly output?: { readonly schema?: unknown }
  }

  export interface GenerateResponseData {
    readonly message?: MessageData
    readonly finishReason?: string
    readonly finishMessage?: string
    readonly custom?: unknown
  }

  export interface ToolRequestPart {
    readonly toolRequest: { readonly name: string; readonly ref?: string; readonly input?: unknown }
  }

  export interface ToolResponsePart {
    readonly toolResponse: {
      readonly name: string
      readonly ref?: string
      readonly output?: unknown
      readonly content?: unknown
    }
  }

  export interface RunOptions {
    readonly onChunk?: (chunk: { readonly content?: readonly Part[] }) => void
    readonly abortSignal?: AbortSignal
  }

  /** What `generate` was asked, before it is put into a request for the model. */
  export interface GenerateActionOptions {
    readonly messages: readonly MessageData[]
    /** Set if the calls of the last message are to be answered first. */
    readonly resume?: object | undefined
  }

  export interface Envelope {
    readonly request: GenerateActionOptions
  }

  interface GenerateMiddlewareDef {
    generate(
      envelope: Envelope,
      options: RunOptions,
      next: (envelope: Envelope, options: RunOptions) => Promise<GenerateResponseData>,
    ): Promise<GenerateResponseData>
    model(
      request: GenerateRequest,
      options: RunOptions,
      next: (request: GenerateRequest, options: RunOptions) => Promise<GenerateResponseData>,
    ): Promise<GenerateResponseData>
    tool(
      request: ToolRequestPart,
      options: RunOptions,
      next: (
        request: ToolRequestPart,
        options: RunOptions,
      ) => Promise<ToolResponsePart | undefined>,
    ): Promise<ToolResponsePart | undefined>
  }

  export interface MiddlewareRef {
    name: string
  }

  export function generateMiddleware(
    options: { name: string; description: string },
    make: () => GenerateMiddlewareDef,
  ): () => MiddlewareRef
}
