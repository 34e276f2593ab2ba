import { generateText, type LanguageModel, stepCountIs, tool } from 'ai'
import { LoopGuard } from 'loophound'
import { withLoopGuard } from 'loophound/ai-sdk'
import { z } from 'zod'

const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `the content of ${path}`,
  }),
}

// Call this instead of generateText. Every run gets a guard of its own.
const generate = withLoopGuard(generateText)

export async function ask(model: LanguageModel, prompt: string): Promise<string> {
  const { text } = await generate({ model, tools, prompt, stopWhen: stepCountIs(20) })
  return text
}

/** The same with a guard of yours, which you can ask why the run was stopped. */
export async function askOrExplain(model: LanguageModel, prompt: string): Promise<string> {
  const guard = new LoopGuard()
  const generate = withLoopGuard(generateText, guard)
  const { text } = await generate({ model, tools, prompt, stopWhen: stepCountIs(20) })
  return guard.outcome.summary ?? text
}
