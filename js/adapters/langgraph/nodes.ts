/**
 * Guards the two nodes: the model's, where a step ends and the next begins, and the tools', which
 * skips refused calls.
 *
 * @module
 */

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { Message, ModelCall } from 'langchain'
import type { GuardWarning, LoopGuard } from 'loophound'
import { isInstance, isModelMessage, isToolMessage } from '../langchain/messages.js'
import { beginStep, refusals, stopMessage } from '../langchain/steps.js'
import { FIELD, type Saved, Threads, type Turn } from '../langchain/threads.js'
import type { GuardSource } from '../shared/guards.js'
import type { GraphNode, RunConfig, ThreadInfo, ToolsNode } from './types.js'

/** What the state has: the memory of each guarded node, by its place in the graph. */
export type Memory = Readonly<Record<string, Saved>>

/** The state, with the parts that are used. */
interface GraphState {
  readonly messages: readonly Message[]
  /** A single call, sent to the tools by itself. */
  readonly lg_tool_call?: unknown
  readonly [field: string]: unknown
}

/** The calls of a step that are run, and the others with their answers. */
interface DecidedCalls {
  readonly message: Message | undefined
  readonly allowed: readonly ModelCall[]
  readonly refused: readonly Message[]
}

/** The nodes of one agent. An error of the guard never reaches the graph. */
export class GuardedNodes {
  readonly #threads: Threads
  readonly #model: GraphNode
  readonly #tools: ToolsNode
  /** The places of the model's node. */
  readonly #places = new Set<string>()
  readonly #warned = new Set<string>()
  /**
   * The replies to refused calls by their arguments: a call that is sent to the tools by itself may
   * come without the state.
   */
  readonly #replies = new WeakMap<object, { readonly id: string; readonly reply: string }>()

  constructor(
    { model, tools }: { readonly model: GraphNode; readonly tools: ToolsNode },
    guard: GuardSource<ThreadInfo> | undefined,
  ) {
    this.#threads = new Threads(guard)
    this.#model = model
    this.#tools = tools
  }

  /** Ends the step before a model call, adds a nudge or stops, and decides on the calls it returns. */
  async model(state: GraphState, config: RunConfig = {}): Promise<unknown> {
    const turn = this.#attempt(null, () => this.#begin(state, config))
    if (!turn) return this.#model(state, config)
    if (!turn.mayCall) return { messages: [stopped(state, turn.guard)] }
    const answer: unknown = await this.#model(withNudge(state, turn.nudge ?? null), config)
    return this.#attempt(answer, () => this.#decide(turn, answer, state, config))
  }

  /** Runs the allowed calls of the last message, or the one that was sent, and answers the others. */
  async tools(state: GraphState, config?: RunConfig): Promise<unknown> {
    const { message, allowed, refused } = this.#attempt(NOTHING_REFUSED, () => this.#calls(state))
    if (refused.length === 0) return this.#run(state, config)
    if (allowed.length === 0) return { messages: refused }
    const rest = Object.assign(Object.create(Object.getPrototypeOf(message)), message, {
      tool_calls: allowed,
    })
    const messages = state.messages.map((one) => (one === message ? rest : one))
    const answer: unknown = await this.#run({ ...state, messages }, config)
    // A tool may return commands, one for each.
    if (Array.isArray(answer)) return [...answer, { messages: refused }]
    if (isCommand(answer)) return [answer, { messages: refused }]
    return { ...(answer as object), messages: [...messagesOf(answer), ...refused] }
  }

  #run(state: GraphState, config: RunConfig | undefined): unknown {
    const tools = this.#tools
    return typeof tools === 'function' ? tools(state, config) : tools.invoke(state, config)
  }

  #begin(state: GraphState, config: RunConfig): Turn | null {
    const memory = state[FIELD] as Memory | undefined
    const turn = this.#threads.open(memory?.[placeOf(config)], config)
    const { guard } = turn
    if (!Array.isArray(state.messages)) {
      this.#warn(guard, NO_MESSAGES)
      return null
    }
    const isMidRun = state.messages.length > 1 && isToolMessage(state.messages.at(-1))
    if (!memory && isMidRun) this.#warn(guard, NO_STATE)
    // A retried node is the same turn.
    turn.mayCall ??= beginStep(guard, state.messages)
    if (turn.mayCall) turn.nudge ??= guard.takeNudge({ sticky: true })
    return turn
  }

  /** Decides on the calls of an answer, and adds what is to be saved. */
  #decide({ guard }: Turn, answer: unknown, state: GraphState, config: RunConfig): unknown {
    const place = placeOf(config)
    const message = messagesOf(answer).findLast(isModelMessage)
    const refused = message ? refusals(guard, message) : {}
    for (const { id = '', args } of message?.tool_calls ?? []) {
      if (typeof args !== 'object' || args === null) continue
      const reply = refused[id]
      if (reply === undefined) this.#replies.delete(args)
      else this.#replies.set(args, { id, reply })
    }
    // The last turn of a run calls no tools.
    if (!message?.tool_calls?.length) guard.endStep()
    this.#threads.leave((state[FIELD] as Memory | undefined)?.[place])
    this.#places.add(place)
    return withField(answer, { [place]: this.#threads.save(guard, refused, config) })
  }

  #calls(state: GraphState): DecidedCalls {
    const memory = state[FIELD] as Memory | undefined
    const sent = [state.lg_tool_call, state].find(isCall)
    const messages = Array.isArray(state.messages) ? (state.messages as readonly Message[]) : []
    const last = messages.findLastIndex(isModelMessage)
    const message = messages[last]
    const calls = sent ? [sent] : isModelMessage(message) ? (message.tool_calls ?? []) : []
    // An answer that is there already, of a person who was asked for example, stays the only one.
    const answered = new Set(
      messages.slice(last + 1).map((one) => (isToolMessage(one) ? one.tool_call_id : undefined)),
    )
    const decided = calls.map((call) => ({ call, reply: this.#replyTo(call, memory) }))
    const refused = decided.flatMap(({ call: { id = '', name }, reply }) =>
      reply === undefined || answered.has(id) ? [] : [refusal(message, id, name, reply)],
    )
    const allowed = decided.flatMap(({ call, reply }) => (reply === undefined ? [call] : []))
    return { message, allowed, refused }
  }

  #replyTo({ id = '', args }: ModelCall, memory: Memory | undefined): string | undefined {
    if (!memory) {
      const sent = typeof args === 'object' && args ? this.#replies.get(args) : undefined
      return sent?.id === id ? sent.reply : undefined
    }
    // In a new process the places are not known yet.
    const places = this.#places.size > 0 ? [...this.#places] : Object.keys(memory)
    const refused = places.map((place) => memory[place]?.refused ?? {})
    return refused.find((replies) => Object.hasOwn(replies, id))?.[id]
  }

  /** Warns once: without a memory, each step has another guard. */
  #warn(guard: LoopGuard, warning: GuardWarning): void {
    if (this.#warned.has(warning.code)) return
    this.#warned.add(warning.code)
    guard.warn(warning)
  }

  #attempt<Result>(otherwise: Result, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      this.#threads.report(error)
      return otherwise
    }
  }
}

