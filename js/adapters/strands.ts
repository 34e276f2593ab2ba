/**
 * loophound for Strands Agents 1: a plugin for `Agent`.
 *
 * The SDK itself is imported, because its hooks are registered by its classes.
 *
 * @module
 */

/// <reference path="./strands/modules.d.ts" />

import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  AgentResultEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  HookOrder,
  InvokeModelStage,
  type LocalAgent,
  type Message,
  MessageAddedEvent,
} from '@strands-agents/sdk'
import type { LoopGuard } from 'loophound'
import { type GuardSource, guardsFrom } from './shared/guards.js'
import { HeldResults } from './shared/held-results.js'
import { failureText } from './shared/tools.js'
import { textOf, watchModel } from './strands/model-calls.js'

export type { GuardSource } from './shared/guards.js'

/** An agent, for a function that returns its guard. */
export type AgentInfo = Pick<LocalAgent, 'id' | 'sessionId'>

/**
 * A plugin that ends loops. Each agent has its own guard, because it has its own conversation; one
 * plugin may serve several agents.
 *
 * A repeated call is first answered with a nudge (only at the end of the request to the model),
 * then refused (the model gets the reason as the call's result), and finally the turn ends after
 * the step: the last message is `guard.outcome.summary`. Text that repeats itself is cut off, and
 * the turn ends with the text so far. A user message resets the guard.
 *
 * @example
 * ```ts
 * import { Agent } from '@strands-agents/sdk'
 * import { LoopGuardPlugin } from 'loophound/strands'
 *
 * const agent = new Agent({ model, tools, plugins: [new LoopGuardPlugin()] })
 * ```
 */
export class LoopGuardPlugin {
  readonly name = 'loophound'
  readonly #guardOf: (agent: AgentInfo) => LoopGuard

  /**
   * @param guard A preset, options, a guard, or a function that returns the guard for an agent.
   * @throws TypeError or RangeError for options that a guard would refuse.
   */
  constructor(guard?: GuardSource<AgentInfo>) {
    this.#guardOf = guardsFrom(guard)
  }

  /** Called by the agent. */
  initAgent(agent: LocalAgent): void {
    const steps = new Steps(this.#guardOf(agent))
    agent.addHook(BeforeInvocationEvent, ({ invocationState }) => {
      steps.beginInvocation(invocationState)
    })
    agent.addHook(MessageAddedEvent, ({ message }) => {
      if (isFromUser(message)) steps.userMessage()
    })
    agent.addHook(BeforeModelCallEvent, (event) => {
      if (!steps.begin()) event.cancel = steps.summary
    })
    agent.addMiddleware(InvokeModelStage.Wrap, watchModel(steps.guard))
    agent.addHook(AfterModelCallEvent, ({ stopData }) => {
      steps.text = textOf(stopData?.message.content ?? [])
    })
    agent.addHook(BeforeToolCallEvent, (event) => steps.call(event))
    agent.addHook(AfterToolCallEvent, (event) => steps.answer(event))
    agent.addHook(AfterToolsEvent, (event) => {
      // If your own hook ended the turn, it stays as it is.
      if (steps.end() && event.endTurn === false) event.endTurn = steps.summary
    })
    agent.addHook(AfterInvocationEvent, ({ invocationState }) => {
      steps.end()
      steps.endInvocation(invocationState)
    })
    agent.addHook(
      AfterInvocationEvent,
      (event) => {
        // A plugin such as `GoalLoop` would try again, without end if it has no limit.
        if (steps.guard.stopped) event.resume = undefined
      },
      { order: HookOrder.SDK_LAST },
    )
    agent.addHook(AgentResultEvent, () => steps.endInvocation(undefined))
  }
}

/** The steps of an agent, one after the other. */
class Steps {
  readonly guard: LoopGuard
  readonly #results: HeldResults
  /** The calls of this step, with their events, which hooks may change. */
  readonly #asked = new Map<string, { event: BeforeToolCallEvent; reply: string | null }>()
  #isOpen = false
  /** The state of the last invocation, unless it has a result: then a plugin may resume it. */
  #ended: object | undefined
  #isResumed = false
  /** What the model said in this step. */
  text = ''

  constructor(guard: LoopGuard) {
    this.guard = guard
    this.#results = new HeldResults(guard)
  }

  /** What the user is told about a stop. Never empty, which would not end the turn. */
  get summary(): string {
    return this.guard.outcome.summary || 'The run was stopped.'
  }

  /** An invocation that is resumed has the same state, and no result in between. */
  beginInvocation(state: object): void {
    this.#isResumed = state === this.#ended
  }

  endInvocation(state: object | undefined): void {
    this.#ended = state
  }

  /** A plugin that resumes writes in the user's name. After a stop, it is another run all the same. */
  userMessage(): void {
    if (!this.#isResumed || this.guard.stopped) this.guard.userMessage()
  }

  /** Begins a step, before a model call; a retried model call is the same step. */
  begin(): boolean {
    if (!this.#isOpen) this.#isOpen = this.guard.beginStep()
    return this.#isOpen
  }

  end(): boolean {
    this.#isOpen = false
    this.#asked.clear()
    const { text } = this
    this.text = ''
    return this.#results.endStep({ text })
  }

  call(event: BeforeToolCallEvent): void {
    // Another hook refuses it.
    if (event.cancel) return
    const { toolUseId: id, name, input: args } = event.toolUse
    const { reply } = this.guard.call({ id, name, args })
    if (reply !== null) event.cancel = reply
    this.#asked.set(id, { event, reply })
  }

  answer({ toolUse, result, error }: AfterToolCallEvent): void {
    const { toolUseId: id, name } = toolUse
    const asked = this.#asked.get(id)
    // The answer of a hook says nothing about the tool.
    if (asked?.event.cancel) return
    const ok = error === undefined && result.status !== 'error'
    const output = error === undefined ? outputOf(result) : failureText(error)
    this.#results.hold({ id, name, ok, output })
  }
}

/** Returns whether a message is the user's; tool results have the same role. */
function isFromUser({ role, content }: Message): boolean {
  return role === 'user' && !content.some(({ type }) => type === 'toolResultBlock')
}

/** Returns the text of a result; all of its content if there is more than text. */
function outputOf({ content }: AfterToolCallEvent['result']): unknown {
  const texts = content.map((block) => (block as { text?: unknown }).text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content
}
