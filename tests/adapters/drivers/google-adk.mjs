// Plays the scripted turns through a model of our own: the ADK has no mock model to offer.
import assert from 'node:assert/strict'
import {
  BaseLlm,
  BasePlugin,
  BaseTool,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  LogLevel,
  LongRunningFunctionTool,
  LoopAgent,
  ParallelAgent,
  SequentialAgent,
  StreamingMode,
  setLogLevel,
} from '@google/adk'
import { LoopGuard } from 'loophound'
import { LoopGuardPlugin } from 'loophound/google-adk'
import { z } from 'zod'
import { LADDER, STOPPED, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

setLogLevel(LogLevel.ERROR)

const APP = { appName: 'app', userId: 'me' }

/** Says what the turns say, and keeps what it was asked. */
class ScriptedModel extends BaseLlm {
  constructor(turns, prompts, quiet = false) {
    super({ model: 'scripted' })
    this.turns = turns
    this.prompts = prompts
    this.quiet = quiet
  }

  async *generateContentAsync({ contents, config }, stream) {
    const { calls, text, parts = [] } = this.turns(this.prompts.length)
    const instructions = { role: 'system', content: config?.systemInstruction }
    this.prompts.push(this.quiet ? '' : JSON.stringify([contents, instructions]))
    if (stream && text) yield { content: { role: 'model', parts: [{ text }] }, partial: true }
    const said = text ? [{ text }] : []
    const called = calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }))
    yield { content: { role: 'model', parts: [...said, ...parts, ...called] } }
  }
}

/** Streams sentences, one at a time. */
class ChantingModel extends BaseLlm {
  pulled = 0

  constructor(sentences) {
    super({ model: 'chanting' })
    this.sentences = sentences
  }

  async *generateContentAsync() {
    for (const text of this.sentences) {
      this.pulled += 1
      yield { content: { role: 'model', parts: [{ text }] }, partial: true }
    }
    yield { content: { role: 'model', parts: [{ text: this.sentences.join('') }] } }
  }
}

const toolSet = (tools, options) =>
  Object.entries(tools).map(
    ([name, execute]) =>
      new FunctionTool({
        name,
        description: name,
        parameters: z.object({ path: z.string() }),
        execute,
        ...options,
      }),
  )

const agentOf = (model, tools, config) =>
  new LlmAgent({ name: 'agent', instruction: 'Be careful.', model, tools, ...config })

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  class Own extends BasePlugin {}
  const callbacks = [
    ...['onUserMessageCallback', 'beforeRunCallback', 'onEventCallback', 'afterRunCallback'],
    ...['beforeAgentCallback', 'afterAgentCallback', 'beforeModelCallback', 'afterModelCallback'],
    ...['beforeToolCallback', 'afterToolCallback'],
  ]
  for (const name of callbacks) Own.prototype[name] = counted(`plugin ${name}`)
  const ofAgent = callbacks.filter((name) => /Agent|Model|Tool/.test(name))
  return {
    plugins: [new Own('own')],
    agent: Object.fromEntries(ofAgent.map((name) => [name, counted(name)])),
  }
}

/** Without what differs from run to run by nature. */
const tidy = (events) =>
  events.map(({ author, content, actions, errorCode }) => ({ author, content, actions, errorCode }))

const userMessage = (text) => ({ role: 'user', parts: [{ text }] })

/** All events of a run. */
async function eventsOf(
  runner,
  { sessionId = 'one', newMessage = userMessage('go'), ...rest } = {},
) {
  await runner.sessionService.getOrCreateSession({ ...APP, sessionId })
  const events = []
  for await (const event of runner.runAsync({ ...APP, sessionId, newMessage, ...rest })) {
    events.push(event)
  }
  return events
}

const textOf = (event) => event?.content?.parts?.map(({ text = '' }) => text).join('')

