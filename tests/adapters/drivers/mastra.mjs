// Plays the scripted turns through the mock model that Mastra tests itself with.
// Version 0 has no hooks around tools, and gives a tool its arguments in another
// way.
import assert from 'node:assert/strict'
import { Agent as BareAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LoopGuard } from 'loophound'
import { loopGuardProcessor, withLoopGuard } from 'loophound/mastra'
import { z } from 'zod'
import { LADDER } from '../scenario/options.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

/**
 * Without what differs from run to run by nature. In version 0, where a tool's own error becomes one
 * of Mastra's, that one says "toolset" of a guarded tool.
 */
const tidy = (messages) =>
  JSON.parse(
    JSON.stringify(messages, (key, value) =>
      ['id', 'createdAt', 'stack'].includes(key) ? undefined : value,
    ).replaceAll('Failed toolset execution', 'Failed tool execution'),
  )

export function mastraDriver({ Model, hasHooks }) {
  /** Mastra's mock model, saying what the turns say, and keeping what it was asked. */
  function scripted(turns, prompts, quiet = false) {
    const answer = ({ prompt }) => {
      const { calls, text } = turns(prompts.length)
      prompts.push(quiet ? '' : JSON.stringify(tidy(prompt)))
      return {
        calls: calls.map(({ id, name, args, ...rest }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(args),
          ...rest,
        })),
        text,
        finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
      }
    }
    return new Model({
      doGenerate: async (request) => {
        const { calls, text, finishReason } = answer(request)
        const content = [...(text ? [{ type: 'text', text }] : []), ...calls]
        return { content, finishReason, usage, warnings: [] }
      },
      doStream: async (request) => {
        const { calls, text, finishReason } = answer(request)
        return {
          stream: ReadableStream.from([
            { type: 'stream-start', warnings: [] },
            ...(text
              ? [
                  { type: 'text-start', id: 't' },
                  { type: 'text-delta', id: 't', delta: text },
                  { type: 'text-end', id: 't' },
                ]
              : []),
            ...calls,
            { type: 'finish', finishReason, usage },
          ]),
        }
      },
    })
  }

  const toolSet = (tools) =>
    Object.fromEntries(
      Object.entries(tools).map(([name, run]) => [
        name,
        createTool({
          id: name,
          description: name,
          inputSchema: z.object({ path: z.string() }),
          execute: async (given) => run(hasHooks ? given : given.context),
        }),
      ]),
    )

  const agentOf = (Agent, turns, prompts, { tools = {}, quiet, ...config } = {}) =>
    new Agent({
      id: 'agent',
      name: 'agent',
      instructions: 'Be careful.',
      model: scripted(turns, prompts, quiet),
      tools: toolSet(tools),
      ...config,
    })

  /** Everything a user may pass; each counts how often it was called. */
  function ownHooks(counts) {
    const counted =
      (name, answer = () => undefined) =>
      (...args) => {
        counts[name] = (counts[name] ?? 0) + 1
        return answer(...args)
      }
    const around = hasHooks
      ? {
          hooks: {
            beforeToolCall: counted('beforeToolCall'),
            afterToolCall: counted('afterToolCall'),
          },
        }
      : {}
    return {
      agent: {
        ...around,
        inputProcessors: [
          {
            id: 'in',
            name: 'in',
            processInput: counted('processInput', ({ messages }) => messages),
          },
        ],
        outputProcessors: [
          {
            id: 'out',
            name: 'out',
            processOutputStream: counted('processOutputStream', ({ part }) => part),
          },
        ],
      },
      run: {
        stopWhen: [({ steps }) => steps.length >= 12, counted('stopWhen', () => false)],
        maxSteps: undefined,
        prepareStep: counted('prepareStep'),
        onStepFinish: counted('onStepFinish'),
        onFinish: counted('onFinish'),
      },
    }
  }

  const driver = {
    make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 12 }) {
      const Guarded = guard ? withLoopGuard(BareAgent, guard) : BareAgent
      return {
        async run({ turns, save = false, resume }) {
          const prompts = []
          const counts = {}
          const user = hooks ? ownHooks(counts) : undefined
          const own = guard && (save || resume) ? new LoopGuard(guard) : undefined
          if (resume && own) own.restore(resume.guard)
          const Agent = own ? withLoopGuard(BareAgent, own) : Guarded
          const agent = agentOf(Agent, turns, prompts, { tools, quiet, ...user?.agent })
          const history = resume?.messages ?? [{ role: 'user', content: 'go' }]
          const options = { maxSteps, ...user?.run }
          const messages = stream
            ? await messagesOf(await agent.stream(history, options))
            : (await agent.generate(history, options)).response.messages
          const all = [...history, ...(messages ?? [])]
          return {
            prompts,
            messages: quiet ? [] : tidy(all),
            hooks: counts,
            saved: own && { messages: all, guard: own.snapshot() },
          }
        },
      }
    },

    chant: (sentences) => chant(sentences),

    async example() {
      const { ask, makeAgent } = await import('../examples/mastra.mjs')
      const prompts = []
      const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
      await ask(makeAgent(scripted(looping, prompts)), 'What is in a.txt?')
      assert.ok(prompts.length > 2 && prompts.length < 20, `${prompts.length} model calls`)
      const healthy = makeAgent(scripted(inTurn({ text: 'Hello.' }), []))
      assert.equal(await ask(healthy, 'Hello?'), 'Hello.')
    },

    checks: [
      {
        id: 'every call has its result, and the nudge is seen by the model only',
        async run() {
          const prompts = []
          const Agent = withLoopGuard(BareAgent, { detector: LADDER })
          const tools = { read: () => 'x' }
          const agent = agentOf(Agent, always(call('read')), prompts, { tools })
          assert.ok(agent instanceof BareAgent)
          const { response, tripwire } = await agent.generate('go', { maxSteps: 20 })
          assert.ok(!tripwire)
          const text = JSON.stringify(response.messages)
          assert.ok(!text.includes('NUDGE'))
          assert.ok(text.includes('BLOCK 4') && text.includes('STOP 5'))
          const parts = response.messages.flatMap(({ content }) => content)
          const ids = (type) =>
            parts.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId)
          assert.equal(ids('tool-call').length, 5)
          assert.deepEqual(ids('tool-result'), ids('tool-call'))
          assert.ok(prompts[3].includes('Be careful.'), 'the instructions are still there')
        },
      },
      {
        id: 'steps end where they end without the adapter',
        async run() {
          const turns = (n) => always(call('read', `${n}.txt`))(n)
          const play = async (Agent, config, options) => {
            const prompts = []
            const tools = { read: ({ path }) => path }
            await agentOf(Agent, turns, prompts, { tools, ...config }).generate('go', options)
            return prompts.length
          }
          const Guarded = withLoopGuard(BareAgent, { detector: LADDER })
          const stopWhen = ({ steps }) => steps.length === 3
          const defaults = hasHooks ? 'defaultOptions' : 'defaultVNextStreamOptions'
          for (const [config, options] of [
            [{}, undefined],
            [{}, { maxSteps: 7 }],
            [{}, { stopWhen }],
            [{}, { stopWhen, maxSteps: 7 }],
            [{ [defaults]: { maxSteps: 4 } }, undefined],
            [{ [defaults]: { stopWhen } }, {}],
          ]) {
            const bare = await play(BareAgent, config, options)
            assert.ok(bare > 1)
            assert.equal(await play(Guarded, config, options), bare)
          }
        },
      },
      {
        id: 'two runs of one agent at once',
        async run() {
          const prompts = []
          const Agent = withLoopGuard(BareAgent, { detector: LADDER })
          const turns = () => ({ text: '', calls: [{ ...call('read'), id: `c${prompts.length}` }] })
          const tools = { read: () => new Promise((resolve) => setTimeout(resolve, 1, 'x')) }
          const agent = agentOf(Agent, turns, prompts, { tools })
          await Promise.all(['one', 'two'].map((word) => agent.generate(word, { maxSteps: 2 })))
          assert.equal(prompts.length, 4)
          assert.ok(!prompts.join().includes('NUDGE'))
        },
      },
      {
        id: 'one guard for a thread, and a person who speaks begins anew',
        async run() {
          const guard = new LoopGuard({ detector: LADDER })
          const threads = []
          const Agent = withLoopGuard(BareAgent, ({ memory }) => {
            threads.push(memory?.thread)
            return guard
          })
          const prompts = []
          const tools = { read: () => 'x' }
          const agent = agentOf(Agent, always(call('read')), prompts, { tools })
          const memory = { thread: 'one', resource: 'me' }
          for (const end of [5, 10]) {
            await agent.generate('go', { maxSteps: 20, memory })
            assert.equal(prompts.length, end)
          }
          assert.deepEqual(threads, ['one', 'one'])
        },
      },
      {
        id: 'tools of a run, and tools that are found by a function',
        async run() {
          const Agent = withLoopGuard(BareAgent, { detector: LADDER })
          const { read } = toolSet({ read: () => 'x' })
          for (const [tools, options] of [
            [() => ({ read }), {}],
            [{}, { toolsets: { mine: { read } } }],
          ]) {
            const prompts = []
            const agent = new Agent({
              id: 'agent',
              name: 'agent',
              instructions: '',
              model: scripted(always(call('read')), prompts),
              tools,
            })
            await agent.generate('go', { maxSteps: 20, ...options })
            assert.equal(prompts.length, 5)
            assert.ok(prompts[4].includes('BLOCK 4'))
          }
        },
      },
      {
        id: 'provider-executed calls',
        async run() {
          const tools = []
          const prompts = []
          const Agent = withLoopGuard(BareAgent, {
            detector: { preset: 'window', detectors: { 'windowed-repeat': { threshold: 3 } } },
            onVerdict: ({ tool }) => tools.push(tool),
          })
          const turns = (n) => ({
            text: '',
            calls: [
              { ...call('search'), id: `s${n}`, providerExecuted: true },
              { ...call('read', `${n}.txt`), id: `r${n}` },
            ],
          })
          const agent = agentOf(Agent, turns, prompts, { tools: { read: () => 'x' } })
          await agent.generate('go', { maxSteps: 9 })
          assert.equal(tools[0], 'search')
          assert.equal(prompts.length, 3)
        },
      },
      {
        id: 'processor cuts a stream',
        async run() {
          const guard = new LoopGuard()
          let chunks = 0
          guard.pushText = () => ++chunks === 4
          const { text, pulled } = await chant(Array(500).fill('again '), guard)
          assert.equal(text, 'again again again ')
          assert.ok(pulled < 300, `${pulled} chunks were asked for`)
        },
      },
    ],
  }

  /** A chanting stream, and how much of it was asked for. */
  async function chant(sentences, guard) {
    let pulled = 0
    const model = new Model({
      doStream: async () => ({
        stream: new ReadableStream(
          {
            start: (controller) => controller.enqueue({ type: 'text-start', id: 't' }),
            pull(controller) {
              const delta = sentences[pulled++]
              if (delta === undefined) controller.close()
              else controller.enqueue({ type: 'text-delta', id: 't', delta })
            },
          },
          { highWaterMark: 0 },
        ),
      }),
    })
    const agent = new BareAgent({
      id: 'agent',
      name: 'agent',
      instructions: '',
      model,
      outputProcessors: [loopGuardProcessor(guard)],
    })
    let text = ''
    const { textStream } = await agent.stream('go')
    for await (const piece of textStream) text += piece
    return { text, pulled }
  }

  return driver
}

async function messagesOf(result) {
  for await (const _ of result.fullStream);
  return (await result.response).messages
}
