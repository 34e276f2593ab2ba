/** What an adapter takes as its guard, and what it does with a mistake in it. */

import { LoopGuard } from 'loophound'
import { loopGuardPlugin } from 'loophound/cline'
import { withLoopGuard } from 'loophound/mcp'
import { loopGuardMiddleware } from 'loophound/tanstack-ai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockReset())
afterEach(() => void warn.mockReset())

/** Repeats a call; returns how often it reached the server. */
async function repeat(guard: unknown, times = 12): Promise<number> {
  let ran = 0
  const callTool = async (_: { name: string }) => {
    ran++
    return { content: [{ type: 'text', text: 'the same' }] }
  }
  const client = withLoopGuard({ callTool }, guard as LoopGuard)
  for (let n = 0; n < times; n++) await client.callTool({ name: 'read' })
  return ran
}

describe('a guard', () => {
  it.each([
    ['a preset', 'window'],
    ['options', { detector: 'window' }],
    ['a guard', new LoopGuard('window')],
    ['a function', () => new LoopGuard('window')],
  ])('may be %s', async (_, guard) => {
    expect(await repeat(guard)).toBe(2)
  })

  it.each([
    ['throws', () => expect.fail('no such thread')],
    ['returns nothing', () => undefined],
    ['returns a promise', async () => new LoopGuard()],
  ])('from a function that %s is none, and the agent goes on', async (_, guard) => {
    expect(await repeat(guard)).toBe(12)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]?.[0]).toMatch(/not watched/)
    expect(loopGuardPlugin(guard as never).setup({ agentId: 'a' }).hooks).toBeDefined()
  })

  it.each([[42], [null], [true], ['nope'], [{ detectr: 1 }]])('cannot be %j', async (guard) => {
    for (const adapter of [loopGuardMiddleware, loopGuardPlugin]) {
      expect(() => adapter(guard as never)).toThrow(/must be|is not an option/)
    }
    await expect(repeat(guard)).rejects.toThrow(/must be|is not an option/)
  })
})
