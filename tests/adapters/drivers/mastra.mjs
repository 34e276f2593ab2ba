// Plays the scripted turns through the mock model that Mastra tests itself with.
// Version 0 has no hooks around tools, and gives a tool its arguments in another
// way.
import assert from 'node:assert/strict'
import { Agent as BareAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LoopGuard } from 'loophound'
import { loopGuardProcessor, withLoopGuard } from 'loophound/mastra'
import { z } from 'zod'
import { chantingModel, scriptedModel, searching } from '../scenario/language-model.mjs'
import { LADDER, STOPPED } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

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
    const note = (prompt) => prompts.push(quiet ? '' : JSON.stringify(tidy(prompt)))
    return scriptedModel({ Model, dialect: 'v2', turns, note })
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
    const counted = counter(counts)
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
          const own = save || resume ? guardOf(guard, resume) : undefined
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
      const short = await import('../examples/mastra.mjs')
      const threads = await import('../examples/mastra-threads.mjs')
      const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
      const answers = inTurn({ text: 'Hello.' })
      const prompts = []
      await short.ask(short.makeAgent(scripted(looping, prompts)), 'What is in a.txt?')
      assertEndedEarly(prompts.length)
      const healthy = short.makeAgent(scripted(answers, []))
      assert.equal(await short.ask(healthy, 'Hello?'), 'Hello.')
      const stuck = threads.makeAgent(scripted(looping, []))
      assert.match(await threads.ask(stuck, 'one', 'What is in a.txt?'), STOPPED)
      const well = threads.makeAgent(scripted(answers, []))
      assert.equal(await threads.ask(well, 'two', 'Hello?'), 'Hello.')
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
            detector: WINDOW,
            onVerdict: ({ tool }) => tools.push(tool),
          })
          const agent = agentOf(Agent, searching, prompts, { tools: { read: () => 'x' } })
          await agent.generate('go', { maxSteps: 9 })
          assert.equal(tools[0], 'search')
          assert.equal(prompts.length, 3)
        },
      },
      {
        id: 'processor cuts a stream',
        async run() {
          const guard = impatientGuard()
          const { text, pulled } = await chant(Array(500).fill('again '), guard)
          assert.equal(text, 'again again again ')
          assert.ok(pulled < 300, `${pulled} chunks were asked for`)
        },
      },
    ],
  }

  async function chant(sentences, guard) {
    const { model, pulled } = chantingModel({ Model, sentences })
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
    return { text, pulled: pulled.count }
  }

  return driver
}

async function messagesOf(result) {
  for await (const _ of result.fullStream);
  return (await result.response).messages
}
