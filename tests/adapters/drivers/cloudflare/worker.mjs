// The Worker that runs the checks: agents are Durable Objects, and their models are played from here.

import { env } from 'cloudflare:workers'
import assert from 'node:assert/strict'
import { AIChatAgent } from '@cloudflare/ai-chat'
import { Think } from '@cloudflare/think'
import * as ai from 'ai'
import { MockLanguageModelV4 as Model } from 'ai/test'
import { LoopDetector, LoopGuard } from 'loophound'
import { withLoopGuard as guardCall } from 'loophound/ai-sdk'
import { StoredLoopGuard, withLoopGuard } from 'loophound/cloudflare'
import { z } from 'zod'
import { Assistant } from '../../examples/cloudflare.mjs'
import { Chat } from '../../examples/cloudflare-chat.mjs'
import { CHECKS } from '../../scenario/checks.mjs'
import { chantingModel, scriptedModel, searching } from '../../scenario/language-model.mjs'
import { BLOCK, LADDER, NUDGE, STOPPED, SUMMARY } from '../../scenario/options.mjs'
import { assertEndedEarly, counter, WINDOW } from '../../scenario/runs.mjs'
import { always, call, from, inTurn } from '../../scenario/turns.mjs'

/** What each agent needs of its run, by its name: Worker and objects share one isolate. */
const runs = new Map()

const toolSet = (tools) =>
  Object.fromEntries(
    Object.entries(tools).map(([name, execute]) => [
      name,
      ai.tool({ description: name, inputSchema: z.object({ path: z.string() }), execute }),
    ]),
  )

/** How many agents were constructed so far: one that hibernated is constructed again. */
let constructed = 0

/** What the suite asks of every agent, on top of a class. */
const played = (Base) =>
  class extends Base {
    constructor(...args) {
      super(...args)
      constructed += 1
    }

    getModel() {
      return runs.get(this.name).model
    }

    /** A turn that a program starts, a person, or nobody. */
    async go({ by = 'program', text = 'go' } = {}) {
      if (by === 'person') await this.chat(text, CALLBACK)
      else if (by === 'nobody') await this.continueLastTurn()
      else await this.runTurn({ input: text })
      return this.said()
    }

    said() {
      return JSON.parse(
        JSON.stringify(this.messages, (key, value) => (key === 'id' ? undefined : value)),
      )
    }

    outcome() {
      return { ...this.loopGuard.outcome }
    }

    stored() {
      return this.ctx.storage.kv.get('loophound:guard')
    }

    spoil() {
      this.ctx.storage.kv.put('loophound:guard', { format: 'something else' })
    }

    /** What it knew in memory is gone. */
    evict() {
      this.ctx.abort('evicted')
    }
  }

const CALLBACK = {
  onStart() {},
  onEvent() {},
  onDone() {},
  onError(error) {
    throw new Error(error)
  },
}

/** The class that a user would write. */
const written = (Base) =>
  class extends played(Base) {
    getSystemPrompt() {
      return 'Be careful.'
    }

    getTools() {
      return toolSet(runs.get(this.name).tools)
    }

    beforeTurn() {
      return { maxSteps: runs.get(this.name).maxSteps }
    }
  }

/** Has all the hooks of a user; each counts how often it was called, and what it returns is kept. */
const hooked = (Base) =>
  class extends written(Base) {
    #count(name) {
      counter(runs.get(this.name).counts)(name)()
    }

    beforeTurn(turn) {
      this.#count('beforeTurn')
      return { ...super.beforeTurn(turn), instructions: 'Be brief.' }
    }

    beforeStep({ messages }) {
      this.#count('beforeStep')
      return { messages: [{ role: 'user', content: 'first' }, ...messages.slice(1)] }
    }

    async beforeToolCall({ input }) {
      this.#count('beforeToolCall')
      if (input.path === 'blocked.txt') return { action: 'block', reason: 'NOT THAT ONE' }
      if (input.path === 'cached.txt') return { action: 'substitute', output: 'FROM CACHE' }
      if (input.path === 'wrong.txt') return { action: 'allow', input: { path: 'right.txt' } }
    }

    afterToolCall() {
      this.#count('afterToolCall')
    }

    onStepFinish() {
      this.#count('onStepFinish')
    }

    onChunk() {
      this.#count('onChunk')
    }

    onChatResponse() {
      this.#count('onChatResponse')
    }
  }

