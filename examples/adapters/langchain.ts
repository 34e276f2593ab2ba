import { MemorySaver } from '@langchain/langgraph'
import { createAgent, tool } from 'langchain'
import { loopGuardMiddleware } from 'loophound/langchain'
import { z } from 'zod'

type Model = Parameters<typeof createAgent>[0]['model']

const readFile = tool(async ({ path }) => `the content of ${path}`, {
  name: 'read_file',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

export const makeAgent = (model: Model) =>
  createAgent({
    model,
    tools: [readFile],
    // What the guard knows is saved with the thread.
    checkpointer: new MemorySaver(),
    middleware: [loopGuardMiddleware()],
  })

export async function ask(
  agent: ReturnType<typeof makeAgent>,
  thread: string,
  question: string,
): Promise<string> {
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: question }] },
    { configurable: { thread_id: thread }, recursionLimit: 100 },
  )
  return messages.at(-1)?.text ?? ''
}
