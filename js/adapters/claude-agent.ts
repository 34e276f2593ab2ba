/**
 * loophound for the Claude Agent SDK: hooks that end loops, including those of subagents.
 *
 * The SDK is not imported. Claude Code itself takes the same hooks as a command: `loophound hook`.
 *
 * @module
 */

import { answerHook, stepsOf } from './claude-agent/answer.js'
import { sessionsFrom } from './claude-agent/sessions.js'
import type { GuardedEvent, HookCallback, HookInput, HookSession } from './claude-agent/types.js'
import type { GuardSource } from './shared/guards.js'

export { answerHook } from './claude-agent/answer.js'
export type {
  BatchedCall,
  GuardedEvent,
  HookCallback,
  HookInput,
  HookOutput,
  HookSession,
  HookSteps,
} from './claude-agent/types.js'
export type { GuardSource } from './shared/guards.js'

const EVENTS: readonly GuardedEvent[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PostCompact',
]

/** Hooks by event, as `options.hooks` has them. */
type Hooks = Readonly<Partial<Record<string, readonly unknown[]>>>

/** The guard's hooks, added to yours. */
export type GuardedHooks<Own> = Omit<Own, GuardedEvent> & {
  [Event in GuardedEvent]: (MatcherOf<Own, Event> | { hooks: HookCallback[] })[]
}

type MatcherOf<Own, Event> = Event extends keyof Own
  ? Own[Event] extends readonly (infer Matcher)[] | undefined
    ? Matcher
    : never
  : never

/**
 * Makes hooks for `options.hooks`, added to those that you have.
 *
 * A repeated call is first answered with a nudge (context for the model after the tools ran), then
 * refused (the model gets the reason as the call's result), and finally the run is ended after the
 * step. Each session has its own guard, and so does each subagent in it.
 *
 * @param guard A preset, options, a guard, or a function that returns the guard for a session.
 * @param own Your own hooks. They are called as before.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * for await (const message of query({ prompt, options: { hooks: loopGuardHooks() } })) show(message)
 * ```
 */
export function loopGuardHooks<Own extends object = object>(
  guard?: GuardSource<HookSession>,
  own?: Own,
): GuardedHooks<Own> {
  return addHooks(own, hookOf(guard))
}

/**
 * Guards `query`: returns the same function, of the same type, that ends loops. The hooks of
 * {@link loopGuardHooks} are added to those in the options of each query.
 *
 * @param query The SDK's function.
 * @param guard A preset, options, a guard, or a function that returns the guard for a session.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * import * as sdk from '@anthropic-ai/claude-agent-sdk'
 * import { withLoopGuard } from 'loophound/claude-agent'
 *
 * const query = withLoopGuard(sdk.query)
 * for await (const message of query({ prompt: 'Mend the tests.' })) show(message)
 * ```
 */
export function withLoopGuard<Query extends (...args: never[]) => unknown>(
  query: Query,
  guard?: GuardSource<HookSession>,
): Query {
  const hook = hookOf(guard)
  return new Proxy(query, {
    apply(target, self, [params, ...rest]: [QueryParams, ...unknown[]]) {
      const options = { ...params.options, hooks: addHooks(params.options?.hooks, hook) }
      return Reflect.apply(target as unknown as (...args: unknown[]) => unknown, self, [
        { ...params, options },
        ...rest,
      ])
    },
  })
}

/** Makes the callback for all events. The Claude Code of the SDK reports batches. */
function hookOf(source: GuardSource<HookSession> | undefined): HookCallback {
  const guardOf = sessionsFrom(source)
  return async (input) => {
    const guard = guardOf(sessionOf(input))
    return answerHook(guard, input, stepsOf(guard, { hasBatches: true }))
  }
}

interface QueryParams {
  readonly options?: { readonly hooks?: Hooks | undefined } | undefined
}

function addHooks<Own extends object>(own: Own | undefined, hook: HookCallback): GuardedHooks<Own> {
  const yours = (own ?? {}) as Hooks
  const added = EVENTS.map((event) => [event, [...(yours[event] ?? []), { hooks: [hook] }]])
  return { ...yours, ...Object.fromEntries(added) } as GuardedHooks<Own>
}

function sessionOf({ session_id: sessionId, agent_id: agentId }: HookInput): HookSession {
  return { sessionId, agentId: agentId ?? null }
}
