// Plays the scripted turns through a model that is given to the runtime ready made.
import assert from 'node:assert/strict'
import { Agent, createTool } from '@cline/agents'
import { LoopGuard } from 'loophound'
import { loopGuardPlugin } from 'loophound/cline'
import { z } from 'zod'
import { LADDER, STOPPED, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

/** Says what the turns say, and keeps what it was asked. */
const scripted = (turns, prompts, quiet = false) => ({
  async *stream({ messages, systemPrompt }) {
    const { calls, text, events = [] } = turns(prompts.length)
    const instructions = { role: 'system', content: systemPrompt }
    prompts.push(quiet ? '' : JSON.stringify([tidy(messages), instructions]))
    if (text) yield { type: 'text-delta', text }
    yield* events
    for (const { id: toolCallId, name: toolName, args: input } of calls) {
      yield { type: 'tool-call-delta', toolCallId, toolName, input }
    }
    yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' }
  },
})

/** Without what differs from run to run by nature. */
const tidy = (messages) =>
  JSON.parse(
    JSON.stringify(messages, (key, value) =>
      ['id', 'createdAt', 'metrics'].includes(key) ? undefined : value,
    ),
  )

const toolSet = (tools, options) =>
  Object.entries(tools).map(([name, run]) =>
    createTool({
      name,
      description: name,
      inputSchema: z.object({ path: z.string() }),
      execute: async (args) => run(args),
      ...options,
    }),
  )

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  const names = [
    ...['beforeRun', 'beforeModel', 'afterModel', 'beforeTool', 'afterTool', 'afterRun', 'onEvent'],
  ]
  const hooks = (whose) =>
    Object.fromEntries(names.map((name) => [name, counted(`${whose} ${name}`)]))
  return {
    hooks: hooks('own'),
    plugins: [{ name: 'own', setup: () => ({ hooks: hooks('plugin') }) }],
  }
}

