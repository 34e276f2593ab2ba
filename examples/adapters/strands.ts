import { Agent, type Model, tool } from '@strands-agents/sdk'
import { LoopGuard } from 'loophound'
import { LoopGuardPlugin } from 'loophound/strands'
import { z } from 'zod'

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  callback: ({ path }) => `the content of ${path}`,
})

export function makeAgent(model: Model) {
  const guard = new LoopGuard()
  const agent = new Agent({
    model,
    tools: [readFile],
    printer: false,
    plugins: [new LoopGuardPlugin(guard)],
  })
  return { agent, guard }
}

export async function ask({ agent, guard }: ReturnType<typeof makeAgent>, question: string) {
  const { lastMessage } = await agent.invoke(question)
  const text = lastMessage.content.map((block) => ('text' in block ? block.text : '')).join('')
  return { text, stopped: guard.outcome.state === 'stopped' }
}