const NOTHING_REFUSED: DecidedCalls = { message: undefined, allowed: [], refused: [] }

/** Without it, a guard forgets everything after each step. */
const NO_STATE = {
  code: 'no-state',
  message: 'The state of the graph has no memory of the guard, so that no loop can be found.',
  remedy: 'Add `...loopGuardState` to the annotation of the state.',
}

const NO_MESSAGES = {
  code: 'no-messages',
  message: 'The state of the graph has no `messages`, so that nothing is watched.',
  remedy: 'Keep the messages of the guarded nodes in a field `messages` of their state.',
}

/**
 * Returns where the node is: its name, after those of the subgraphs, without the ids and numbers of
 * this run.
 */
const placeOf = ({ metadata }: RunConfig): string =>
  metadata?.langgraph_checkpoint_ns?.replace(/:[^|]*|\|\d+(?=\|)/g, '') ?? ''

function withNudge(state: GraphState, nudge: string | null): GraphState {
  if (nudge === null) return state
  const message = hasInstances(state) ? new HumanMessage(nudge) : { role: 'user', content: nudge }
  return { ...state, messages: [...state.messages, message as Message] }
}

function stopped(state: GraphState, guard: LoopGuard): object {
  const message = stopMessage(guard)
  return hasInstances(state) ? new AIMessage(message) : { role: 'assistant', ...message }
}

/** Makes the answer to a refused call, of the same kind as the model's message. */
function refusal(model: Message | undefined, id: string, name: string, content: string): Message {
  const fields = { content, tool_call_id: id, name, status: 'error' as const }
  if (!model || isInstance(model)) return new ToolMessage(fields)
  return { role: 'tool', ...fields } as unknown as Message
}

/** Returns whether messages are instances; a state of one's own may hold plain objects. */
const hasInstances = ({ messages }: GraphState): boolean =>
  messages.length === 0 || isInstance(messages.at(-1))

/** Recognises a call, in LangChain's own format. */
function isCall(value: unknown): value is ModelCall {
  const { name, args, messages } = (value ?? {}) as Partial<ModelCall> & Partial<GraphState>
  return typeof name === 'string' && typeof args === 'object' && messages === undefined
}

interface Command {
  readonly graph?: unknown
  readonly update?: unknown
}

const isCommand = (value: unknown): value is Command =>
  (value as { lg_name?: unknown } | null | undefined)?.lg_name === 'Command'

/** Returns the messages of what a node returned: an update, a command, or several of them. */
function messagesOf(answer: unknown): readonly Message[] {
  if (isCommand(answer)) {
    const { update } = answer
    const entries = Array.isArray(update) ? update : Object.entries(update ?? {})
    return entries.flatMap(([field, value]) => (field === 'messages' ? value : []))
  }
  if (Array.isArray(answer)) return answer.flatMap(messagesOf)
  const { messages = [] } = (answer ?? {}) as { messages?: Message | readonly Message[] }
  return [messages].flat()
}

/** Adds a field to what a node returned. What LangGraph would refuse stays as it is. */
function withField(answer: unknown, memory: Memory): unknown {
  const field = { [FIELD]: memory }
  if (Array.isArray(answer)) return answer.some(isCommand) ? [...answer, field] : answer
  if (!isCommand(answer)) return isUpdate(answer) ? { ...answer, ...field } : answer
  // What goes to the graph above is no update of this one.
  if (answer.graph != null) return answer
  const update = Array.isArray(answer.update)
    ? [...answer.update, [FIELD, memory]]
    : { ...(answer.update as object | undefined), ...field }
  return Object.assign(Object.create(Object.getPrototypeOf(answer)), answer, { update })
}

/** Recognises an update, which is a plain object; `null` and `undefined` are empty ones. */
const isUpdate = (answer: unknown): answer is object | null | undefined =>
  answer == null || (typeof answer === 'object' && !('lg_name' in answer))
