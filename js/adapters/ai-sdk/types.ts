/**
 * The parts of the AI SDK's types that the adapter uses. Values that it only passes on are
 * `unknown`.
 *
 * @module
 */

type Maybe<T> = T | PromiseLike<T>

/** The settings of `generateText` and `streamText`, with the parts that are used. */
export interface CallSettings {
  readonly tools?: Readonly<Record<string, Tool>> | undefined
  readonly prepareStep?: PrepareStep | undefined
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined
  readonly toolApproval?: ToolApproval | undefined
  readonly [setting: string]: unknown
}

/** The settings of a `ToolLoopAgent`. */
export interface AgentSettings extends CallSettings {
  readonly prepareCall?: ((call: CallSettings) => Maybe<CallSettings | undefined>) | undefined
}

export interface Tool {
  readonly execute?: Execute | undefined
  readonly needsApproval?: boolean | ((input: unknown, call: ToolCallOptions) => unknown)
}

export type Execute = (input: unknown, call: ToolCallOptions) => unknown

export interface ToolCallOptions {
  readonly toolCallId?: string
  readonly abortSignal?: { readonly aborted: boolean } | undefined
}

export type PrepareStep = (step: StepOptions) => Maybe<PreparedStep | undefined>

export interface StepOptions {
  readonly stepNumber: number
  readonly messages: readonly Message[]
  readonly model?: object | string
}

export interface PreparedStep {
  readonly messages?: readonly Message[] | undefined
  readonly model?: object | string | undefined
}

export interface Message {
  readonly role: string
  readonly content: unknown
}

export type StopCondition = (run: { readonly steps: readonly Step[] }) => Maybe<boolean>

export interface Step {
  readonly content?: readonly Part[]
  readonly text?: string
}

/** A part of a step's content: text, a call, or its result. */
export interface Part {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: unknown
  readonly preliminary?: boolean
  readonly providerExecuted?: boolean | undefined
  /** Of a request for approval. */
  readonly toolCall?: { readonly toolCallId?: string }
}

/** In version 7: a function for all tools, or a status or function for each. */
export type ToolApproval =
  | ((request: { readonly toolCall: Part }) => unknown)
  | Readonly<Record<string, unknown>>
