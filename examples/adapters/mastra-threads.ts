import * as mastra from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { GuardPool } from 'loophound'
import { loopGuardProcessor, withLoopGuard } from 'loophound/mastra'
import { z } from 'zod'

const guards = new GuardPool()

// One guard for each thread.
const Agent = withLoopGuard(mastra.Agent, ({ memory }) => guards.for(String(memory?.thread)))

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

export async function ask(
  agent: ReturnType<typeof makeAgent>,
  thread: string,
  question: string,
): Promise<string> {
  const memory = { thread, resource: 'me' }
  const { text } = await agent.generate(question, { maxSteps: 20, memory })
  // Why the run was stopped, if it was.
  return guards.for(thread).outcome.summary ?? text
}
