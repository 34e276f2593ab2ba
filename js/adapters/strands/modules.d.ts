/**
 * The parts of the Strands SDK that the adapter uses: it is not installed where the adapter is made.
 * `tests/adapters` checks it against the SDK's own types.
 */

declare module '@strands-agents/sdk' {
  interface Block {
    readonly type: string
    readonly text?: string
  }

  export class TextBlock {
    constructor(text: string)
    readonly type: 'textBlock'
    readonly text: string
  }

  export class Message {
    constructor(data: {
      role: 'user' | 'assistant'
      content: Block[]
      trackingId?: string
      metadata?: object
    })
    readonly role: 'user' | 'assistant'
    readonly content: Block[]
    readonly trackingId: string
    readonly metadata?: object
  }

  interface ToolUse {
    readonly name: string
    readonly toolUseId: string
    readonly input: unknown
  }

  export class BeforeModelCallEvent {
    private constructor()
    cancel: boolean | string
  }
  export class AfterModelCallEvent {
    private constructor()
    readonly stopData?: { readonly message: Message }
  }
  export class BeforeToolCallEvent {
    private constructor()
    readonly toolUse: ToolUse
    cancel: boolean | string
  }
  export class AfterToolCallEvent {
    private constructor()
    readonly toolUse: ToolUse
    readonly result: { readonly status: 'success' | 'error'; readonly content: readonly object[] }
    readonly error?: Error
  }
  export class AfterToolsEvent {
    private constructor()
    endTurn: boolean | string | object[]
  }
  export class BeforeInvocationEvent {
    private constructor()
    readonly invocationState: object
  }
  export class AfterInvocationEvent {
    private constructor()
    readonly invocationState: object
    resume: unknown
  }
  export class AgentResultEvent {
    private constructor()
  }
  export class MessageAddedEvent {
    private constructor()
    readonly message: Message
  }

  export interface StreamEvent {
    readonly type?: string
    readonly event?: {
      readonly type: string
      readonly delta?: { readonly type: string; readonly text?: string }
    }
  }

  export interface InvokeModelContext {
    readonly messages: readonly Message[]
    readonly dynamicTrailingBlocks?: number
  }
  export interface InvokeModelResult {
    readonly result: { readonly message: Message; readonly stopReason: string }
  }
  type ModelCall = (
    context: InvokeModelContext,
  ) => AsyncGenerator<StreamEvent, InvokeModelResult, undefined>

  export const HookOrder: { readonly SDK_LAST: number }

  export const InvokeModelStage: { readonly Wrap: object }

  export interface LocalAgent {
    readonly id: string
    readonly sessionId: string
    addHook<Event>(
      event: { readonly prototype: Event },
      callback: (event: Event) => void,
      options?: { readonly order?: number },
    ): () => void
    addMiddleware(
      phase: object,
      handler: (
        context: InvokeModelContext,
        next: ModelCall,
      ) => AsyncGenerator<StreamEvent, InvokeModelResult, undefined>,
    ): () => void
  }

  export type { Block, ModelCall, ToolUse }
}
