import { type Genkit, type MessageData, z } from 'genkit'
import { LoopGuard } from 'loophound'
import { loopGuard } from 'loophound/genkit'

/** A conversation: its messages, and a guard of its own. */
export function startConversation(ai: Genkit, model: string) {
  const readFile = ai.dynamicTool(
    {
      name: 'read_file',
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      outputSchema: z.string(),
    },
    async ({ path }) => `the content of ${path}`,
  )
  const guard = new LoopGuard()
  let messages: MessageData[] = []
  return async (prompt: string) => {
    const response = await ai.generate({
      model,
      messages,
      prompt,
      tools: [readFile],
      // Without this, a run has 5 turns.
      maxTurns: 20,
      use: [loopGuard(guard)],
    })
    messages = response.messages
    return { text: response.text, stopped: guard.outcome.state === 'stopped' }
  }
}
