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

const request = {
  model: 'claude-opus-5',
  max_tokens: 1024,
  tools: [readFile],
  max_iterations: 20,
}

export async function ask(client: Anthropic, content: string): Promise<string> {
  // Every run gets a guard of its own.
  const messages = withLoopGuard(client.beta.messages)
  return textOf(await messages.toolRunner({ ...request, messages: [{ role: 'user', content }] }))
}

/** The same with a guard of yours, which you can ask why the run was stopped. */
export async function askOrExplain(client: Anthropic, content: string): Promise<string> {
  const guard = new LoopGuard()
  const messages = withLoopGuard(client.beta.messages, guard)
  const last = await messages.toolRunner({ ...request, messages: [{ role: 'user', content }] })
  return guard.outcome.summary ?? textOf(last)
}

function textOf({ content }: Anthropic.Beta.BetaMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
