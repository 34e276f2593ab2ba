import { LoopGuard } from 'loophound'
import { answerChat, type RequestedCall } from 'loophound/openai'
import type OpenAI from 'openai'

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
  },
]

async function runTool({ args }: RequestedCall): Promise<string> {
  return `the content of ${(args as { path: string }).path}`
}

export async function ask(client: OpenAI, prompt: string): Promise<string> {
  const guard = new LoopGuard()
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  while (guard.beginStep()) {
    const completion = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
    const message = completion.choices[0]?.message
    if (!message) break
    messages.push(message, ...(await answerChat(guard, message, runTool)))
    if (!message.tool_calls) return message.content ?? ''
  }
  return guard.outcome.summary ?? ''
}
