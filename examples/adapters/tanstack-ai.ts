import {
  type AnyTextAdapter,
  chat,
  type ModelMessage,
  maxIterations,
  toolDefinition,
} from '@tanstack/ai'
import { GuardPool } from 'loophound'
import { loopGuardMiddleware } from 'loophound/tanstack-ai'
import { z } from 'zod'

const guards = new GuardPool()

// One guard for each thread.
const loopGuard = loopGuardMiddleware(({ threadId }) => guards.for(threadId))

const readFile = toolDefinition({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
}).server(async ({ path }) => `the content of ${path}`)

export async function ask(
  adapter: AnyTextAdapter,
  threadId: string,
  messages: ModelMessage[],
): Promise<string> {
  const stream = chat({
    adapter,
    messages,
    threadId,
    tools: [readFile],
    // Without a strategy, a run has 5 turns.
    agentLoopStrategy: maxIterations(20),
    middleware: [loopGuard],
  })
  let text = ''
  for await (const chunk of stream) {
    if (chunk.type === 'TEXT_MESSAGE_CONTENT') text += chunk.delta
  }
  // Why the run was stopped, if it was.
  return guards.for(threadId).outcome.summary ?? text
}
