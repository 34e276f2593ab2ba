import * as ai from 'ai'
import { withLoopGuard } from 'loophound/ai-sdk'
import { z } from 'zod'

const ToolLoopAgent = withLoopGuard(ai.ToolLoopAgent, {
  detector: { preset: 'balanced', tools: { wait_for_job: { exempt: true } } },
})

export const makeAgent = (model: ai.LanguageModel) =>
  new ToolLoopAgent({
    model,
    instructions: 'You are a careful assistant.',
    tools: {
      read_file: ai.tool({
        description: 'Reads a file.',
        inputSchema: z.object({ path: z.string() }),
        execute: async ({ path }) => `the content of ${path}`,
      }),
    },
  })
