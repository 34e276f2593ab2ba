import { Client, type Transport } from '@modelcontextprotocol/client'
import { LoopGuard } from 'loophound'
import { withLoopGuard } from 'loophound/mcp'

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** Does what a model asks for, until it asks for nothing more, or the guard stops it. */
export async function serve(transport: Transport, ask: (results: unknown[]) => Promise<Call[]>) {
  const client = new Client({ name: 'my-agent', version: '1.0.0' })
  await client.connect(transport)
  const guard = new LoopGuard()
  const guarded = withLoopGuard(client, guard)
  let results: unknown[] = []
  while (!guard.stopped) {
    const calls = await ask(results)
    if (calls.length === 0) break
    results = await Promise.all(calls.map((call) => guarded.callTool(call)))
  }
  await client.close()
  return guard.outcome.summary ?? 'Done.'
}