export const driver = {
  make({ guard, tools, hooks = false, quiet = false, maxSteps = 60 }) {
    const shared = guard && loopGuardPlugin(guard)
    return {
      async run({ turns, save = false, resume }) {
        const prompts = []
        const counts = {}
        const user = hooks ? ownHooks(counts) : undefined
        const own = save || resume ? guardOf(guard, resume) : undefined
        const plugin = own ? loopGuardPlugin(own) : shared
        const agent = new Agent({
          model: scripted(turns, prompts, quiet),
          systemPrompt: 'Be careful.',
          tools: toolSet(tools),
          maxIterations: maxSteps,
          ...(resume && { initialMessages: resume.messages }),
          ...(user && { hooks: user.hooks }),
          plugins: [...(plugin ? [plugin] : []), ...(user?.plugins ?? [])],
        })
        const result = await (resume ? agent.continue() : agent.run('go'))
        return {
          prompts,
          messages: quiet ? [] : tidy([...result.messages, result.status]),
          hooks: counts,
          saved: own && { messages: result.messages, guard: own.snapshot() },
        }
      },
    }
  },

  lacks: { stream: 'the runtime always streams: it has one way to run' },

  chant: (sentences) => chant(sentences),

  async example() {
    const { makeAgent } = await import('../examples/cline.mjs')
    const prompts = []
    const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
    assert.match(await makeAgent(scripted(looping, prompts))('What is in a.txt?'), STOPPED)
    assertEndedEarly(prompts.length)
    const healthy = scripted(inTurn({ text: 'Hello.' }), [])
    assert.equal(await makeAgent(healthy)('Hello?'), 'Hello.')
  },

  checks: [
    {
      id: 'a stopped run is aborted with the reason, every call has its result, and the nudge is not kept',
      async run() {
        const { agent, prompts } = play({ turns: always(call('read')) })
        const { status, messages } = await agent.run('go')
        assert.equal(status, 'aborted')
        assert.match(agent.snapshot().lastError, SUMMARY)
        const parts = messages.flatMap(({ content }) => content)
        const ids = (type) =>
          parts.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId)
        assert.equal(ids('tool-call').length, 5)
        assert.deepEqual(ids('tool-result'), ids('tool-call'))
        const text = JSON.stringify(messages)
        assert.ok(text.includes('BLOCK 4') && text.includes('STOP 5') && !text.includes('NUDGE'))
        assert.equal(JSON.parse(prompts[3])[0].at(-1).role, 'user')
      },
    },
    {
      id: 'a person who speaks begins anew; without one, a stopped agent stays so',
      async run() {
        const { agent, prompts } = play({ turns: always(call('read')) })
        await agent.run('go')
        assert.equal(prompts.length, 5)
        assert.equal((await agent.continue()).status, 'aborted')
        assert.equal(prompts.length, 5)
        await agent.run('again')
        assert.equal(prompts.length, 10)
      },
    },
    {
      id: 'reminders of the runtime are no person',
      async run() {
        const turns = inTurn(...Array.from({ length: 2 }, () => ({ calls: [call('read')] })), {
          text: 'done?',
        })
        let left = 1
        const completionGuard = () => (left-- > 0 ? 'You are not done.' : undefined)
        const seen = []
        const guard = new LoopGuard({ detector: LADDER })
        const spoken = guard.userMessage.bind(guard)
        guard.userMessage = () => {
          seen.push('person')
          spoken()
        }
        const { agent, prompts } = play({
          turns,
          guard,
          config: { completionPolicy: { completionGuard } },
        })
        await agent.run('go')
        assert.ok(prompts.at(-1).includes('You are not done.'))
        assert.deepEqual(seen, ['person'])
      },
    },
    {
      id: 'calls one after the other, too',
      async run() {
        let ran = 0
        const { agent, prompts } = play({
          turns: always(call('read'), call('read')),
          read: () => ++ran,
          config: { toolExecution: 'sequential' },
        })
        await agent.run('go')
        assert.deepEqual([ran, prompts.length], [6, 5])
      },
    },
    {
      id: 'calls that the provider runs itself are seen',
      async run() {
        const tools = []
        const guard = { detector: WINDOW, onVerdict: ({ tool }) => tools.push(tool) }
        const turns = (n) => {
          const hosted = { toolCallId: `s${n}`, toolName: 'web_search', execution: 'provider' }
          const input = { query: 'x' }
          return {
            text: '',
            calls: [{ id: `r${n}`, ...call('read', `${n}.txt`) }],
            events: [
              { type: 'tool-call-delta', ...hosted, input },
              { type: 'tool-result', ...hosted, input, output: 'nothing found' },
            ],
          }
        }
        const { agent, prompts } = play({ turns, guard })
        await agent.run('go')
        assert.equal(tools[0], 'web_search')
        assert.equal(prompts.length, 3)
      },
    },
    {
      id: 'one plugin serves several agents, each with a guard',
      async run() {
        const ids = []
        const plugin = loopGuardPlugin(({ agentId }) => {
          ids.push(agentId)
          return new LoopGuard({ detector: LADDER })
        })
        const runs = ['one', 'two'].map((agentId) => {
          const played = play({ turns: always(call('read')), plugin, config: { agentId } })
          return played.agent.run('go').then(() => played.prompts.length)
        })
        assert.deepEqual(await Promise.all(runs), [5, 5])
        assert.deepEqual(ids.sort(), ['one', 'two'])
      },
    },
    {
      id: 'text that is cut off fails the run, with the reason',
      async run() {
        const { text, pulled, result } = await chant(Array(500).fill('again '), impatientGuard())
        assert.equal(pulled, 4)
        assert.match(text, /^(again ){3,4}$/)
        assert.equal(result.status, 'failed')
        assert.match(result.error.message, /repeats itself/)
      },
    },
  ],
}

/** An agent with one tool. */
function play({
  turns,
  guard = { detector: LADDER },
  plugin = loopGuardPlugin(guard),
  read = ({ path }) => `content of ${path}`,
  config,
}) {
  const prompts = []
  const agent = new Agent({
    model: scripted(turns, prompts),
    tools: toolSet({ read }),
    maxIterations: 20,
    plugins: [plugin],
    ...config,
  })
  return { agent, prompts }
}

async function chant(sentences, guard) {
  let pulled = 0
  let text = ''
  const model = {
    async *stream() {
      for (const sentence of sentences) {
        pulled += 1
        yield { type: 'text-delta', text: sentence }
      }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const agent = new Agent({ model, plugins: [loopGuardPlugin(guard)] })
  agent.subscribe((event) => {
    if (event.type === 'assistant-text-delta') text += event.text
  })
  const result = await agent.run('go')
  return { text, pulled, result }
}
