/**
 * The parts of Think, and of a Durable Object, that the adapter uses. Values that it only passes on
 * are `unknown`.
 *
 * @module
 */

import type { Message, Step } from '../ai-sdk/types.js'

type Maybe<T> = T | PromiseLike<T>

/** The storage of a Durable Object that is backed by SQLite, with the parts that are used. */
export interface GuardStorage {
  readonly kv: {
    get(key: string): unknown
    put(key: string, value: unknown): void
  }
}

/** A Think agent. Its constructor wraps these methods, which may be yours. */
export interface ThinkAgent {
  beforeTurn(turn: never): unknown
  beforeStep(step: never): unknown
  beforeToolCall(call: never): unknown
  afterToolCall(call: never): unknown
  onStepEnd(step: never): unknown
}

/** The same agent, as the adapter calls it. */
export interface Hooks {
  readonly ctx: { readonly storage: GuardStorage }
  readonly name: string
  resolveModel(model: string): object
  beforeTurn(turn: Turn): unknown
  beforeStep(step: StepContext): Maybe<StepConfig | undefined>
  beforeToolCall(call: CallContext): Maybe<CallDecision | undefined>
  afterToolCall(call: CallResult): unknown
  onStepEnd(step: Step): unknown
}

export interface Turn {
  readonly messages: readonly Message[]
  readonly continuation?: boolean
  /** What started the turn. */
  readonly trigger?: string
}

export interface StepContext {
  readonly messages: readonly Message[]
  readonly model: object | string
}

export interface StepConfig {
  readonly messages?: readonly Message[] | undefined
  readonly model?: object | string | undefined
}

export interface CallContext {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export type CallDecision =
  | { readonly action: 'allow' | 'substitute' }
  | { readonly action: 'block'; readonly reason?: string }

export interface CallResult {
  readonly toolCallId: string
  readonly toolName: string
  readonly toolOutput:
    | { readonly type: 'tool-result'; readonly output: unknown }
    | { readonly type: 'tool-error'; readonly error: unknown }
}
