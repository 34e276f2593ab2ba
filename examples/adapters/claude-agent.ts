import * as sdk from '@anthropic-ai/claude-agent-sdk'
import { withLoopGuard } from 'loophound/claude-agent'

const query = withLoopGuard(sdk.query)

export async function ask(prompt: string, options: sdk.Options): Promise<string> {
  for await (const message of query({ prompt, options })) {
    if (message.type === 'result' && message.subtype === 'success') return message.result
  }
  return ''
}