export const driver = {
  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 60 }) {
    const shared = guard && new LoopGuardPlugin(guard)
    return {
      async run({ turns, thread = 'one', save = false, resume }) {
        const prompts = []
        const counts = {}
        const user = hooks ? ownHooks(counts) : undefined
        const own = save || resume ? guardOf(guard, resume) : undefined
        const plugin = own ? new LoopGuardPlugin(own) : shared
        const model = new ScriptedModel(turns, prompts, quiet)
        const runner = new InMemoryRunner({
          appName: APP.appName,
          agent: agentOf(model, toolSet(tools), user?.agent),
          plugins: [...(plugin ? [plugin] : []), ...(user?.plugins ?? [])],
        })
        const session = await runner.sessionService.createSession({ ...APP, sessionId: thread })
        // What a tool returned is given as if it had run elsewhere: no person speaks.
        const [newMessage, past] = resume
          ? [resume.events.at(-1).content, resume.events.slice(0, -1)]
          : [userMessage('go'), []]
        for (const event of past) await runner.sessionService.appendEvent({ session, event })
        const runConfig = { streamingMode: stream ? StreamingMode.SSE : StreamingMode.NONE }
        const ids = { userId: APP.userId, sessionId: thread }
        let output
        for await (const event of runner.runAsync({ ...ids, newMessage, runConfig })) {
          output = textOf(event)
          const isAnswered = event.content?.parts?.some((part) => part.functionResponse)
          if (isAnswered && prompts.length >= maxSteps) break
        }
        const { events } = await runner.sessionService.getSession({ ...APP, sessionId: thread })
        return {
          prompts,
          messages: quiet ? [] : tidy(events),
          output,
          hooks: counts,
          saved: own && { events, guard: own.snapshot() },
        }
      },
    }
  },

  chant: (sentences) => chant(sentences),

  async example() {
    const { ask, makeRunner } = await import('../examples/google-adk.mjs')
    const prompts = []
    const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
    const runner = makeRunner(new ScriptedModel(looping, prompts))
    const stopped = await ask(runner, 'one', 'What is in a.txt?')
    assert.match(stopped.text, STOPPED)
    assert.equal(stopped.stopped, true)
    assertEndedEarly(prompts.length)
    const healthy = makeRunner(new ScriptedModel(inTurn({ text: 'Hello.' }), []))
    assert.deepEqual(await ask(healthy, 'two', 'Hello?'), { text: 'Hello.', stopped: false })
  },

  checks: [
    {
      id: 'the last event tells why, every call has its result, and the nudge is seen by the model only',
      async run() {
        const { runner, prompts } = play({ turns: always(call('read')) })
        const events = await eventsOf(runner)
        assert.match(textOf(events.at(-1)), SUMMARY)
        assert.equal(events.at(-1).customMetadata.loophound.state, 'stopped')
        const parts = events.flatMap(({ content }) => content?.parts ?? [])
        const ids = (type) => parts.flatMap((part) => part[type]?.id ?? [])
        assert.equal(ids('functionCall').length, 5)
        assert.deepEqual(ids('functionResponse'), ids('functionCall'))
        assert.ok(!JSON.stringify(events).includes('NUDGE'))
        assert.deepEqual(
          parts.flatMap((part) => part.functionResponse?.response.error ?? []),
          ['BLOCK 4', 'STOP 5'],
        )
        assert.ok(prompts[3].includes('Be careful.'))
      },
    },
    {
      id: 'a session goes on counting in the next invocation unless a person speaks',
      async run() {
        const { runner, prompts } = play({ turns: always(call('read')) })
        await eventsOf(runner)
        assert.equal(prompts.length, 5)
        await eventsOf(runner)
        assert.equal(prompts.length, 10)
        const functionResponse = { id: 'call_9_0', name: 'read', response: { result: 'x' } }
        const newMessage = { role: 'user', parts: [{ functionResponse }] }
        await eventsOf(runner, { newMessage })
        assert.equal(prompts.length, 10)
      },
    },
    {
      id: 'a loop agent ends with the run',
      async run() {
        const { agent, plugin, prompts } = play({ turns: always(call('read')) })
        const loop = new LoopAgent({ name: 'loop', subAgents: [agent], maxIterations: 50 })
        const runner = new InMemoryRunner({ appName: 'app', agent: loop, plugins: [plugin] })
        const events = await eventsOf(runner)
        assert.equal(prompts.length, 5)
        assert.equal(events.filter((event) => STOPPED.test(textOf(event) ?? '')).length, 1)
      },
    },
    {
      id: 'parallel agents have a guard each',
      async run() {
        const seen = new Set()
        const plugin = new LoopGuardPlugin({
          detector: LADDER,
          onVerdict: (_, { guard }) => seen.add(guard),
        })
        const parts = ['a', 'b'].map((name) => {
          const prompts = []
          const model = new ScriptedModel(always(call('read')), prompts)
          return { prompts, agent: agentOf(model, toolSet({ read: () => 'x' }), { name }) }
        })
        const agent = new ParallelAgent({ name: 'all', subAgents: parts.map((part) => part.agent) })
        await eventsOf(new InMemoryRunner({ appName: 'app', agent, plugins: [plugin] }))
        assert.deepEqual(
          parts.map(({ prompts }) => prompts.length),
          [5, 5],
        )
        assert.equal(seen.size, 2)
      },
    },
    {
      id: 'a call that waits for a person counts once, and its result is the real one',
      async run() {
        const results = []
        const guard = new LoopGuard({ detector: LADDER })
        const record = guard.detector.recordResult.bind(guard.detector)
        guard.detector.recordResult = (result) => {
          results.push(result.output)
          return record(result)
        }
        const { runner } = play({
          turns: inTurn({ calls: [call('read')] }),
          guard,
          toolOptions: { requireConfirmation: true },
        })
        const events = await eventsOf(runner)
        const asked = events
          .flatMap(({ content }) => content?.parts ?? [])
          .find((part) => part.functionCall?.name === 'adk_request_confirmation')
        assert.ok(asked, 'a person is asked')
        const { id, name } = asked.functionCall
        const functionResponse = { id, name, response: { confirmed: true } }
        await eventsOf(runner, { newMessage: { role: 'user', parts: [{ functionResponse }] } })
        assert.equal(guard.outcome.calls, 1)
        assert.deepEqual(
          results.map((output) => JSON.stringify(output).includes('content of')),
          [true],
        )
      },
    },
    {
      id: 'a runner that is started without a message does nothing, as without the plugin',
      async run() {
        const { runner, prompts } = play({ turns: inTurn() })
        const events = []
        await runner.sessionService.createSession({ ...APP, sessionId: 'one' })
        const ids = { userId: APP.userId, sessionId: 'one' }
        for await (const event of runner.runAsync({ ...ids, newMessage: undefined })) {
          events.push(event)
        }
        assert.deepEqual([events, prompts], [[], []])
      },
    },
    {
      id: 'the guard gets what the model gets of a tool that throws no Error, or returns nothing',
      async run() {
        class Throws extends BaseTool {
          _getDeclaration() {
            return { name: this.name, description: this.description }
          }

          async runAsync() {
            throw 'no Error'
          }
        }
        const options = { name: 'read', description: 'read' }
        const execute = async () => {}
        const nothing = new FunctionTool({ ...options, name: 'look', execute })
        const { guard, results } = watched()
        const turns = inTurn({
          calls: ['look', 'read', 'look'].map((name) => ({ name, args: {} })),
        })
        const tools = [new Throws(options), nothing]
        await eventsOf(runnerOf(agentOf(new ScriptedModel(turns, []), tools), guard))
        assert.deepEqual(
          results.map(({ output }) => output),
          [{ result: undefined }, { error: 'no Error' }],
        )
      },
    },
    {
      id: 'the result of a long-running tool is what comes later, if there is none at first',
      async run() {
        const ask = new LongRunningFunctionTool({
          name: 'ask',
          description: 'ask',
          parameters: z.object({ path: z.string() }),
          execute: async () => undefined,
        })
        const { guard, results } = watched()
        const turns = inTurn({ calls: [{ ...call('ask'), id: 'ask_1' }] })
        const runner = runnerOf(agentOf(new ScriptedModel(turns, []), [ask]), guard)
        await eventsOf(runner)
        assert.deepEqual(results, [])
        const functionResponse = { id: 'ask_1', name: 'ask', response: { answer: 'yes' } }
        await eventsOf(runner, { newMessage: { role: 'user', parts: [{ functionResponse }] } })
        assert.deepEqual(
          results.map(({ output }) => output),
          [{ answer: 'yes' }],
        )
      },
    },
    {
      id: 'agents in sequence may each read the same, and one that repeats itself is still stopped',
      async run() {
        let ran = 0
        const read = () => `the brief, for the ${++ran && 'team'}`
        const agents = (turns) =>
          Array.from({ length: 14 }, (_, n) =>
            agentOf(new ScriptedModel(turns(n), []), toolSet({ read }), {
              name: `agent_${n}`,
              includeContents: 'none',
            }),
          )
        const play = async (turns) => {
          ran = 0
          const guard = new LoopGuard()
          const agent = new SequentialAgent({ name: 'all', subAgents: agents(turns) })
          await eventsOf(runnerOf(agent, guard))
          return [ran, guard.outcome.state]
        }
        const once = (n) => inTurn({ calls: [call('read')] }, { text: `part ${n}` })
        assert.deepEqual(await play(once), [14, 'finished'])
        const [reads, state] = await play((n) => (n === 3 ? always(call('read')) : once(n)))
        assert.equal(state, 'stopped')
        assert.ok(reads < 20, `${reads} reads`)
      },
    },
    {
      id: 'an agent without a history may read the same in each round of a loop agent',
      async run() {
        let ran = 0
        const read = () => `the brief, for the ${++ran && 'team'}`
        const agentNamed = (name) => {
          const turns = (n) =>
            n % 2 === 0 ? always(call('read'))(n) : { calls: [], text: `${name}, draft ${n}` }
          const model = new ScriptedModel(turns, [])
          return agentOf(model, toolSet({ read }), { name, includeContents: 'none' })
        }
        const subAgents = ['writer', 'critic'].map(agentNamed)
        const guard = new LoopGuard()
        const loop = new LoopAgent({ name: 'loop', subAgents, maxIterations: 8 })
        await eventsOf(runnerOf(loop, guard))
        assert.deepEqual([ran, guard.outcome.state], [16, 'finished'])
      },
    },
    {
      id: 'agents that hand over to one another in circles are stopped',
      async run() {
        const prompts = []
        const handOver = (to) =>
          always({ name: 'transfer_to_agent', args: { agentName: to, agent_name: to } })
        const other = agentOf(new ScriptedModel(handOver('agent'), prompts), [], { name: 'other' })
        const agent = agentOf(new ScriptedModel(handOver('other'), prompts), [], {
          subAgents: [other],
        })
        const guard = new LoopGuard('cycles')
        await eventsOf(runnerOf(agent, guard))
        assert.equal(guard.outcome.state, 'stopped')
        assertEndedEarly(prompts.length)
      },
    },
    {
      id: 'code that the provider runs itself is seen',
      async run() {
        const tools = []
        const guard = { detector: WINDOW, onVerdict: ({ tool }) => tools.push(tool) }
        const parts = [
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        ]
        const turns = (n) => ({
          text: '',
          calls: [{ id: `r${n}`, ...call('read', `${n}.txt`) }],
          parts,
        })
        const { runner } = play({ turns, guard })
        await eventsOf(runner)
        assert.equal(tools[0], 'code_execution')
      },
    },
    {
      id: 'text that is cut off is an event with an error code, and stays in the session',
      async run() {
        const { text, events, pulled } = await chant(Array(500).fill('again '), impatientGuard())
        assert.equal(pulled, 4)
        assert.equal(text, 'again again again ')
        const last = events.at(-1)
        assert.equal(textOf(last), text)
        assert.equal(last.errorCode, 'LOOP_DETECTED')
        assert.equal(last.author, 'agent')
      },
    },
  ],
}

