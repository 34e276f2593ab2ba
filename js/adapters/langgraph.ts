/**
 * loophound for LangGraph 1, for your own graphs: wraps the node that calls the model and the node
 * that runs the tools. For `createAgent`, use `loophound/langchain`.
 *
 * LangGraph itself is imported, because the nodes must use its messages.
 *
 * @module
 */

/// <reference path="./langchain/modules.d.ts" />
/// <reference path="./langgraph/modules.d.ts" />

import { Annotation } from '@langchain/langgraph'
import { GuardedNodes } from './langgraph/nodes.js'
import type { GraphNode, ThreadInfo, ToolsNode } from './langgraph/types.js'
import type { GuardSource } from './shared/guards.js'

export type { GraphNode, ThreadInfo, ToolsNode } from './langgraph/types.js'
export type { GuardSource } from './shared/guards.js'

/**
 * The field of the state for the guard's memory: spread it into your annotation, next to
 * `messages`.
 *
 * @example
 * ```ts
 * const State = Annotation.Root({ ...MessagesAnnotation.spec, ...loopGuardState })
 * ```
 */
export const loopGuardState = {
  // Nodes of several agents may write at the same time, each to its own place.
  _loophound: Annotation<object, object>({
    reducer: (left, right) => ({ ...left, ...right }),
    default: () => ({}),
  }),
}

/**
 * Guards the two nodes of an agent: returns the same nodes, which end loops.
 *
 * A repeated call is first answered with a nudge (a user message that only the model sees), then
 * refused (the model gets the reason as a `ToolMessage` with the status `error`), and finally the
 * model is not called again: its node answers with a message without calls, whose text is
 * `guard.outcome.summary`. A user message resets the guard. The guard's memory is part of the
 * state, which must have {@link loopGuardState}, so your checkpointer saves it with the thread.
 *
 * @param nodes `model` returns the model's message as `messages`; `tools` is a `ToolNode`, or a
 * function that runs the calls of the last message.
 * @param guard A preset or options. With your own guard, or a function that returns the guard for a
 * run, nothing is saved with the thread: you keep the guard yourself.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example
 * ```ts
 * const { model, tools } = withLoopGuard({ model: callModel, tools: new ToolNode([readFile]) })
 * new StateGraph(State).addNode('model', model).addNode('tools', tools)
 * ```
 */
export function withLoopGuard<Model extends GraphNode>(
  nodes: { readonly model: Model; readonly tools: ToolsNode },
  guard?: GuardSource<ThreadInfo>,
): { model: Model; tools: GraphNode } {
  const guarded = new GuardedNodes(nodes, guard)
  const model: GraphNode = (state, config) => guarded.model(state, config)
  const tools: GraphNode = (state, config) => guarded.tools(state, config)
  return { model: model as Model, tools }
}
