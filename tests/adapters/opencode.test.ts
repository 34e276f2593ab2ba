/** The opencode plugin where opencode itself cannot be made to misbehave. */

import { LoopGuard } from 'loophound'
import { loopGuardPlugin } from 'loophound/opencode'
import { describe, expect, it } from 'vitest'

const info = { id: 'm1', sessionID: 'one', role: 'user' as const, agent: 'build' }
const user = { info: { ...info, model: { providerID: 'p', modelID: 'm' } }, parts: [] }

type Hooks = Awaited<ReturnType<typeof loopGuardPlugin>>

/** Plays steps with one call each; each error is what opencode reports as the call's. */
async function play(hooks: Hooks, errors: readonly string[]) {
  const messages: object[] = [user]
  const refused: boolean[] = []
  const request = () =>
    hooks['experimental.chat.messages.transform']({}, { messages: [...messages] as never })
  for (const [number, error] of errors.entries()) {
    await request()
    const callID = `call_${number}`
    const call = { tool: 'read', sessionID: 'one', callID }
    const input = { path: 'a.txt' }
    const outcome = await hooks['tool.execute.before'](call, { args: input }).then(
      () => false,
      () => true,
    )
    refused.push(outcome)
    const state = { status: 'error', input, error }
    const part = { id: `p${number}`, type: 'tool', tool: 'read', callID, state }
    messages.push({ info: { ...info, id: `a${number}`, role: 'assistant' }, parts: [part] })
  }
  await request()
  return refused
}

const fail = async () => {
  throw new Error('no server')
}

describe('loophound/opencode', () => {
  it('throws nothing when a run cannot be aborted, and refuses what comes then', async () => {
    const client = { session: { abort: fail, prompt: fail } }
    const hooks = await loopGuardPlugin({ client }, { detector: 'window', onWarning: false })
    const refused = await play(hooks, Array(5).fill('no such file'))
    expect(refused).toEqual([false, false, true, true, true])
  })

  it('takes events that have no properties', async () => {
    const client = { session: { abort: fail, prompt: fail } }
    const { event } = await loopGuardPlugin({ client })
    await expect(event({ event: { type: 'server.connected' } })).resolves.toBeUndefined()
  })

  it.each([
    'The user rejected permission to use this specific tool call.',
    'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []',
    'The user dismissed this question',
    'Tool execution aborted',
  ])('takes no decision for a result of the tool: %s', async (error) => {
    const results: unknown[] = []
    const guard = new LoopGuard({ mode: 'observe' })
    const recordResult = guard.detector.recordResult.bind(guard.detector)
    guard.detector.recordResult = (result) => {
      results.push(result)
      return recordResult(result)
    }
    const hooks = await loopGuardPlugin(
      { client: { session: { abort: fail, prompt: fail } } },
      guard,
    )
    await play(hooks, ['no such file', error])
    expect(results).toHaveLength(1)
  })
})