const runnerOf = (agent, guard) =>
  new InMemoryRunner({ appName: APP.appName, agent, plugins: [new LoopGuardPlugin(guard)] })

/** A guard that keeps the results it gets. */
function watched() {
  const guard = new LoopGuard()
  const results = []
  const recordResult = guard.detector.recordResult.bind(guard.detector)
  guard.detector.recordResult = (result) => {
    results.push(result)
    return recordResult(result)
  }
  return { guard, results }
}

/** A runner with one tool and a scripted model. */
function play({ turns, guard = { detector: LADDER }, toolOptions }) {
  const prompts = []
  const tools = toolSet({ read: ({ path }) => `content of ${path}` }, toolOptions)
  const agent = agentOf(new ScriptedModel(turns, prompts), tools)
  const plugin = new LoopGuardPlugin(guard)
  const runner = new InMemoryRunner({ appName: APP.appName, agent, plugins: [plugin] })
  return { runner, agent, plugin, prompts }
}

async function chant(sentences, guard) {
  const model = new ChantingModel(sentences)
  const plugins = [new LoopGuardPlugin(guard)]
  const runner = new InMemoryRunner({ appName: APP.appName, agent: agentOf(model, []), plugins })
  const events = await eventsOf(runner, { runConfig: { streamingMode: StreamingMode.SSE } })
  const text = events
    .filter(({ partial }) => partial)
    .map(textOf)
    .join('')
  return { text, events, pulled: model.pulled }
}
