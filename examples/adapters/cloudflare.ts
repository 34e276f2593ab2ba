import { Think } from '@cloudflare/think'
import { type LanguageModel, tool } from 'ai'
import { withLoopGuard } from 'loophound/cloudflare'
import { z } from 'zod'

const readFile = tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => `the content of ${path}`,
})

export class Assistant extends withLoopGuard(Think)<Env> {
  override getModel(): LanguageModel | '@cf/moonshotai/kimi-k2.7-code' {
    return '@cf/moonshotai/kimi-k2.7-code'
  }

  override getTools() {
    return { read_file: readFile }
  }

  override onChatResponse() {
    const { state, summary } = this.loopGuard.outcome
    if (state === 'stopped') console.warn(summary)
  }
}

type Env = { readonly AI: Ai }
