import * as ai from 'ai'
import { GuardPool } from 'loophound'
import { loopGuardMiddleware, withLoopGuard } from 'loophound/ai-sdk'
import { z } from 'zod'

const guards = new GuardPool({
  onVerdict: (verdict, { guard }) => console.warn(guard.id, verdict.action, verdict.pattern),
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
  model: Parameters<typeof ai.wrapLanguageModel>[0]['model'],
  conversation: string,
  messages: ai.ModelMessage[],
) {
  const guard = guards.for(conversation)
  const streamText = withLoopGuard(ai.streamText, guard)
  return streamText({
    model: ai.wrapLanguageModel({ model, middleware: loopGuardMiddleware(guard) }),
    tools,
    messages,
    stopWhen: [ai.stepCountIs(20), ai.hasToolCall('submit')],
    prepareStep: ({ stepNumber }) => (stepNumber > 10 ? { toolChoice: 'none' } : undefined),
  })
}
