import { AIChatAgent, type OnChatMessageOptions } from '@cloudflare/ai-chat'
import * as ai from 'ai'
import { withLoopGuard } from 'loophound/ai-sdk'
import { StoredLoopGuard } from 'loophound/cloudflare'
import { createWorkersAI } from 'workers-ai-provider'
import { z } from 'zod'

const readFile = ai.tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => `the content of ${path}`,
})

export class Chat extends AIChatAgent<Env> {
  readonly loopGuard = new StoredLoopGuard(this.ctx.storage)
  readonly streamText = withLoopGuard(ai.streamText, this.loopGuard)

  getModel(): ai.LanguageModel {
    return createWorkersAI({ binding: this.env.AI })('@cf/moonshotai/kimi-k2.7-code')
  }

  override async onChatMessage(_onFinish: unknown, options?: OnChatMessageOptions) {
    const result = this.streamText({
      model: this.getModel(),
      messages: await ai.convertToModelMessages(this.messages),
      tools: { read_file: readFile },
      stopWhen: ai.stepCountIs(20),
      ...(options?.abortSignal && { abortSignal: options.abortSignal }),
    })
    return result.toUIMessageStreamResponse()
  }
}

type Env = { readonly AI: Ai }
