/**
 * Guards the two nodes: the model's, where a step ends and the next begins, and the tools', which
 * skips refused calls.
 *
 * @module
 */

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { Message } from 'langchain'
import type { LoopGuard } from 'loophound'
import { isModelMessage } from '../langchain/messages.js'
import { beginStep, refusals, stopMessage } from '../langchain/steps.js'
import { FIELD, type Saved, type Threads } from '../langchain/threads.js'
import type { GraphNode, ThreadInfo, ToolsNode } from './types.js'

/** The state, with the parts that are used. */
interface GraphState {
  readonly messages: readonly Message[]
  readonly [field: string]: unknown
}

/** What a node returns: an update of the state, or a command that has one. */
interface NodeAnswer {
  readonly messages?: Message | readonly Message[]
  readonly update?: unknown
  readonly [field: string]: unknown
}

/** Ends the step before a model call, adds a nudge or stops, and decides on the calls it returns. */
export async function callModel(
  threads: Threads,
  node: GraphNode,
  state: GraphState,
  config: ThreadInfo = {},
): Promise<unknown> {
  const saved = state[FIELD] as Saved | undefined
  const turn = threads.open(saved, config)
  const { guard } = turn
  if (!saved) warnOfMissingState(guard, state)
  // A retried node is the same turn.
  turn.mayCall ??= beginStep(guard, state.messages)
  if (!turn.mayCall) return { messages: [new AIMessage(stopMessage(guard))] }
  turn.nudge ??= guard.takeNudge({ sticky: true })
  const answer: NodeAnswer = await node(withNudge(state, turn.nudge), config)
  threads.leave(saved)
  const message = messagesOf(answer).findLast(isModelMessage)
  const refused = message ? refusals(guard, message) : {}
  // The last turn of a run calls no tools.
  if (!message?.tool_calls?.length) guard.endStep()
  return withField(answer, threads.save(guard, refused, config))
}

/** Runs the allowed calls of the last message, and answers the others. */
export async function callTools(
  node: ToolsNode,
  state: GraphState,
  config?: ThreadInfo,
): Promise<unknown> {
  const run = (given: GraphState) =>
    typeof node === 'function' ? node(given, config) : node.invoke(given, config)
  const saved = state[FIELD] as Saved | undefined
  const message = state.messages.findLast(isModelMessage)
  const { tool_calls: calls = [] } = message ?? {}
  const replyTo = (id = '') =>
    saved && Object.hasOwn(saved.refused, id) ? saved.refused[id] : null
  const isAllowed = ({ id }: { readonly id?: string }) => replyTo(id) == null
  if (!message || calls.every(isAllowed)) return run(state)
  const refused = calls.flatMap(({ id = '', name }) => {
    const content = replyTo(id)
    return content == null
      ? []
      : new ToolMessage({ content, tool_call_id: id, name, status: 'error' })
  })
  const allowed = calls.filter(isAllowed)
  if (allowed.length === 0) return { messages: refused }
  const rest = Object.assign(Object.create(Object.getPrototypeOf(message)), message, {
    tool_calls: allowed,
  })
  const messages = state.messages.map((one) => (one === message ? rest : one))
  const answer = await run({ ...state, messages })
  // A tool may return commands, one for each.
  if (Array.isArray(answer)) return [...answer, { messages: refused }]
  return { ...answer, messages: [...messagesOf(answer), ...refused] }
}

function withNudge(state: GraphState, nudge: string | null): GraphState {
  if (nudge === null) return state
  return { ...state, messages: [...state.messages, new HumanMessage(nudge)] }
}

/** Returns the messages of an answer, also of a command. */
function messagesOf(answer: NodeAnswer | null | undefined): readonly Message[] {
  const { messages = [] } = ((answer?.update ?? answer) as NodeAnswer | null) ?? {}
  return [messages].flat()
}

/** Adds the saved guard to an answer, also to a command. */
function withField(answer: NodeAnswer | null | undefined, saved: Saved): unknown {
  const field = { [FIELD]: saved }
  if (typeof answer?.update !== 'object') return { ...answer, ...field }
  const update = Array.isArray(answer.update)
    ? [...answer.update, [FIELD, saved]]
    : { ...answer.update, ...field }
  return Object.assign(Object.create(Object.getPrototypeOf(answer)), answer, { update })
}

/** Warns if the state lacks its field: without it, a guard forgets everything after each step. */
function warnOfMissingState(guard: LoopGuard, { messages }: GraphState): void {
  const isMidRun = messages.length > 1 && messages.at(-1)?.getType() === 'tool'
  if (!isMidRun) return
  guard.warn({
    code: 'no-state',
    message: 'The state of the graph has no memory of the guard, so that no loop can be found.',
    remedy: 'Add `...loopGuardState` to the annotation of the state.',
  })
}
