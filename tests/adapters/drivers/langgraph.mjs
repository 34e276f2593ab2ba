// A graph as people write it without LangChain, with LangGraph's own ToolNode and a fake model.
import assert from 'node:assert/strict'
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { tool } from '@langchain/core/tools'
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { LoopDetector, LoopGuard } from 'loophound'
import { loopGuardState, withLoopGuard } from 'loophound/langgraph'
import { z } from 'zod'
import { BLOCK, LADDER, NUDGE, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const ENOUGH = 'enough steps'
const TURNS = 80

/** A model that says what the turns say, and keeps what it was asked. */
const scripted = (turns, prompts, { quiet = false, maxSteps = TURNS } = {}) =>
  RunnableLambda.from((messages) => {
    if (prompts.length >= maxSteps) throw new Error(ENOUGH)
    const { calls, text } = turns(prompts.length)
    prompts.push(quiet ? '' : JSON.stringify(tidy(messages)))
    return new AIMessage({ content: text, tool_calls: calls })
  })

/** Without ids, which differ from run to run by nature. */
const tidy = (messages) =>
  messages.map((message) => {
    const { content, tool_calls, tool_call_id, status, name } = message
    return { type: message.getType(), content, tool_calls, tool_call_id, status, name }
  })

const SCHEMA = z.object({ path: z.string() })

const toolSet = (tools) =>
  Object.entries(tools).map(([name, run]) =>
    tool(async (args) => run(args), { name, description: name, schema: SCHEMA }),
  )

const State = Annotation.Root({ ...MessagesAnnotation.spec, ...loopGuardState })

/** The graph of an agent; with `own`, its nodes and edges are counted. */
function graphOf({ nodes, state = State, checkpointer, own = (_, node) => node }) {
  return new StateGraph(state)
    .addNode('model', own('model', nodes.model))
    .addNode('tools', own('tools', nodes.tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', own('condition', toolsCondition))
    .addEdge('tools', 'model')
    .compile(checkpointer ? { checkpointer } : {})
}

/** The nodes of a user, guarded or not. */
function nodesOf(guard, model, tools) {
  const nodes = {
    model: async ({ messages }) => ({ messages: [await model.invoke(messages)] }),
    tools: new ToolNode(tools),
  }
  return guard ? withLoopGuard(nodes, guard) : nodes
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

const GO = { messages: [{ role: 'user', content: 'go' }] }
const READ = { read: ({ path }) => `content of ${path}` }

export const driver = {
  lacks: { chant: 'a node has the text of its model when the turn is over' },

  make({ guard, tools, hooks = false, stream = false, quiet, maxSteps }) {
    return {
      async run({ turns, thread, save = false, resume }) {
        const [prompts, counts] = [[], {}]
        const counted = counter(counts)
        const own = hooks ? (name, node) => (node.invoke ? node : counted(name, node)) : undefined
        const checkpointer = resume ? unpacked(resume) : new MemorySaver()
        const model = scripted(turns, prompts, { quiet, maxSteps })
        const graph = graphOf({
          nodes: nodesOf(guard, model, toolSet(tools)),
          checkpointer: thread ? checkpointer : undefined,
          own,
        })
        const callbacks = hooks ? [{ handleToolStart: counted('handleToolStart') }] : []
        const config = {
          recursionLimit: 4 * TURNS,
          callbacks,
          ...(thread ? { configurable: { thread_id: thread } } : {}),
        }
        const input = resume ? null : GO
        const result = await finish(
          stream
            ? streamed(graph.stream(input, { ...config, streamMode: ['values', 'messages'] }))
            : graph.invoke(input, config),
        )
        // The node that runs tools is a function only where it is guarded.
        delete counts.tools
        return {
          prompts,
          messages: result && !quiet ? tidy(result.messages) : [],
          output: result?.messages.at(-1).content,
          hooks: counts,
          saved: save ? packed(checkpointer) : undefined,
        }
      },
    }
  },

  async example() {
    const { makeAgent } = await import('../examples/langgraph.mjs')
    const prompts = []
    const looping = scripted(always({ name: 'read_file', args: { path: 'a.txt' } }), prompts)
    const config = (thread_id) => ({ configurable: { thread_id }, recursionLimit: 100 })
    await makeAgent(looping).invoke(GO, config('one'))
    assertEndedEarly(prompts.length)
    const healthy = makeAgent(scripted(inTurn({ text: 'Hello.' }), []))
    const { messages } = await healthy.invoke(GO, config('two'))
    assert.equal(messages.at(-1).content, 'Hello.')
  },

  checks: [
    {
      id: 'the last message tells why a run was stopped, and every call has its result',
      async run() {
        const { messages } = await made({ turns: always(call('read')) }).invoke(GO)
        const last = messages.at(-1)
        assert.match(last.content, SUMMARY)
        assert.equal(last.response_metadata.loophound.state, 'stopped')
        const asked = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
        assert.deepEqual(
          messages.flatMap(({ tool_call_id: id = [] }) => id),
          asked,
        )
      },
    },
    {
      id: 'of parallel calls, only those that may not run are left out',
      async run() {
        const guard = new LoopGuard()
        guard.calls = (calls) =>
          calls.map((_, index) => ({ run: index > 0, reply: index > 0 ? null : 'REFUSED' }))
        const turns = inTurn({ calls: [call('read'), call('look')] })
        const tools = { ...READ, look: ({ path }) => `looked at ${path}` }
        const { messages } = await made({ turns, tools, guard }).invoke(GO)
        const results = messages.filter((message) => message.getType() === 'tool')
        assert.deepEqual(results.map(({ content, status }) => [content, status]).sort(), [
          ['REFUSED', 'error'],
          ['looked at a.txt', 'success'],
        ])
      },
    },
    {
      id: 'a person who speaks starts over, also after a stop',
      async run() {
        const prompts = []
        const graph = made({
          turns: always(call('read')),
          prompts,
          checkpointer: new MemorySaver(),
        })
        const config = { configurable: { thread_id: 'one' } }
        await graph.invoke(GO, config)
        await graph.invoke(GO, config)
        assert.equal(prompts.length, 10)
        assert.ok(!prompts[5].includes(NUDGE))
      },
    },
    {
      id: 'a model node that returns a command',
      async run() {
        const prompts = []
        const model = scripted(always(call('read')), prompts)
        const nodes = withLoopGuard(
          {
            model: async ({ messages }) => {
              const answer = await model.invoke(messages)
              const goto = answer.tool_calls.length > 0 ? 'tools' : END
              return new Command({ update: { messages: [answer] }, goto })
            },
            tools: new ToolNode(toolSet(READ)),
          },
          { detector: LADDER },
        )
        const graph = new StateGraph(State)
          .addNode('model', nodes.model, { ends: ['tools', END] })
          .addNode('tools', nodes.tools)
          .addEdge(START, 'model')
          .addEdge('tools', 'model')
          .compile()
        const { messages } = await graph.invoke(GO)
        assert.equal(prompts.length, 5)
        assert.match(messages.at(-1).content, SUMMARY)
      },
    },
    {
      id: 'an interrupt in a tool is not taken for an error',
      async run() {
        const read = tool(async () => `said ${interrupt('may I?')}`, {
          name: 'read',
          description: 'read',
          schema: SCHEMA,
        })
        const prompts = []
        const model = scripted(inTurn({ calls: [call('read')] }), prompts)
        const nodes = nodesOf({ detector: LADDER }, model, [read])
        const graph = graphOf({ nodes, checkpointer: new MemorySaver() })
        const config = { configurable: { thread_id: 'one' } }
        await graph.invoke(GO, config)
        const { messages } = await graph.invoke(new Command({ resume: 'yes' }), config)
        assert.equal(messages.at(-1).content, 'done')
        assert.ok(prompts[1].includes('said yes'))
      },
    },
    {
      id: 'a state without the field is told of',
      async run() {
        const codes = []
        const guard = { detector: LADDER, onWarning: ({ code }) => codes.push(code) }
        const step = { calls: [call('read')] }
        const nodes = nodesOf(guard, scripted(inTurn(step, step, step), []), toolSet(READ))
        await graphOf({ nodes, state: MessagesAnnotation }).invoke(GO)
        assert.deepEqual(codes, ['no-state'])
      },
    },
    {
      id: 'a call that is sent to the tools by itself may be refused',
      async run() {
        const sends = [
          (state, sent) => ({ ...state, lg_tool_call: sent }),
          (_, { id, name, args }) => ({
            messages: [new AIMessage({ content: '', tool_calls: [{ id, name, args }] })],
          }),
        ]
        for (const argsOf of sends) {
          const [prompts, ran] = [[], []]
          const read = ({ path }) => ran.push(path)
          const model = scripted(always(call('read')), prompts)
          const nodes = nodesOf({ detector: LADDER }, model, toolSet({ read }))
          const toTools = (state) =>
            state.messages.at(-1).tool_calls.map((sent) => new Send('tools', argsOf(state, sent)))
          const graph = new StateGraph(State)
            .addNode('model', nodes.model)
            .addNode('tools', nodes.tools)
            .addEdge(START, 'model')
            .addConditionalEdges('model', toTools, ['tools'])
            .addEdge('tools', 'model')
            .compile()
          const { messages } = await graph.invoke(GO)
          assert.deepEqual([prompts.length, ran.length], [5, 3])
          assert.match(messages.at(-1).content, SUMMARY)
        }
      },
    },
    {
      id: 'several agents in one graph, side by side and in a subgraph, do not mix',
      async run() {
        const asked = { left: [], right: [], below: [] }
        const agent = (name, turns) =>
          nodesOf({ detector: LADDER }, scripted(turns, asked[name]), [])
        const [left, right] = ['left', 'right'].map((name) => agent(name, inTurn({ text: name })))
        const below = graphOf({ nodes: agent('below', always(call('look', 'none.txt'))) })
        const graph = new StateGraph(State)
          .addNode('left', left.model)
          .addNode('right', right.model)
          .addNode('below', below)
          .addEdge(START, 'left')
          .addEdge(START, 'right')
          .addEdge(['left', 'right'], 'below')
          .compile({ checkpointer: new MemorySaver() })
        const config = { configurable: { thread_id: 'one' } }
        const { messages, _loophound } = await graph.invoke(GO, config)
        assert.deepEqual(Object.keys(_loophound).sort(), ['below|model', 'left', 'right'])
        assert.ok(messages.some(({ content }) => content === 'left'))
        assert.ok(messages.some(({ content }) => content === 'right'))
        assert.equal(asked.below.length, 5)
        assert.match(messages.at(-1).content, /^look was called 5 times in a row/)
      },
    },
    {
      id: 'runs that branch off the same place go on apart',
      async run() {
        const asked = [[], [], []]
        const model = scripted(always(call('read')), [])
        const child = graphOf({
          nodes: nodesOf(
            { detector: LADDER },
            RunnableLambda.from((messages) => {
              const prompts = asked[Number(messages[0].content)]
              prompts.push('')
              return prompts.length > 3 ? new AIMessage('done') : model.invoke(messages)
            }),
            toolSet(READ),
          ),
        })
        const graph = new StateGraph(State)
          .addNode('before', (state) => ({ _loophound: state._loophound }))
          .addNode('child', child)
          .addEdge(START, 'before')
          .addConditionalEdges('before', ({ _loophound }) =>
            asked.map((_, n) => new Send('child', { messages: [['user', `${n}`]], _loophound })),
          )
          .compile({ checkpointer: new MemorySaver() })
        const config = { configurable: { thread_id: 'one' } }
        await graph.invoke(GO, config)
        for (const prompts of asked) prompts.length = 0
        // Now each begins with the memory of the last one.
        await graph.invoke(GO, config)
        assert.deepEqual(
          asked.map(({ length }) => length),
          [4, 4, 4],
        )
      },
    },
    {
      id: 'an agent that a node calls again and again has one place',
      async run() {
        const agent = made({ turns: inTurn({ text: 'done' }) })
        const places = []
        const graph = new StateGraph(State)
          .addNode('caller', async () => {
            for (let n = 0; n < 3; n++) {
              const { _loophound } = await agent.invoke(GO)
              places.push(...Object.keys(_loophound))
            }
          })
          .addEdge(START, 'caller')
          .compile()
        await graph.invoke(GO)
        assert.deepEqual(places, Array(3).fill('caller|model'))
      },
    },
    {
      id: 'whatever a model node returns arrives',
      async run() {
        const said = new AIMessage('said')
        const answers = [
          [{ messages: [{ role: 'assistant', content: 'said' }] }, ['said']],
          [{ messages: said, update: { x: 1 } }, ['said']],
          [undefined, []],
          [new Command({ goto: 'next' }), ['next']],
          [new Command({ goto: 'next', update: [['messages', [said]]] }), ['said', 'next']],
          [
            [new Command({ update: { messages: [said] } }), new Command({ goto: 'next' })],
            ['said', 'next'],
          ],
        ]
        const Own = Annotation.Root({ ...State.spec, update: Annotation() })
        for (const [answer, expected] of answers) {
          const { model } = withLoopGuard({ model: () => answer, tools: () => ({}) })
          const graph = new StateGraph(Own)
            .addNode('model', model, { ends: ['next'] })
            .addNode('next', () => ({ messages: [new AIMessage('next')] }))
            .addEdge(START, 'model')
            .compile()
          const { messages, update, _loophound } = await graph.invoke(GO)
          assert.deepEqual(
            messages.slice(1).map(({ content }) => content),
            expected,
          )
          assert.deepEqual(update, answer?.lg_name ? undefined : answer?.update)
          assert.deepEqual(Object.keys(_loophound), ['model'])
        }
      },
    },
    {
      id: 'messages that are plain objects are answered with plain objects',
      async run() {
        const Plain = Annotation.Root({
          messages: Annotation({ reducer: (left, right) => [...left, ...right] }),
          ...loopGuardState,
        })
        const [prompts, ran] = [[], []]
        const nodes = withLoopGuard(
          {
            model: ({ messages }) => {
              prompts.push(messages)
              const id = `call_${prompts.length}`
              const read = { id, function: { name: 'read', arguments: '{"path":"a.txt"}' } }
              return { messages: [{ role: 'assistant', content: '', tool_calls: [read] }] }
            },
            tools: ({ messages }) => ({
              messages: messages.at(-1).tool_calls.map(({ id: tool_call_id }) => {
                ran.push(tool_call_id)
                return { role: 'tool', tool_call_id, content: 'x' }
              }),
            }),
          },
          { detector: LADDER },
        )
        const hasCalls = ({ messages }) => (messages.at(-1).tool_calls ? 'tools' : END)
        const graph = new StateGraph(Plain)
          .addNode('model', nodes.model)
          .addNode('tools', nodes.tools)
          .addEdge(START, 'model')
          .addConditionalEdges('model', hasCalls)
          .addEdge('tools', 'model')
          .compile()
        const { messages } = await graph.invoke(GO)
        assert.deepEqual([prompts.length, ran.length], [5, 3])
        assert.deepEqual(prompts[3].at(-1), { role: 'user', content: NUDGE })
        assert.equal(messages.filter(({ role }) => role === 'tool')[3].content, BLOCK)
        assert.match(messages.at(-1).content, SUMMARY)
        assert.ok([...prompts.flat(), ...messages].every(({ role }) => typeof role === 'string'))
      },
    },
    {
      id: 'a call that was answered before it came to the tools gets no second answer',
      async run() {
        const guard = new LoopGuard()
        guard.calls = (calls) => calls.map(() => ({ run: false, reply: 'REFUSED' }))
        const { model, tools } = nodesOf(guard, scripted(always(call('read')), []), toolSet(READ))
        const state = { messages: [new HumanMessage('go')], _loophound: {} }
        const { messages, _loophound } = await model(state)
        const [{ id }] = messages[0].tool_calls
        const refused = await tools({ messages, _loophound })
        assert.equal(refused.messages[0].content, 'REFUSED')
        const answer = new ToolMessage({ content: 'a person said no', tool_call_id: id })
        const both = await tools({ messages: [...messages, answer], _loophound })
        assert.deepEqual(both.messages, [])
      },
    },
    {
      id: 'a mistake of the user in what the guard needs does not reach the graph',
      async run() {
        const codes = []
        const sources = [
          () => assert.fail('no guard'),
          () => undefined,
          { detector: LADDER, onWarning: ({ code }) => codes.push(code) },
        ]
        const Other = Annotation.Root({ said: Annotation(), ...loopGuardState })
        for (const source of sources) {
          const { model } = withLoopGuard(
            { model: () => ({ said: 'x' }), tools: () => ({}) },
            source,
          )
          const graph = new StateGraph(Other)
            .addNode('model', model)
            .addEdge(START, 'model')
            .compile()
          for (const said of ['', 'y']) assert.equal((await graph.invoke({ said })).said, 'x')
        }
        assert.deepEqual(codes, ['no-messages'])
      },
    },
    {
      id: 'a guard of yours',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        await made({ turns: always(call('read')), guard }).invoke(GO)
        assert.equal(guard.outcome.state, 'stopped')
        // With a detector of yours there is one guard, too.
        const codes = []
        const onWarning = ({ code }) => codes.push(code)
        const own = { detector: new LoopDetector(LADDER), onWarning }
        const checkpointer = new MemorySaver()
        const graph = made({ turns: always(call('read')), guard: own, checkpointer })
        const config = { configurable: { thread_id: 'one' } }
        const { messages } = await graph.invoke(GO, config)
        await graph.invoke(GO, { configurable: { thread_id: 'two' } })
        assert.deepEqual(codes, [])
        assert.match(messages.at(-1).content, SUMMARY)
      },
    },
  ],
}

/** A guarded graph with a tool that answers. */
function made({ turns, prompts = [], guard = { detector: LADDER }, tools = READ, ...rest }) {
  const { maxSteps, checkpointer } = rest
  const model = scripted(turns, prompts, { maxSteps })
  return graphOf({ nodes: nodesOf(guard, model, toolSet(tools)), checkpointer })
}
