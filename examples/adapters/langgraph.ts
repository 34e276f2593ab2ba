import type { BaseMessage } from '@langchain/core/messages'
import type { Runnable } from '@langchain/core/runnables'
import { tool } from '@langchain/core/tools'
import {
  Annotation,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { loopGuardState, withLoopGuard } from 'loophound/langgraph'
import { z } from 'zod'

const readFile = tool(async ({ path }) => `the content of ${path}`, {
  name: 'read_file',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

const State = Annotation.Root({ ...MessagesAnnotation.spec, ...loopGuardState })

/** Makes an agent; the model knows the tools already. */
export function makeAgent(chat: Runnable<BaseMessage[], BaseMessage>) {
  const { model, tools } = withLoopGuard({
    model: async ({ messages }: typeof State.State) => ({
      messages: [await chat.invoke(messages)],
    }),
    tools: new ToolNode([readFile]),
  })
  return (
    new StateGraph(State)
      .addNode('model', model)
      .addNode('tools', tools)
      .addEdge(START, 'model')
      .addConditionalEdges('model', toolsCondition)
      .addEdge('tools', 'model')
      // What the guard knows is saved with the thread.
      .compile({ checkpointer: new MemorySaver() })
  )
}
