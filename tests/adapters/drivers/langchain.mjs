// Plays the scripted turns through LangChain's own fake model.
import assert from 'node:assert/strict'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  modelRetryMiddleware,
  tool,
  toolRetryMiddleware,
  toolStrategy,
} from 'langchain'
import { LoopGuard } from 'loophound'
import { loopGuardMiddleware } from 'loophound/langchain'
import { z } from 'zod'
import { LADDER, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const ENOUGH = 'enough steps'
const TURNS = 60

/** LangChain's fake model, saying what the turns say, and keeping what it was asked. */
export function scripted(turns, prompts, { quiet = false, maxSteps = TURNS } = {}) {
  const model = fakeModel()
  for (let n = 0; n < TURNS; n++) {
    model.respond((messages) => {
      if (prompts.length >= maxSteps) return new Error(ENOUGH)
      const { calls, text } = turns(prompts.length)
      prompts.push(quiet ? '' : JSON.stringify(tidy(messages)))
      return new AIMessage({ content: text, tool_calls: calls })
    })
  }
  return model
}

/** Without ids, which differ from run to run by nature. */
const tidy = (messages) =>
  messages.map((message) => {
    const { content, tool_calls, tool_call_id, status, name } = message
    return { type: message.getType(), content, tool_calls, tool_call_id, status, name }
  })

const SCHEMA = z.object({ path: z.string() })

export const toolSet = (tools) =>
  Object.entries(tools).map(([name, run]) =>
    tool(async (args) => run(args), { name, description: name, schema: SCHEMA }),
  )

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  return {
    middleware: createMiddleware({
      name: 'Own',
      beforeAgent: counted('beforeAgent'),
      beforeModel: counted('beforeModel'),
      afterModel: counted('afterModel'),
      afterAgent: counted('afterAgent'),
      wrapModelCall: counted('wrapModelCall', (request, handler) => handler(request)),
      wrapToolCall: counted('wrapToolCall', (request, handler) => handler(request)),
    }),
    callbacks: [
      {
        handleChatModelStart: counted('handleChatModelStart'),
        handleToolStart: counted('handleToolStart'),
        handleToolEnd: counted('handleToolEnd'),
      },
    ],
  }
}

