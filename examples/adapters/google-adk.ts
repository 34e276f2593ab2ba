import { type BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk'
import { GuardPool } from 'loophound'
import { LoopGuardPlugin } from 'loophound/google-adk'
import { z } from 'zod'

const guards = new GuardPool()

const readFile = new FunctionTool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `the content of ${path}`,
})

export const makeRunner = (model: BaseLlm | string) =>
  new InMemoryRunner({
    appName: 'library',
    agent: new LlmAgent({ name: 'librarian', model, tools: [readFile] }),
    // One guard for each session.
    plugins: [new LoopGuardPlugin(({ sessionId }) => guards.for(sessionId))],
  })

export async function ask(runner: InMemoryRunner, sessionId: string, question: string) {
  const { appName } = runner
  const userId = 'me'
  await runner.sessionService.getOrCreateSession({ appName, userId, sessionId })
  let text = ''
  const newMessage = { role: 'user', parts: [{ text: question }] }
  for await (const { content } of runner.runAsync({ userId, sessionId, newMessage })) {
    text = content?.parts?.map((part) => part.text ?? '').join('') ?? text
  }
  return { text, stopped: guards.for(sessionId).outcome.state === 'stopped' }
}
