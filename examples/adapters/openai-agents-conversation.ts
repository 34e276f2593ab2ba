import * as agents from '@openai/agents'
import { GuardPool } from 'loophound'
import { withLoopGuard } from 'loophound/openai-agents'
import { z } from 'zod'

interface Conversation {
  readonly id: string
}

const guards = new GuardPool({
  onVerdict: (verdict, { guard }) => console.warn(guard.id, verdict.action, verdict.pattern),
})

// One guard for each conversation, found by what is given to `run` as its context.
const { Agent, Runner, tool } = withLoopGuard(agents, ({ context }) =>
  guards.for((context as Conversation).id),
)

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `the content of ${path}`,
  inputGuardrails: [
    {
      name: 'only-text-files',
      run: async ({ toolCall }) =>
        toolCall.arguments.includes('.txt')
          ? { behavior: { type: 'allow' } }
          : { behavior: { type: 'rejectContent', message: 'Only text files.' } },
    },
  ],
})

const runner = new Runner({ tracingDisabled: true })

export async function answer(
  model: agents.Model,
  session: agents.Session,
  context: Conversation,
  question: string,
): Promise<string> {
  const agent = new Agent<Conversation>({ name: 'Librarian', model, tools: [readFile] })
  const stream = await runner.run(agent, question, { context, session, stream: true })
  let text = ''
  for await (const chunk of stream.toTextStream()) text += chunk
  await stream.completed
  return text || String(stream.finalOutput)
}
