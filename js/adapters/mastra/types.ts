/**
 * The parts of Mastra's types that the adapter uses. Values that it only passes on are `unknown`.
 *
 * @module
 */

type Maybe<T> = T | PromiseLike<T>

/** What an agent is made with. */
export interface AgentConfig {
  readonly hooks?: ToolHooks
}

/** An agent of either major version, recognised by its methods. */
export interface AgentLike {
  generate(messages: unknown, options?: CallOptions): unknown
  stream(messages: unknown, options?: CallOptions): unknown
  /** Of version 1. */
  getDefaultOptions?(scope: object): Maybe<CallOptions | undefined>
  /** Of version 0. */
  getDefaultVNextStreamOptions?(scope: object): Maybe<CallOptions | undefined>
  /** Of version 0. */
  getTools?(scope: object): Maybe<Readonly<Record<string, Tool>>>
}

/** The options of `generate` and `stream` that are used. */
export interface CallOptions {
  readonly memory?: { readonly thread?: unknown; readonly resource?: unknown } | undefined
  readonly runId?: string | undefined
  readonly prepareStep?: PrepareStep | undefined
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined
  readonly maxSteps?: number | undefined
  readonly onFinish?: ((result: unknown) => unknown) | undefined
  readonly hooks?: ToolHooks | undefined
  readonly toolsets?: Readonly<Record<string, unknown>> | undefined
  readonly runtimeContext?: unknown
  readonly requestContext?: unknown
  readonly [option: string]: unknown
}

/** In version 1: called before and after every tool call. */
export interface ToolHooks {
  readonly beforeToolCall?: (call: HookCall) => unknown
  readonly afterToolCall?: (call: HookResult) => unknown
}

export interface HookCall {
  readonly toolName: string
  readonly input: unknown
  readonly context?: { readonly toolCallId?: string } | undefined
}

export interface HookResult extends HookCall {
  readonly output?: unknown
  readonly error?: unknown
}

/** A tool of version 0. */
export interface Tool {
  readonly execute?: Execute
}

export type Execute = (call: unknown, options?: ExecuteOptions) => unknown

export interface ExecuteOptions {
  readonly toolCallId?: string
  readonly abortSignal?: { readonly aborted: boolean } | undefined
}

export type PrepareStep = (step: StepOptions) => Maybe<PreparedStep | undefined>

export interface StepOptions {
  readonly model?: unknown
}

export interface PreparedStep {
  readonly model?: unknown
}

export type StopCondition = (run: { readonly steps: readonly Step[] }) => Maybe<boolean>

export interface Step {
  readonly text?: string
  readonly toolCalls?: readonly StepPart[]
  readonly toolResults?: readonly StepPart[]
}

/** A call or its result; in some versions wrapped in a chunk. */
export interface StepPart {
  readonly payload?: StepPart
  readonly toolCallId?: string
  readonly toolName?: string
  readonly args?: unknown
  readonly input?: unknown
  readonly result?: unknown
  readonly output?: unknown
  readonly isError?: boolean
}
