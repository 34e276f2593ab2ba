// Plays the scripted turns through a model of our own: the SDK has no mock model to offer.
import assert from 'node:assert/strict'
import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  InterventionHandler,
  MessageAddedEvent,
  Model,
  tool,
} from '@strands-agents/sdk'
import { GoalLoop } from '@strands-agents/sdk/vended-plugins/goal'
import { LoopGuard } from 'loophound'
import { LoopGuardPlugin } from 'loophound/strands'
import { z } from 'zod'
import { LADDER, STOPPED, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

/** Says what the turns say, and keeps what it was asked. */
class ScriptedModel extends Model {
  constructor(turns, prompts, quiet = false) {
    super()
    this.turns = turns
    this.prompts = prompts
    this.quiet = quiet
  }

  updateConfig() {}

  getConfig() {
    return { modelId: 'scripted' }
  }

  async *stream(messages, { systemPrompt } = {}) {
    const turn = this.turns(this.prompts.length)
    const instructions = { role: 'system', content: systemPrompt }
    this.prompts.push(this.quiet ? '' : JSON.stringify([tidy(messages), instructions]))
    if (turn instanceof Error) throw turn
    const { calls, text } = turn
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    if (text) yield* block(undefined, { type: 'textDelta', text })
    for (const { id: toolUseId, name, args } of calls) {
      const delta = { type: 'toolUseInputDelta', input: JSON.stringify(args) }
      yield* block({ type: 'toolUseStart', name, toolUseId }, delta)
    }
    const stopReason = calls.length > 0 ? 'toolUse' : 'endTurn'
    yield { type: 'modelMessageStopEvent', stopReason }
  }
}

function* block(start, ...deltas) {
  yield { type: 'modelContentBlockStartEvent', ...(start && { start }) }
  for (const delta of deltas) yield { type: 'modelContentBlockDeltaEvent', delta }
  yield { type: 'modelContentBlockStopEvent' }
}

/** Streams sentences, one at a time. */
class ChantingModel extends ScriptedModel {
  pulled = 0

  async *stream() {
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    const deltas = this.turns.map((text) => ({ type: 'textDelta', text }))
    for (const event of block(undefined, ...deltas)) {
      if (event.delta) this.pulled += 1
      yield event
    }
    yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' }
  }
}

/** Without what differs from run to run by nature. */
const tidy = (messages) =>
  JSON.parse(
    JSON.stringify(messages, (key, value) =>
      key === 'trackingId' || key === 'metadata' ? undefined : value,
    ),
  )

const toolSet = (tools) =>
  Object.entries(tools).map(([name, callback]) =>
    tool({
      name,
      description: name,
      inputSchema: z.object({ path: z.string() }),
      callback: (args) => callback(args),
    }),
  )

const agentOf = (model, tools, config) =>
  new Agent({ model, tools, printer: false, systemPrompt: 'Be careful.', ...config })

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  const events = {
    ...{ AfterInvocationEvent, AfterModelCallEvent, AfterToolCallEvent, AfterToolsEvent },
    ...{ BeforeInvocationEvent, BeforeModelCallEvent, BeforeToolCallEvent, BeforeToolsEvent },
    MessageAddedEvent,
  }
  class Own extends InterventionHandler {
    name = 'own'
  }
  for (const name of ['beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall']) {
    Own.prototype[name] = counted(`intervention ${name}`, () => ({ type: 'proceed' }))
  }
  return {
    interventions: [new Own()],
    listen(agent) {
      for (const [name, event] of Object.entries(events)) agent.addHook(event, counted(name))
    },
  }
}

const textOf = ({ content }) => content.map(({ text = '' }) => text).join('')

async function streamed(stream) {
  let piece = await stream.next()
  while (!piece.done) piece = await stream.next()
  return piece.value
}

