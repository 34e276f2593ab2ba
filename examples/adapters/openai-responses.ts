import { LoopGuard } from 'loophound'
import { answerResponse, type RequestedCall, watchResponse } from 'loophound/openai'
import type OpenAI from 'openai'

type Input = OpenAI.Responses.ResponseInputItem[]
type Response = OpenAI.Responses.Response

async function runTool({ args }: RequestedCall): Promise<string> {
  return `the content of ${(args as { path: string }).path}`
}

export async function ask(
  client: OpenAI,
  prompt: string,
  tools: OpenAI.Responses.Tool[],
): Promise<string> {
  const guard = new LoopGuard()
  const input: Input = [{ role: 'user', content: prompt }]
  while (guard.beginStep()) {
    const stream = await client.responses.create({ model: 'gpt-5', input, tools, stream: true })
    let response: Response | undefined
    for await (const event of watchResponse(guard, stream)) {
      if (event.type === 'response.completed') response = event.response
    }
    if (!response) {
      // The text was cut off: tell the model why, and ask again.
      guard.endStep()
      const nudge = guard.takeNudge()
      if (nudge) input.push({ role: 'user', content: nudge })
      continue
    }
    input.push(...(response.output as Input), ...(await answerResponse(guard, response, runTool)))
    if (!response.output.some(({ type }) => type === 'function_call')) return response.output_text
  }
  return guard.outcome.summary ?? ''
}
