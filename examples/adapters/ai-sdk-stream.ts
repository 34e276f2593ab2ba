import * as ai from 'ai'
import { GuardPool } from 'loophound'
import { withLoopGuard } from 'loophound/ai-sdk'
import { z } from 'zod'

const guards = new GuardPool({
  onVerdict: (verdict, { guard }) => console.warn(guard.id, verdict.action, verdict.summary),
})

const tools = {
  read_file: ai.tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `the content of ${path}`,
  }),
}

/** One guard for each conversation, for its calls and for its text. */
export function answer(
  model: ai.LanguageModel,
  conversation: string,
  messages: ai.ModelMessage[],
): Response {
  const guard = guards.for(conversation)
  const streamText = withLoopGuard(ai.streamText, guard)
  const result = streamText({
    model,
    tools,
    messages,
    stopWhen: [ai.stepCountIs(20), ai.hasToolCall('submit')],
    prepareStep: ({ stepNumber }) => (stepNumber > 10 ? { toolChoice: 'none' } : undefined),
  })
  return result.toUIMessageStreamResponse({
    // Read when the run is over: the page can show why it was stopped.
    messageMetadata: ({ part }) => (part.type === 'finish' ? guard.outcome : undefined),
  })
}
