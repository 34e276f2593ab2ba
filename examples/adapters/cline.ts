import { Agent, type AgentModel, createTool } from '@cline/agents'
import { LoopGuard } from 'loophound'
import { loopGuardPlugin } from 'loophound/cline'

const readFile = createTool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  execute: async ({ path }: { path: string }) => `the content of ${path}`,
})

export function makeAgent(model: AgentModel) {
  const guard = new LoopGuard()
  const agent = new Agent({
    model,
    tools: [readFile],
    plugins: [loopGuardPlugin(guard)],
  })
  return async (question: string): Promise<string> => {
    const { outputText } = await agent.run(question)
    // Why the run was stopped, if it was.
    return guard.outcome.summary ?? outputText
  }
}