export const driver = {
  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 60 }) {
    const shared = guard && new LoopGuardPlugin(guard)
    return {
      async run({ turns, save = false, resume }) {
        const prompts = []
        const counts = {}
        const user = hooks ? ownHooks(counts) : undefined
        const own = save || resume ? guardOf(guard, resume) : undefined
        const plugin = own ? new LoopGuardPlugin(own) : shared
        const agent = agentOf(new ScriptedModel(turns, prompts, quiet), toolSet(tools), {
          ...(resume && { messages: resume.messages }),
          plugins: plugin ? [plugin] : [],
          ...(user && { interventions: user.interventions }),
        })
        user?.listen(agent)
        const input = resume ? [] : 'go'
        const options = { limits: { turns: maxSteps } }
        const { lastMessage } = stream
          ? await streamed(agent.stream(input, options))
          : await agent.invoke(input, options)
        return {
          prompts,
          messages: quiet ? [] : tidy(agent.messages),
          output: textOf(lastMessage),
          hooks: counts,
          saved: own && { messages: agent.messages, guard: own.snapshot() },
        }
      },
    }
  },

  chant: (sentences) => chant(sentences),

  async example() {
    const { ask, makeAgent } = await import('../examples/strands.mjs')
    const prompts = []
    const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
    const stopped = await ask(makeAgent(new ScriptedModel(looping, prompts)), 'What is in a.txt?')
    assert.match(stopped.text, STOPPED)
    assert.equal(stopped.stopped, true)
    assertEndedEarly(prompts.length)
    const healthy = makeAgent(new ScriptedModel(inTurn({ text: 'Hello.' }), []))
    assert.deepEqual(await ask(healthy, 'Hello?'), { text: 'Hello.', stopped: false })
  },

  checks: [
    {
      id: 'the last message tells why, every call has its result, and the nudge is not kept',
      async run() {
        const { agent, prompts } = play({ turns: always(call('read')) })
        const { lastMessage, stopReason } = await agent.invoke('go')
        assert.match(textOf(lastMessage), SUMMARY)
        assert.equal(stopReason, 'endTurn')
        const blocks = agent.messages.flatMap(({ content }) => content)
        const ids = (type) => blocks.filter((one) => one.type === type).map((one) => one.toolUseId)
        assert.equal(ids('toolUseBlock').length, 5)
        assert.deepEqual(ids('toolResultBlock'), ids('toolUseBlock'))
        const text = JSON.stringify(agent.messages)
        assert.ok(text.includes('BLOCK 4') && text.includes('STOP 5') && !text.includes('NUDGE'))
        const asked = JSON.parse(prompts[3])[0].at(-1)
        assert.equal(asked.role, 'user')
        assert.equal(asked.content.length, 2, 'the nudge is the last block of the last message')
      },
    },
    {
      id: 'a person who speaks begins anew; without one, a stopped agent stays so',
      async run() {
        const { agent, prompts } = play({ turns: always(call('read')) })
        await agent.invoke('go')
        assert.equal(prompts.length, 5)
        const { lastMessage } = await agent.invoke([])
        assert.match(textOf(lastMessage), SUMMARY)
        assert.equal(prompts.length, 5)
        await agent.invoke('again')
        assert.equal(prompts.length, 10)
      },
    },
    {
      id: 'calls one after the other, too',
      async run() {
        let ran = 0
        const { agent, prompts } = play({
          turns: always(call('read'), call('read')),
          read: () => ++ran,
          config: { toolExecutor: 'sequential' },
        })
        await agent.invoke('go')
        assert.deepEqual([ran, prompts.length], [6, 5])
      },
    },
    {
      id: 'what another hook refuses is no evidence, and a retried tool counts once',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const results = []
        const record = guard.detector.recordResult.bind(guard.detector)
        guard.detector.recordResult = (result) => {
          results.push(result.output)
          return record(result)
        }
        let ran = 0
        const turns = inTurn({ calls: [call('read')] }, { calls: [call('read', 'b.txt')] })
        const { agent } = play({ turns, guard, read: () => `attempt ${++ran}` })
        agent.addHook(BeforeToolCallEvent, (event) => {
          if (event.toolUse.input.path === 'b.txt') event.cancel = 'not that one'
        })
        agent.addHook(AfterToolCallEvent, (event) => {
          if (ran === 1) event.retry = true
        })
        await agent.invoke('go')
        assert.equal(ran, 2)
        assert.deepEqual(results, ['attempt 2'])
        assert.ok(JSON.stringify(agent.messages).includes('not that one'))
      },
    },
    {
      id: 'a retried model call is the same turn',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const turns = (n) => (n === 0 ? new Error('try again') : { text: 'done', calls: [] })
        const { agent, prompts } = play({ turns, guard })
        agent.addHook(AfterModelCallEvent, (event) => {
          if (event.error) event.retry = true
        })
        await agent.invoke('go')
        assert.equal(prompts.length, 2)
        assert.deepEqual([guard.outcome.turns, guard.outcome.state], [1, 'finished'])
      },
    },
    {
      id: 'one plugin serves several agents, each with a guard',
      async run() {
        const ids = []
        const plugin = new LoopGuardPlugin(({ id }) => {
          ids.push(id)
          return new LoopGuard({ detector: LADDER })
        })
        const runs = ['one', 'two'].map((id) => {
          const played = play({ turns: always(call('read')), plugin, config: { id } })
          return played.agent.invoke('go').then(() => played.prompts.length)
        })
        assert.deepEqual(await Promise.all(runs), [5, 5])
        assert.deepEqual(ids.sort(), ['one', 'two'])
      },
    },
    {
      id: 'a plugin that resumes is no person: a loop over several attempts is stopped, and stays so',
      async run() {
        const prompts = []
        let attempts = 0
        // As in a loop around an agent: the model does the same in each attempt.
        const turns = (n) => (n % 2 === 0 ? always(call('read'))(n) : { text: 'done', calls: [] })
        const goal = new GoalLoop({
          goal() {
            attempts += 1
            return { passed: false, feedback: 'The tests still fail.' }
          },
          maxAttempts: 30,
        })
        const guard = new LoopGuard({ detector: LADDER })
        const model = new ScriptedModel(turns, prompts)
        const plugins = [new LoopGuardPlugin(guard), goal]
        const agent = agentOf(model, toolSet({ read: () => 'x' }), { plugins })
        const { lastMessage } = await agent.invoke('go')
        assert.equal(textOf(lastMessage), guard.outcome.summary)
        assert.ok(attempts < 10, `${attempts} attempts`)
        const asked = prompts.length
        await agent.invoke('again')
        assert.ok(prompts.length > asked + 1, 'a person starts over')
      },
    },
    {
      id: 'a person starts over after an invocation that failed, and with a state that is used twice',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        let count = 0
        const userMessage = guard.userMessage.bind(guard)
        guard.userMessage = () => {
          count += 1
          userMessage()
        }
        const turns = (n) => (n === 0 ? new Error('no connection') : { text: 'done', calls: [] })
        const { agent } = play({ turns, guard })
        await assert.rejects(agent.invoke('go'), /no connection/)
        await agent.invoke('again')
        const invocationState = {}
        await agent.invoke('once more', { invocationState })
        await agent.invoke('and again', { invocationState })
        assert.equal(count, 4)
      },
    },
    {
      id: 'text that is cut off ends the turn with what was said',
      async run() {
        const { text, messages, pulled } = await chant(Array(500).fill('again '), impatientGuard())
        assert.equal(pulled, 4)
        assert.equal(text, 'again again again ')
        assert.equal(textOf(messages.at(-1)), text)
      },
    },
  ],
}

/** An agent with one tool. */
function play({
  turns,
  guard = { detector: LADDER },
  plugin = new LoopGuardPlugin(guard),
  read = ({ path }) => `content of ${path}`,
  config,
}) {
  const prompts = []
  const model = new ScriptedModel(turns, prompts)
  return { agent: agentOf(model, toolSet({ read }), { plugins: [plugin], ...config }), prompts }
}

async function chant(sentences, guard) {
  const model = new ChantingModel(sentences, [])
  const agent = agentOf(model, [], { plugins: [new LoopGuardPlugin(guard)] })
  let text = ''
  for await (const { type, event } of agent.stream('go')) {
    if (type === 'modelStreamUpdateEvent') text += event.delta?.text ?? ''
  }
  return { text, messages: agent.messages, pulled: model.pulled }
}
