/**
 * The parts of the SDK's types that the adapter uses. Values that it only passes on are `unknown`.
 *
 * @module
 */

/** The SDK, or the parts of it that are used. */
export interface AgentsModule {
  readonly tool: AnyFunction
  readonly run: AnyFunction
  readonly Agent: AnyClass
  readonly RunContext: AnyClass
  readonly Runner?: AnyClass
}

export type AnyFunction = (...args: never[]) => unknown
export type AnyClass = abstract new (...args: never[]) => object

/** A call of a function tool. */
export interface FunctionCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export interface ToolOptions {
  readonly execute: (input: unknown, context?: object, details?: ToolDetails) => unknown
  readonly inputGuardrails?: readonly unknown[]
  readonly [option: string]: unknown
}

export interface ToolDetails {
  readonly toolCall?: FunctionCall
  readonly signal?: { readonly aborted: boolean }
}

export interface GuardrailInput {
  readonly context: object
  readonly agent: object
  readonly toolCall: FunctionCall
}

/** An agent, with the parts that are used. */
export interface AgentLike {
  toolUseBehavior: unknown
  readonly outputType: unknown
  clone(config: object): AgentLike
}

/** A turn's result, as `toolUseBehavior` returns it. */
export interface FinalOutput {
  readonly isFinalOutput: boolean
  readonly isInterrupted: undefined
  readonly finalOutput?: string
}

export interface RunOptions {
  readonly context?: unknown
  readonly callModelInputFilter?: InputFilter
  readonly session?: unknown
  readonly conversationId?: string
  readonly previousResponseId?: string
}

export type InputFilter = (turn: FilterInput) => ModelData | Promise<ModelData>

export interface FilterInput {
  readonly modelData: ModelData
  readonly agent: object
}

export interface ModelData {
  readonly input: readonly Item[]
  readonly instructions?: string | undefined
}

/** An item of a conversation: a message, a call, or a result. */
export interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: unknown
  readonly id?: string
  readonly callId?: string
  readonly name?: string
  readonly arguments?: unknown
  readonly action?: unknown
  readonly operation?: unknown
  readonly output?: unknown
}
