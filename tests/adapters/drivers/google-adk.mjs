// Plays the scripted turns through a model of our own: the ADK has no mock model to offer.
import assert from 'node:assert/strict'
import {
  BaseLlm,
  BasePlugin,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  LogLevel,
  LoopAgent,
  ParallelAgent,
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
