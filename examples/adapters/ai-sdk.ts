import * as ai from 'ai'
import { withLoopGuard } from 'loophound/ai-sdk'
import { z } from 'zod'

const generateText = withLoopGuard(ai.generateText)

const tools = {
  read_file: ai.tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `the content of ${path}`,
  }),
}

export async function ask(model: ai.LanguageModel, prompt: string): Promise<string> {
  const { text } = await generateText({
    model,
    tools,
    prompt,
    stopWhen: ai.stepCountIs(20),
  })
  return text
}
