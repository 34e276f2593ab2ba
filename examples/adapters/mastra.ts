import * as mastra from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { loopGuardProcessor, withLoopGuard } from 'loophound/mastra'
import { z } from 'zod'

const Agent = withLoopGuard(mastra.Agent)

const readFile = createTool({
  id: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async () => 'the content of the file',
})

export const makeAgent = (model: mastra.AgentConfig['model']) =>
  new Agent({
    id: 'librarian',
    name: 'Librarian',
    instructions: 'You are a careful assistant.',
    model,
    tools: { read_file: readFile },
    // Watches what the model says as it streams.
    outputProcessors: [loopGuardProcessor()],
  })

export async function ask(agent: ReturnType<typeof makeAgent>, question: string): Promise<string> {
  const { text } = await agent.generate(question, { maxSteps: 20 })
  return text
}
