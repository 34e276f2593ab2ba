import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from 'deepagents'
import { tool } from 'langchain'
import { loopGuardMiddleware } from 'loophound/langchain'
import { z } from 'zod'

type Model = NonNullable<NonNullable<Parameters<typeof createDeepAgent>[0]>['model']>

const readPage = tool(async ({ path }) => `the content of ${path}`, {
  name: 'read_page',
  description: 'Reads a page.',
  schema: z.object({ path: z.string() }),
})

export const makeAgent = (model: Model) =>
  createDeepAgent({
    model,
    tools: [readPage],
    middleware: [loopGuardMiddleware()],
    subagents: [
      // Without this, deepagents adds the same one, unguarded. The guard of a subagent is its own.
      { ...GENERAL_PURPOSE_SUBAGENT, tools: [readPage], middleware: [loopGuardMiddleware()] },
    ],
  })

export async function ask(agent: ReturnType<typeof makeAgent>, question: string): Promise<string> {
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] })
  return messages.at(-1)?.text ?? ''
}