const guardFor = ({ name, storage }) => new StoredLoopGuard(storage, runs.get(name).guard)

export class Bare extends written(Think) {}
export class Guarded extends written(withLoopGuard(Think, guardFor)) {}
export class BareHooked extends hooked(Think) {}
/** The other way round: the class is guarded when it is whole. */
export const GuardedHooked = withLoopGuard(hooked(Think), guardFor)
/** With options, as most will have it. */
export class Options extends written(withLoopGuard(Think, { detector: LADDER })) {}
export class Example extends played(Assistant) {}

/** Goes on with what was said, as the package does after a tool's result. */
export class ChatExample extends played(Chat) {
  async go({ by, text = 'go' } = {}) {
    const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] }
    if (by === 'nobody') await this.continueLastTurn()
    else await this.saveMessages([...this.messages, message])
    return this.said()
  }
}

/** A chat whose tools the client runs. */
export class ChatInBrowser extends played(AIChatAgent) {
  loopGuard = new StoredLoopGuard(this.ctx.storage, { detector: LADDER })

  async onChatMessage() {
    const streamText = guardCall(ai.streamText, this.loopGuard)
    const result = streamText({
      model: this.getModel(),
      messages: await ai.convertToModelMessages(this.messages),
      tools: toolSet({ read: undefined }),
      stopWhen: ai.stepCountIs(20),
    })
    return result.toUIMessageStreamResponse()
  }
}

let made = 0

/** An object of its own, with what it needs. */
function object(className, settings) {
  made += 1
  const name = `agent ${made}`
  runs.set(name, { maxSteps: 60, tools: READ, counts: {}, ...settings })
  return { name, agent: env[className].getByName(name) }
}

const READ = { read: ({ path }) => `content of ${path}` }

const scripted = (turns, prompts = [], quiet = false) =>
  scriptedModel({
    Model,
    dialect: 'v3',
    turns,
    note: (prompt) => prompts.push(quiet ? '' : JSON.stringify(prompt)),
  })

/** The object is gone, and comes back with the next request. */
async function evicted(className, name) {
  await assert.rejects(env[className].getByName(name).evict(), /evicted/)
  return env[className].getByName(name)
}

/**
 * Writes as a browser does, and answers every tool call, until the agent tells of a stop. Before each
 * answer it waits as long as `pause` says, which gets the number of the answer.
 */
async function chatInBrowser(agent, output, pause = () => 0) {
  let answers = 0
  const request = new Request('http://agent/', { headers: { Upgrade: 'websocket' } })
  const { webSocket } = await agent.fetch(request)
  const received = []
  const send = (message) => webSocket.send(JSON.stringify(message))
  webSocket.accept()
  await new Promise((resolve) => {
    webSocket.addEventListener('message', async ({ data }) => {
      received.push(data)
      const { type, done } = JSON.parse(data)
      if (type !== 'cf_agent_use_chat_response' || !done) return
      // The answer is stored after it was sent.
      await new Promise((ready) => setTimeout(ready, 50))
      const last = (await agent.said()).at(-1)
      const open = last.parts.filter(({ state }) => state === 'input-available')
      for (const { toolCallId } of open) {
        const toolName = 'read'
        answers += 1
        await new Promise((ready) => setTimeout(ready, pause(answers)))
        send({ type: 'cf_agent_tool_result', toolCallId, toolName, output, autoContinue: true })
      }
      if (STOPPED.test(textOf(last))) resolve()
    })
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'go' }] }
    const init = { method: 'POST', body: JSON.stringify({ messages: [message] }) }
    send({ type: 'cf_agent_use_chat_request', id: 'r', init })
  })
  webSocket.close()
  return received
}

