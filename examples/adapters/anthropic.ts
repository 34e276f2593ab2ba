import type Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { LoopGuard } from 'loophound'
import { withLoopGuard } from 'loophound/anthropic'

const readFile = betaTool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  },
  run: ({ path }) => `the content of ${path}`,
})

export async function ask(client: Anthropic, prompt: string): Promise<string> {
  const guard = new LoopGuard()
  const messages = withLoopGuard(client.beta.messages, guard)
  const { content } = await messages.toolRunner({
    model: 'claude-opus-5',
    max_tokens: 1024,
    tools: [readFile],
    messages: [{ role: 'user', content: prompt }],
    max_iterations: 20,
  })
  if (guard.stopped) return `Stopped: ${guard.stopped.message}`
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
