import { Agent, type AgentConfig } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { withLoopGuard } from 'loophound/mastra'
import { z } from 'zod'

// Use this instead of Agent. Every run gets a guard of its own.
const GuardedAgent = withLoopGuard(Agent)

const readFile = createTool({
  id: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async () => 'the content of the file',
})

export const makeAgent = (model: AgentConfig['model']) =>
  new GuardedAgent({
    id: 'librarian',
    name: 'Librarian',
    instructions: 'You are a careful assistant.',
    model,
    tools: { read_file: readFile },
  })

export async function ask(agent: ReturnType<typeof makeAgent>, question: string): Promise<string> {
  const { text } = await agent.generate(question, { maxSteps: 20 })
  return text
}
