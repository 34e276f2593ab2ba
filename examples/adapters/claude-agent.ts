import { type Options, query } from '@anthropic-ai/claude-agent-sdk'
import { withLoopGuard } from 'loophound/claude-agent'

// Call this instead of query.
const guardedQuery = withLoopGuard(query)

export async function ask(prompt: string, options: Options): Promise<string> {
  for await (const message of guardedQuery({ prompt, options })) {
    if (message.type === 'result' && message.subtype === 'success') return message.result
  }
  return ''
}
