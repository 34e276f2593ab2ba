/** What adapters take as their guard, where no framework is needed to try it. */

import { GuardPool, LoopGuard } from 'loophound'
import { loopGuardPlugin as clinePlugin } from 'loophound/cline'
import { withLoopGuard } from 'loophound/cloudflare'
import { withLoopGuard as guardClient } from 'loophound/mcp'
import { loopGuardPlugin, type OpencodeInput } from 'loophound/opencode'
import { loopGuardExtension, type PiExtensionApi } from 'loophound/pi'
import { loopGuardMiddleware } from 'loophound/tanstack-ai'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => vi.restoreAllMocks())

/** Functions that do not do what they are for. */
const BROKEN: readonly [string, () => LoopGuard][] = [
  [
    'throws',
    () => {
      throw new Error('no guard today')
    },
  ],
  ['returns nothing', () => undefined as unknown as LoopGuard],
  ['returns a promise', (async () => new LoopGuard()) as unknown as () => LoopGuard],
]

/** Calls the same tool so often that any guard would refuse it. */
async function callOften(call: (id: string) => unknown): Promise<unknown[]> {
  const answers: unknown[] = []
  for (let times = 0; times < 30; times++) answers.push(await call(`call_${times}`))
  return answers
}

const CLIENT: OpencodeInput = { client: { session: { abort: noop, prompt: noop } } }

async function noop() {}

describe.each(BROKEN)('a function for guards that %s', (_, source) => {
  it('lets an opencode session go on, and says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const hooks = await loopGuardPlugin(CLIENT, source)
    const answers = await callOften((callID) =>
      hooks['tool.execute.before']({ tool: 'read', sessionID: 'one', callID }, { args: {} }),
    )
    expect(answers).toEqual(Array(30).fill(undefined))
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]?.[0]).toMatch(/^loophound: the function for guards .* not watched\.$/)
  })

  it('blocks no tool of pi', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { on, emit } = pi()
    loopGuardExtension({ on }, source)
    const answers = await callOften((toolCallId) =>
      emit('tool_call', { toolCallId, toolName: 'read', input: {} }),
    )
    expect(answers).toEqual(Array(30).fill(undefined))
  })

  it('breaks no Think agent', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const agent = new (withLoopGuard(Agent, source))()
    const answers = await callOften((toolCallId) =>
      agent.beforeToolCall({ toolCallId, toolName: 'read', input: {} } as never),
    )
    expect(answers).toEqual(Array(30).fill(undefined))
  })
})

describe('what is taken as a guard', () => {
  const guards = new GuardPool('window')
  const own = new LoopGuard('window')
  it.each([
    ['a preset', 'window'],
    ['options', { detector: 'window' }],
    ['a guard', own],
    ['a function', ({ name }: { name: string }) => guards.for(name)],
  ] as const)('%s', async (_, source) => {
    const agent = new (withLoopGuard(Agent, source))()
    const answers: unknown[] = []
    for (const toolCallId of ['call_1', 'call_2', 'call_3']) {
      const call = { toolCallId, toolName: 'read', input: {} }
      answers.push(await agent.beforeToolCall(call as never))
      agent.onStepEnd({ content: [], text: '' } as never)
    }
    expect(answers).toEqual([undefined, undefined, expect.objectContaining({ action: 'block' })])
    expect(agent.loopGuard.outcome.state).toBe('stopped')
  })
})

describe('turns of a Think agent that reads the same in each', () => {
  /** A turn with one call, and an answer. */
  async function turn(agent: Agent, number: number, trigger: string): Promise<boolean> {
    const call = { toolCallId: `call_${number}`, toolName: 'read_file', input: { path: 'todo.md' } }
    const toolOutput = { type: 'tool-result', output: '- buy milk' }
    const model = {}
    agent.beforeTurn({ messages: [], trigger } as never)
    await agent.beforeStep({ messages: [], model } as never)
    const decision = await agent.beforeToolCall(call as never)
    if (decision === undefined) agent.afterToolCall({ ...call, toolOutput } as never)
    agent.onStepEnd({ content: [], text: '' } as never)
    await agent.beforeStep({ messages: [], model } as never)
    agent.onStepEnd({ content: [], text: 'Buy milk.' } as never)
    return decision === undefined
  }

  async function play(trigger: string, minutesApart: number): Promise<boolean> {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const agent = new (withLoopGuard(Agent, { onWarning: false }))()
      const ran: boolean[] = []
      for (let number = 0; number < 14; number++) {
        ran.push(await turn(agent, number, trigger))
        vi.advanceTimersByTime(minutesApart * 60_000)
      }
      return ran.every(Boolean)
    } finally {
      vi.useRealTimers()
    }
  }

  it.each([
    ['scheduled', 1, true],
    ['programmatic', 60, true],
    ['programmatic', 0, false],
  ])('%s, %i minutes apart: all run? %s', async (trigger, minutes, expected) => {
    expect(await play(trigger, minutes)).toBe(expected)
  })
})

/** The methods of Think, with storage that keeps things. */
class Agent {
  readonly name = 'agent'
  readonly #stored = new Map<string, unknown>()
  readonly ctx = {
    storage: {
      kv: {
        get: (key: string) => this.#stored.get(key),
        put: (key: string, value: unknown) => this.#stored.set(key, value),
      },
    },
  }
  beforeTurn(_turn: never): unknown {
    return undefined
  }
  beforeStep(_step: never): unknown {
    return undefined
  }
  async beforeToolCall(_call: never): Promise<unknown> {
    return undefined
  }
  afterToolCall(_call: never): unknown {
    return undefined
  }
  onStepEnd(_step: never): unknown {
    return undefined
  }
}

/** The part of pi that an extension sees. */
function pi() {
  const handlers = new Map<string, (event: object, ctx: object) => unknown>()
  const ctx = { sessionManager: { getSessionId: () => 'one' }, ui: { notify() {} }, abort() {} }
  const on = ((event: string, handler: (event: object, ctx: object) => unknown) =>
    handlers.set(event, handler)) as unknown as PiExtensionApi['on']
  return { on, emit: (event: string, given: object) => handlers.get(event)?.(given, ctx) }
}

/** Repeats a call; returns how often it reached the server. */
async function repeat(guard: unknown, times = 12): Promise<number> {
  let ran = 0
  const callTool = async (_: { name: string }) => {
    ran++
    return { content: [{ type: 'text', text: 'the same' }] }
  }
  const client = guardClient({ callTool }, guard as LoopGuard)
  for (let n = 0; n < times; n++) await client.callTool({ name: 'read' })
  return ran
}

describe('a guard of an MCP client', () => {
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
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    expect(await repeat(guard)).toBe(12)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]?.[0]).toMatch(/not watched/)
    expect(clinePlugin(guard as never).setup({ agentId: 'a' }).hooks).toBeDefined()
  })

  it.each([[42], [null], [true], ['nope'], [{ detectr: 1 }]])('cannot be %j', async (guard) => {
    for (const adapter of [loopGuardMiddleware, clinePlugin]) {
      expect(() => adapter(guard as never)).toThrow(/must be|is not an option/)
    }
    await expect(repeat(guard)).rejects.toThrow(/must be|is not an option/)
  })
})
