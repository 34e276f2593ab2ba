/**
 * The parts of Genkit that the adapter uses: it is not installed where the adapter is made.
 * `tests/adapters` checks it against Genkit's own types.
 */

declare module 'genkit' {
  export interface Part {
    readonly text?: string
    readonly reasoning?: string
    readonly toolRequest?: object
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

  export interface Envelope {
    readonly request: { readonly messages: readonly MessageData[] }
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
