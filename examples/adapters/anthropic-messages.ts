import type Anthropic from '@anthropic-ai/sdk'
import { LoopGuard } from 'loophound'
import { answerMessage, type RequestedCall, watchMessage } from 'loophound/anthropic'

const tools: Anthropic.Tool[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

async function runTool({ args }: RequestedCall): Promise<string> {
  return `the content of ${(args as { path: string }).path}`
}

export async function ask(client: Anthropic, prompt: string): Promise<string> {
  const guard = new LoopGuard()
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
  while (guard.beginStep()) {
    const request = { model: 'claude-opus-5', max_tokens: 1024, messages, tools }
    const stream = client.messages.stream(request)
    for await (const event of watchMessage(guard, stream)) {
      if (event.type === 'message_stop') console.log('A message of the model.')
    }
    if (stream.aborted) {
      // The text was cut off: tell the model why, and ask again.
      guard.endStep()
      const nudge = guard.takeNudge()
      if (nudge) messages.push({ role: 'user', content: nudge })
      continue
    }
    const message = await stream.finalMessage()
    messages.push({ role: 'assistant', content: message.content })
    const reply = await answerMessage(guard, message, runTool)
    if (!reply) {
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    }
    messages.push(reply)
  }
  return guard.outcome.summary ?? ''
}