/** A checkpointer's memory as plain JSON, and back. */
const packed = ({ storage, writes }) =>
  JSON.stringify({ storage, writes }, (_key, value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  )
function unpacked(text) {
  const memory = JSON.parse(text, (_key, value) =>
    value?.base64 ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value,
  )
  return Object.assign(new MemorySaver(), memory)
}

/** To the end, or to where the script has it break off. */
async function finish(running) {
  try {
    return await running
  } catch (error) {
    if (!error.message.includes(ENOUGH)) throw error
    return undefined
  }
}

async function streamed(stream) {
  let last
  for await (const [mode, chunk] of await stream) if (mode === 'values') last = chunk
  return last
}

export const GO = { messages: [{ role: 'user', content: 'go' }] }
const middlewareOf = (guard) => (guard ? [loopGuardMiddleware(guard)] : [])

/** Runs agents that this function makes: LangChain's own, or one that is built on it. */
export const makeWith =
  (create) =>
  ({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps }) => {
    // One middleware for all runs, as users have it.
    const guarded = middlewareOf(guard)
    return {
      async run({ turns, thread, save = false, resume }) {
        const prompts = []
        const counts = {}
        const own = hooks ? ownHooks(counts) : undefined
        const checkpointer = resume ? unpacked(resume) : new MemorySaver()
        const agent = create({
          model: scripted(turns, prompts, { quiet, maxSteps }),
          tools: toolSet(tools),
          middleware: [...guarded, ...(own ? [own.middleware] : [])],
          ...(thread ? { checkpointer } : {}),
        })
        const config = {
          recursionLimit: 4 * TURNS,
          ...(thread ? { configurable: { thread_id: thread } } : {}),
          ...(own ? { callbacks: own.callbacks } : {}),
        }
        const input = resume ? null : GO
        const result = await finish(
          stream
            ? streamed(agent.stream(input, { ...config, streamMode: ['values', 'messages'] }))
            : agent.invoke(input, config),
        )
        return {
          prompts,
          messages: result && !quiet ? tidy(result.messages) : [],
          output: result?.messages.at(-1).content,
          hooks: counts,
          saved: save ? packed(checkpointer) : undefined,
        }
      },
    }
  }

export const driver = {
  lacks: { chant: 'a middleware of LangChain does not see text as it streams' },

  make: makeWith(createAgent),

  async example() {
    const { ask, makeAgent } = await import('../examples/langchain.mjs')
    const prompts = []
    const looping = scripted(always({ name: 'read_file', args: { path: 'a.txt' } }), prompts)
    await ask(makeAgent(looping), 'one', 'What is in a.txt?')
    assertEndedEarly(prompts.length)
    const healthy = makeAgent(scripted(inTurn({ text: 'Hello.' }), []))
    assert.equal(await ask(healthy, 'two', 'Hello?'), 'Hello.')
  },

  checks: [
    {
      id: 'the last message tells why a run was stopped, and every call has its result',
      async run() {
        const agent = made({ turns: always(call('read')) })
        const { messages } = await agent.invoke(GO)
        const last = messages.at(-1)
        assert.ok(AIMessage.isInstance(last))
        assert.match(last.content, SUMMARY)
        const { state, kind, summary } = last.response_metadata.loophound
        assert.deepEqual([state, kind, summary], ['stopped', 'exact-repeat', last.content])
        const refused = messages.filter(({ status }) => status === 'error')
        assert.deepEqual(
          refused.map(({ content }) => content),
          ['BLOCK 4', 'STOP 5'],
        )
        const asked = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
        assert.deepEqual(
          messages.flatMap(({ tool_call_id: id = [] }) => id),
          asked,
        )
      },
    },
    {
      id: 'the recursion limit goes as far as without the middleware',
      async run() {
        const play = async (guard) => {
          const prompts = []
          const turns = (n) => always(call('read', `${n}.txt`))(n)
          await assert.rejects(made({ turns, prompts, guard }).invoke(GO), /Recursion limit of 25/)
          return prompts.length
        }
        assert.equal(await play({ detector: LADDER }), await play(null))
      },
    },
    {
      id: 'two runs at once, without threads',
      async run() {
        const prompts = []
        let asked = 0
        const agent = made({
          turns: () => ({ text: '', calls: [{ ...call('read'), id: `c${asked++}` }] }),
          prompts,
          maxSteps: 4,
        })
        await Promise.all([finish(agent.invoke(GO)), finish(agent.invoke(GO))])
        assert.equal(prompts.length, 4)
        assert.ok(!prompts.join().includes('NUDGE'))
      },
    },
    {
      id: 'a person who speaks begins anew, also after a stop',
      async run() {
        const prompts = []
        const agent = made({
          turns: always(call('read')),
          prompts,
          checkpointer: new MemorySaver(),
        })
        const config = { configurable: { thread_id: 'one' } }
        await agent.invoke(GO, config)
        assert.equal(prompts.length, 5)
        const { messages } = await agent.invoke(GO, config)
        assert.equal(prompts.length, 10)
        assert.match(messages.at(-1).content, SUMMARY)
        assert.ok(!prompts[5].includes('NUDGE'))
      },
    },
    {
      id: 'a thread goes back to an earlier checkpoint, and the count with it',
      async run() {
        const prompts = []
        const agent = made({
          turns: (n) => inTurn(...Array(4).fill({ calls: [call('read')] }))(n % 5),
          prompts,
          checkpointer: new MemorySaver(),
        })
        const config = { configurable: { thread_id: 'one' } }
        await agent.invoke(GO, config)
        const history = []
        for await (const state of agent.graph.getStateHistory(config)) history.push(state)
        // Before the second model call.
        const early = history.find(({ values, next }) => {
          return next[0] === 'model_request' && values.messages.length === 3
        })
        prompts.length = 1
        await agent.graph.invoke(null, early.config)
        assert.ok(!prompts[2].includes('NUDGE') && prompts[3].includes('NUDGE'))
      },
    },
    {
      id: 'what was saved under other options is left, and the run goes on',
      async run() {
        const checkpointer = new MemorySaver()
        const errors = []
        const config = { configurable: { thread_id: 'one' } }
        const turns = inTurn({ calls: [call('read')] })
        await made({ turns, checkpointer }).invoke(GO, config)
        const guard = { detector: 'window', onError: (error) => errors.push(error) }
        const { messages } = await made({ turns, checkpointer, guard }).invoke(GO, config)
        assert.equal(messages.at(-1).content, 'done')
        assert.ok(errors[0] instanceof RangeError)
      },
    },
    {
      id: 'a guard of yours, by thread',
      async run() {
        const guards = new Map()
        const guard = ({ configurable }) => {
          const id = configurable.thread_id
          if (!guards.has(id)) guards.set(id, new LoopGuard({ detector: LADDER, id }))
          return guards.get(id)
        }
        const prompts = []
        const agent = made({
          turns: always(call('read')),
          prompts,
          checkpointer: new MemorySaver(),
          guard,
        })
        await agent.invoke(GO, { configurable: { thread_id: 'one' } })
        assert.equal(prompts.length, 5)
        assert.equal(guards.get('one').stopped.action, 'stop')
      },
    },
    {
      id: 'an interrupt in a tool is not taken for an error',
      async run() {
        const checkpointer = new MemorySaver()
        const read = tool(async () => `said ${interrupt('may I?')}`, {
          name: 'read',
          description: 'read',
          schema: SCHEMA,
        })
        const prompts = []
        const agent = made({
          turns: inTurn({ calls: [call('read')] }),
          prompts,
          tools: [read],
          checkpointer,
        })
        const config = { configurable: { thread_id: 'one' } }
        const { __interrupt__: asked } = await agent.invoke(GO, config)
        assert.equal(asked[0].value, 'may I?')
        const { messages } = await agent.invoke(new Command({ resume: 'yes' }), config)
        assert.equal(messages.at(-1).content, 'done')
        assert.ok(prompts[1].includes('said yes'))
      },
    },
    {
      id: 'arguments that do not fit the schema are told as without the middleware',
      async run() {
        const play = async (guard) => {
          const turns = inTurn({ calls: [{ name: 'read', args: { path: 7 } }] })
          const { messages } = await made({ turns, guard }).invoke(GO)
          // LangChain shows the model its stack.
          return JSON.stringify(tidy(messages)).replace(/\\n {4}at [^"]*?(?=\\n \w)/g, '')
        }
        assert.deepEqual(await play({ detector: LADDER }), await play(null))
      },
    },
    {
      id: "LangChain's own middleware: a tool and a model are tried again",
      async run() {
        let tries = 0
        const flaky = tool(
          async () => {
            tries += 1
            if (tries < 3) throw new Error('not yet')
            return 'there'
          },
          { name: 'read', description: 'read', schema: SCHEMA },
        )
        const prompts = []
        let failures = 0
        const model = fakeModel()
        model.respond(new AIMessage({ content: '', tool_calls: [{ id: 'c1', ...call('read') }] }))
        model.respond(() => {
          failures += 1
          return new Error('busy')
        })
        model.respond((messages) => {
          prompts.push(JSON.stringify(tidy(messages)))
          return new AIMessage('done')
        })
        const agent = createAgent({
          model,
          tools: [flaky],
          middleware: [
            modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 }),
            loopGuardMiddleware({ detector: LADDER }),
            toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1 }),
          ],
        })
        const { messages } = await agent.invoke(GO)
        assert.deepEqual([tries, failures], [3, 1])
        assert.equal(messages.at(-1).content, 'done')
        assert.ok(prompts[0].includes('there'))
      },
    },
    {
      id: 'calls that the provider runs itself are seen',
      async run() {
        const kinds = []
        let n = 0
        const model = fakeModel()
        for (let turn = 0; turn < 9; turn++) {
          model.respond(
            () =>
              new AIMessage({
                content: [
                  { type: 'server_tool_call', id: `s${n}`, name: 'search', args: { q: 'x' } },
                ],
                response_metadata: { output_version: 'v1' },
                tool_calls: [{ id: `r${n}`, ...call('read', `${n++}.txt`) }],
              }),
          )
        }
        const agent = createAgent({
          model,
          tools: toolSet({ read: ({ path }) => path }),
          middleware: [
            loopGuardMiddleware({
              detector: WINDOW,
              onVerdict: ({ tool }) => kinds.push(tool),
            }),
          ],
        })
        await agent.invoke(GO)
        assert.equal(kinds[0], 'search')
        assert.equal(n, 3)
      },
    },
    {
      id: 'a structured response comes through',
      async run() {
        const play = async (middleware) => {
          const format = toolStrategy(z.object({ answer: z.string() }))
          const answer = { calls: [{ name: format[0].name, args: { answer: 'x' } }] }
          const agent = createAgent({
            model: scripted(inTurn({ calls: [call('read')] }, answer), []),
            tools: toolSet({ read: ({ path }) => path }),
            middleware,
            responseFormat: format,
          })
          return (await agent.invoke(GO)).structuredResponse
        }
        assert.deepEqual(await play([]), { answer: 'x' })
        assert.deepEqual(await play(middlewareOf({ detector: LADDER })), { answer: 'x' })
      },
    },
  ],
}

/** A guarded agent with a tool that answers. */
function made({
  turns,
  prompts = [],
  guard = { detector: LADDER },
  tools = toolSet({ read: ({ path }) => `content of ${path}` }),
  maxSteps,
  ...rest
}) {
  return createAgent({
    model: scripted(turns, prompts, { maxSteps }),
    tools,
    middleware: middlewareOf(guard),
    ...rest,
  })
}