/** Chats as a browser does, and pauses in the middle until the agent has hibernated. */
async function chatThroughHibernation(agent) {
  let before = 0
  // workerd lets an object hibernate when it has been idle for ten seconds.
  await chatInBrowser(agent, 'found it', (answer) => {
    if (answer === 1) before = constructed
    return answer === 2 ? 15_000 : 0
  })
  assert.equal(constructed, before + 1, 'it hibernated')
}

const textOf = (message) => message.parts.map(({ text = '' }) => text).join('')

const driver = {
  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 60 }) {
    const className = `${guard ? 'Guarded' : 'Bare'}${hooks ? 'Hooked' : ''}`
    return {
      async run({ turns, resume }) {
        const prompts = []
        const settings = { guard, tools, maxSteps, counts: {} }
        settings.model = scripted(turns, prompts, quiet)
        let { name, agent } = resume ?? object(className, settings)
        if (resume) {
          runs.set(name, settings)
          agent = await evicted(className, name)
        }
        const by = resume ? 'nobody' : stream ? 'person' : 'program'
        const messages = await agent.go({ by })
        return {
          prompts,
          messages,
          output: textOf(messages.at(-1)),
          hooks: settings.counts,
          saved: { name },
        }
      },
    }
  },

  async chant(sentences) {
    const { model, pulled } = chantingModel({ Model, sentences, dialect: 'v3' })
    const { agent } = object('Guarded', { guard: {}, model })
    const messages = await agent.go()
    return { text: textOf(messages.at(-1)), pulled: pulled.count }
  },

  async example() {
    for (const className of ['Example', 'ChatExample']) {
      const prompts = []
      const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
      const { agent } = object(className, { model: scripted(looping, prompts) })
      const messages = await agent.go()
      assertEndedEarly(prompts.length)
      const { state, summary } = await agent.outcome()
      assert.equal(state, 'stopped')
      assert.match(summary, STOPPED)
      if (className === 'Example') assert.equal(textOf(messages.at(-1)), summary)
      const healthy = object(className, { model: scripted(inTurn({ text: 'Hello.' })) })
      assert.equal(textOf((await healthy.agent.go()).at(-1)), 'Hello.')
      assert.equal((await healthy.agent.outcome()).state, 'finished')
    }
  },

  checks: [
    {
      id: 'the last words tell why, every call has its result, and the nudge is not kept',
      async run() {
        const prompts = []
        const { agent } = object('Options', { model: scripted(always(call('read')), prompts) })
        const messages = await agent.go()
        assert.match(textOf(messages.at(-1)), SUMMARY)
        const calls = messages.at(-1).parts.filter(({ type }) => type === 'tool-read')
        assert.deepEqual(
          calls.map(({ state, output }) => [state, output]),
          [...Array(3).fill('content of a.txt'), BLOCK, 'STOP 5'].map((output) => [
            'output-available',
            output,
          ]),
        )
        assert.ok(!JSON.stringify(messages).includes('NUDGE'))
        assert.ok(prompts[3].includes(NUDGE))
        assert.deepEqual(JSON.parse(prompts[3]).at(-1).role, 'user')
      },
    },
    {
      id: 'a stop outlives an eviction: no model is asked until somebody writes',
      async run() {
        const prompts = []
        const model = scripted(always(call('read')), prompts)
        const { name, agent } = object('Options', { model })
        await agent.go()
        assert.equal(prompts.length, 5)
        const later = await evicted('Options', name)
        assert.equal((await later.outcome()).state, 'stopped')
        assert.match(textOf((await later.go({ by: 'nobody' })).at(-1)), /stopped/)
        assert.equal(prompts.length, 5)
        await later.go({ by: 'person' })
        assert.equal(prompts.length, 10)
      },
    },
    {
      id: 'a nudge that was not given yet outlives an eviction',
      async run() {
        const prompts = []
        const model = scripted(always(call('read')), prompts)
        const { name, agent } = object('Options', { model, maxSteps: 3 })
        await agent.go()
        assert.equal(prompts.length, 3)
        const later = await evicted('Options', name)
        await later.go({ by: 'nobody' })
        assert.ok(prompts[3].includes(NUDGE))
      },
    },
    {
      id: 'a person starts over, and a program does not',
      async run() {
        for (const [by, nudged] of [
          ['person', 5],
          ['program', 3],
        ]) {
          const prompts = []
          const model = scripted(always(call('read')), prompts)
          const { agent } = object('Options', { model, maxSteps: 2 })
          await agent.go()
          await agent.go({ by })
          await agent.go({ by: 'nobody' })
          const first = prompts.findIndex((prompt) => prompt.includes(NUDGE))
          assert.equal(first, nudged, by)
        }
      },
    },
    {
      id: 'the snapshot is not in the state that clients get, and a spoilt one is dropped',
      async run() {
        const prompts = []
        const { name, agent } = object('Options', {
          model: scripted(always(call('read')), prompts),
        })
        await agent.go()
        const { format } = await agent.stored()
        assert.equal(format, 'loophound-guard')
        await agent.spoil()
        const later = await evicted('Options', name)
        assert.equal((await later.outcome()).state, 'running')
      },
    },
    {
      id: 'what your own hooks return is kept',
      async run() {
        const prompts = []
        const read = []
        const paths = ['blocked.txt', 'cached.txt', 'wrong.txt']
        const turns = inTurn(...paths.map((path) => ({ calls: [call('read', path)] })))
        const tools = { read: ({ path }) => `read ${read.push(path)}` }
        const settings = { guard: { detector: LADDER }, tools, model: scripted(turns, prompts) }
        const { agent } = object('GuardedHooked', settings)
        const parts = (await agent.go()).at(-1).parts.filter(({ type }) => type === 'tool-read')
        assert.deepEqual(
          parts.map(({ output }) => output),
          ['NOT THAT ONE', 'FROM CACHE', 'read 1'],
        )
        assert.deepEqual(read, ['right.txt'])
        assert.ok(
          prompts.every((prompt) => prompt.includes('first') && prompt.includes('Be brief.')),
        )
      },
    },
    {
      id: 'calls that the provider runs are counted',
      async run() {
        const prompts = []
        const verdicts = []
        const guard = { detector: WINDOW, onVerdict: (verdict) => verdicts.push(verdict) }
        // A tool without a function, which another runs.
        const tools = { ...READ, search: undefined }
        const model = scripted(searching, prompts)
        await object('Guarded', { guard, tools, model, maxSteps: 9 }).agent.go()
        assert.equal(verdicts[0]?.tool, 'search')
        assert.equal(prompts.length, 3)
      },
    },
    {
      id: 'a chat over a WebSocket: tools that the client runs are counted with their results',
      async run() {
        const prompts = []
        const results = []
        const detector = new LoopDetector(LADDER)
        const record = detector.recordResult.bind(detector)
        detector.recordResult = (result) => {
          results.push([result.ok, result.output])
          return record(result)
        }
        const warnings = []
        const { agent } = object('Guarded', {
          guard: { detector, onWarning: ({ code }) => warnings.push(code) },
          tools: { read: undefined },
          model: scripted(always(call('read')), prompts),
        })
        const received = await chatInBrowser(agent, 'found it')
        assert.equal(prompts.length, 5)
        assert.ok(prompts[3].includes(NUDGE))
        assert.deepEqual(results, Array(5).fill([true, 'found it']))
        assert.deepEqual(warnings, [])
        assert.match(textOf((await agent.said()).at(-1)), SUMMARY)
        assert.ok(!received.join().includes('loophound-guard'), 'the snapshot stays here')
      },
    },
    {
      id: 'an agent that hibernates in the middle of a loop, its client connected, goes on counting',
      async run() {
        const prompts = []
        const { agent } = object('Guarded', {
          guard: { detector: LADDER },
          tools: { read: undefined },
          model: scripted(always(call('read')), prompts),
        })
        await chatThroughHibernation(agent)
        assert.deepEqual(
          prompts.map((prompt) => prompt.includes(NUDGE)),
          [false, false, false, true, false],
        )
      },
    },
    {
      id: 'text that is cut off is followed by another answer',
      async run() {
        const sentences = Array(1000).fill('I will now check the file again. ')
        const turns = (n) => (n === 0 ? undefined : { calls: [], text: 'Here it is.' })
        const chanting = chantingModel({ Model, sentences, dialect: 'v3', turns })
        const { agent } = object('Guarded', { guard: {}, model: chanting.model })
        const text = textOf((await agent.go()).at(-1))
        assert.ok(text.endsWith('Here it is.'), text.slice(-80))
        assert.equal(chanting.asked.length, 2)
        assert.ok(text.length < 300 * sentences[0].length)
      },
    },
    {
      id: 'AIChatAgent goes on counting after an eviction in the middle of a loop',
      async run() {
        const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
        const whole = []
        await object('ChatExample', { model: scripted(looping, whole) }).agent.go()

        const prompts = []
        const settings = {
          model: scripted((n) => (n === 3 ? { calls: [], text: 'wait' } : looping(n)), prompts),
        }
        const { name, agent } = object('ChatExample', settings)
        await agent.go()
        const before = await agent.outcome()
        assert.deepEqual([before.state, before.calls], ['finished', 3])
        const later = await evicted('ChatExample', name)
        assert.deepEqual(await later.outcome(), before)
        await later.go({ by: 'nobody' })
        assert.equal((await later.outcome()).state, 'stopped')
        assert.ok(prompts.length - 4 < whole.length - 1, 'it does not begin at the first call')
      },
    },
    {
      id: 'AIChatAgent whose client runs the tools: hibernated in the middle of a loop, it goes on',
      async run() {
        const prompts = []
        const { agent } = object('ChatInBrowser', {
          model: scripted(always(call('read')), prompts),
        })
        await chatThroughHibernation(agent)
        assert.equal(prompts.length, 5)
        assert.ok(prompts[3].includes(NUDGE) && !prompts[2].includes(NUDGE))
        assert.match(textOf((await agent.said()).at(-1)), SUMMARY)
      },
    },
    {
      id: 'AIChatAgent stays stopped after an eviction, until a person writes',
      async run() {
        const prompts = []
        const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
        const { name, agent } = object('ChatExample', { model: scripted(looping, prompts) })
        await agent.go()
        const asked = prompts.length
        const later = await evicted('ChatExample', name)
        assert.equal((await later.outcome()).state, 'stopped')
        runs.get(name).model = scripted(from(asked, looping), prompts)
        await later.go()
        assert.ok(prompts.length > asked + 1, 'a person starts over')
      },
    },
    {
      id: 'options that a guard refuses are refused at once',
      async run() {
        assert.throws(() => withLoopGuard(Think, { detector: 'no such preset' }), RangeError)
        assert.throws(() => withLoopGuard(Think, { nonsense: 1 }), TypeError)
        assert.ok(Guarded.prototype instanceof Think)
        assert.equal(withLoopGuard(Think).name, Think.name)
        assert.ok(StoredLoopGuard.prototype instanceof LoopGuard)
      },
    },
  ],
}

const ALL = [...CHECKS, ...driver.checks]

async function answer({ pathname }, body) {
  if (pathname === '/checks') return ALL.map(({ id }) => id)
  if (pathname === '/run') {
    const note = await ALL.find(({ id }) => id === body.id).run(driver)
    return { note }
  }
  const turns = (n) => body.script[n]
  const { guard } = body
  await driver
    .make({ guard: guard ?? undefined, tools: READ, quiet: true, maxSteps: body.script.length })
    .run({ turns })
  return {}
}

export default {
  async fetch(request) {
    try {
      return Response.json(await answer(new URL(request.url), await request.json()))
    } catch (error) {
      return new Response(error.stack ?? String(error), { status: 500 })
    }
  },
}
