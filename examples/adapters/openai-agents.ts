import * as agents from '@openai/agents'
import { withLoopGuard } from 'loophound/openai-agents'
import { z } from 'zod'

const { Agent, run, tool } = withLoopGuard(agents)

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `the content of ${path}`,
})

export async function ask(model: agents.Model, question: string): Promise<string> {
  const agent = new Agent({
    name: 'Librarian',
    instructions: 'You are a careful assistant.',
    model,
    tools: [readFile],
  })
  const { finalOutput } = await run(agent, question, { maxTurns: 30 })
  return finalOutput ?? ''
}
