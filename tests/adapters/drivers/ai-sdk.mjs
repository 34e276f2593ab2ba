// Plays the scripted turns through the AI SDK's own mock model. What differs
// between the majors is the mock model's class, its dialect, and what there is beside it.
import assert from 'node:assert/strict'
import * as ai from 'ai'
import { LoopGuard } from 'loophound'
import { loopGuardMiddleware, withLoopGuard } from 'loophound/ai-sdk'
import { chantingModel, scriptedModel, searching } from '../scenario/language-model.mjs'
import { LADDER } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const { generateText, jsonSchema, stepCountIs, streamText, tool } = ai

export function aiDriver({ Model, dialect, agents = true, approvals = false }) {
  /** The framework's mock model, saying what the turns say, and keeping what it was asked. */
  function scripted(turns, prompts, quiet = false) {
    const note = (prompt) => prompts.push(quiet ? '' : JSON.stringify(prompt))
    return scriptedModel({ Model, dialect, turns, note })
  }

  async function chant(sentences, guard) {
    const { model, pulled } = chantingModel({ Model, sentences })
    const watched = ai.wrapLanguageModel({ model, middleware: loopGuardMiddleware(guard) })
    const result = streamText({ model: watched, prompt: 'go', onError: fail })
    const text = await result.text
    return { text, pulled: pulled.count, finishReason: await result.finishReason }
  }

  const LOOP = { name: 'read_file', args: { path: 'a.txt' } }

  async function streamExample() {
    const { answer } = await import('../examples/ai-sdk-stream.mjs')
    const prompts = []
    const messages = [{ role: 'user', content: 'go' }]
    await answer(scripted(inTurn({ calls: [LOOP] }), prompts), 'conversation', messages).text
    assert.equal(prompts.length, 2)
  }

  async function agentExample() {
    const { makeAgent } = await import('../examples/ai-sdk-agent.mjs')
    const prompts = []
    await makeAgent(scripted(always(LOOP), prompts)).generate({ prompt: 'go' })
    assertEndedEarly(prompts.length)
  }

  const driver = {
    make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 12 }) {
      const call = stream ? streamText : generateText
      const guarded = guard ? withLoopGuard(call, guard) : call
      return {
        async run({ turns, save = false, resume }) {
          const prompts = []
          const counts = {}
          const history = resume?.messages ?? [{ role: 'user', content: 'go' }]
          const own = save || resume ? guardOf(guard, resume) : undefined
          const run = own ? withLoopGuard(call, own) : guarded
          const result = await run({
            model: scripted(turns, prompts, quiet),
            tools: toolSet(tools),
            messages: history,
            stopWhen: stepCountIs(maxSteps),
            ...(hooks ? ownHooks(counts) : {}),
            ...(stream ? { onError: fail } : {}),
          })
          const { messages } = await result.response
          return {
            prompts,
            messages: tidy([...history, ...messages]),
            hooks: counts,
            saved: own && { messages: [...history, ...messages], guard: own.snapshot() },
          }
        },
      }
    },

    chant: (sentences) => chant(sentences),

    async example() {
      const { ask } = await import('../examples/ai-sdk.mjs')
      const prompts = []
      const looping = scripted(always(LOOP), prompts)
      await ask(looping, 'What is in a.txt?')
      assertEndedEarly(prompts.length)
      const healthy = scripted(inTurn({ text: 'Hello.' }), [])
      assert.equal(await ask(healthy, 'Hello?'), 'Hello.')
      await streamExample()
      if (agents) await agentExample()
    },

    checks: [
      {
        id: 'default of stopWhen',
        async run() {
          const prompts = []
          await withLoopGuard(generateText, { detector: LADDER })({
            model: scripted(always(call('read')), prompts),
            tools: toolSet({ read: () => 'x' }),
            prompt: 'go',
          })
          assert.equal(prompts.length, 1, 'one step, as without the adapter')
        },
      },
      {
        id: 'provider-executed calls',
        async run() {
          const prompts = []
          const verdicts = []
          await withLoopGuard(generateText, {
            detector: WINDOW,
            onVerdict: (verdict) => verdicts.push(verdict),
          })({
            model: scripted(searching, prompts),
            tools: { ...toolSet({ read: () => 'x' }), search: tool({ inputSchema: SCHEMA }) },
            prompt: 'go',
            stopWhen: stepCountIs(9),
          })
          assert.equal(verdicts[0]?.tool, 'search')
          assert.equal(prompts.length, 3)
        },
      },
      {
        id: 'a tool that yields',
        async run() {
          const outputs = []
          const prompts = []
          const guard = new LoopGuard({ detector: LADDER })
          guard.result = ({ output }) => outputs.push(output)
          const yielding = tool({
            inputSchema: SCHEMA,
            async *execute({ path }) {
              yield 'working'
              yield `content of ${path}`
            },
          })
          const result = withLoopGuard(
            streamText,
            guard,
          )({
            model: scripted(inTurn({ calls: [call('read')] }), prompts),
            tools: { read: yielding },
            prompt: 'go',
            stopWhen: stepCountIs(5),
            onError: fail,
          })
          assert.equal(await result.text, 'done')
          assert.equal(outputs[0], 'content of a.txt')
          assert.ok(prompts[1].includes('content of a.txt'))
        },
      },
      {
        id: 'middleware cuts a stream',
        async run() {
          const guard = impatientGuard()
          const sentences = Array.from({ length: 50 }, () => 'again ')
          const { text, pulled, finishReason } = await chant(sentences, guard)
          assert.equal(text, 'again again again again ')
          assert.equal(finishReason, 'other')
          assert.ok(pulled < 10, `${pulled} chunks were asked for`)
        },
      },
      {
        id: 'middleware leaves a stream alone',
        async run() {
          const middleware = loopGuardMiddleware({ detector: LADDER })
          const read = async (model) => {
            const parts = []
            const turns = inTurn({ text: 'Hello.' })
            const result = streamText({ model: model(scripted(turns, [])), prompt: 'go' })
            for await (const part of result.fullStream) parts.push(part.type)
            return [parts, await result.text, await result.finishReason]
          }
          const wrapped = await read((model) => ai.wrapLanguageModel({ model, middleware }))
          assert.deepEqual(wrapped, await read((model) => model))
        },
      },
      ...(agents ? agentChecks(scripted) : []),
      ...(approvals ? approvalChecks(scripted) : []),
    ],
  }
  return driver
}

const SCHEMA = jsonSchema({
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
})

function toolSet(tools) {
  return Object.fromEntries(
    Object.entries(tools).map(([name, execute]) => [name, tool({ inputSchema: SCHEMA, execute })]),
  )
}

function fail({ error }) {
  throw error
}

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  return {
    prepareStep: counted('prepareStep', ({ messages }) => ({
      messages: [{ role: 'user', content: 'first' }, ...messages.slice(1)],
    })),
    stopWhen: [stepCountIs(12), counted('stopWhen', () => false)],
    onStepFinish: counted('onStepFinish'),
    onFinish: counted('onFinish'),
  }
}

/** Without what differs from run to run by nature. */
function tidy(messages) {
  return JSON.parse(JSON.stringify(messages, (key, value) => (key === 'id' ? undefined : value)))
}

/** The agent class of versions 6 and 7. */
function agentChecks(scripted) {
  const Agent = withLoopGuard(ai.ToolLoopAgent, { detector: LADDER })
  let ran = 0
  const tools = () =>
    toolSet({
      read: async () => {
        ran += 1
        await new Promise((resolve) => setTimeout(resolve, 1))
        return 'x'
      },
    })
  return [
    {
      id: 'ToolLoopAgent',
      async run() {
        for (const method of ['generate', 'stream']) {
          ran = 0
          const prompts = []
          const agent = new Agent({
            model: scripted(always(call('read')), prompts),
            tools: tools(),
          })
          assert.ok(agent instanceof ai.ToolLoopAgent)
          const result = await agent[method]({ prompt: 'go' })
          await result.text
          assert.deepEqual([method, prompts.length, ran], [method, 5, 3])
          assert.ok(prompts[3].includes('NUDGE 3'))
        }
      },
    },
    {
      id: 'ToolLoopAgent, its own limit of steps',
      async run() {
        const prompts = []
        const turns = (n) => always(call('read', `${n}.txt`))(n)
        await new Agent({ model: scripted(turns, prompts), tools: tools() }).generate({
          prompt: 'go',
        })
        assert.equal(prompts.length, 20)
      },
    },
    {
      id: 'ToolLoopAgent, two runs at once',
      async run() {
        const prompts = []
        const model = scripted(
          () => ({ calls: [{ id: `c${prompts.length}`, ...call('read') }] }),
          prompts,
        )
        const agent = new Agent({
          model,
          tools: tools(),
          stopWhen: stepCountIs(2),
          prepareCall: (options) => ({ ...options, temperature: 0 }),
        })
        await Promise.all([agent.generate({ prompt: 'one' }), agent.generate({ prompt: 'two' })])
        assert.equal(prompts.length, 4)
        assert.ok(!prompts.join().includes('NUDGE'))
      },
    },
    {
      id: 'needsApproval is not asked about a refused call',
      async run() {
        let asked = 0
        const prompts = []
        const read = tool({
          inputSchema: SCHEMA,
          execute: () => 'x',
          needsApproval: () => {
            asked += 1
            return false
          },
        })
        const model = scripted(always(call('read')), prompts)
        await new Agent({ model, tools: { read } }).generate({ prompt: 'go' })
        assert.deepEqual([prompts.length, asked], [5, 3])
      },
    },
  ]
}

/** `toolApproval`, of version 7. */
function approvalChecks(scripted) {
  const play = async (toolApproval) => {
    const prompts = []
    let ran = 0
    const execute = () => {
      ran += 1
      return 'x'
    }
    await withLoopGuard(generateText, { detector: LADDER })({
      model: scripted(always(call('read')), prompts),
      tools: toolSet({ read: execute }),
      prompt: 'go',
      stopWhen: stepCountIs(9),
      toolApproval,
    })
    return { prompts, ran }
  }
  return [
    {
      id: 'toolApproval, a function',
      async run() {
        let asked = 0
        const { prompts, ran } = await play(() => {
          asked += 1
          return 'approved'
        })
        assert.deepEqual([prompts.length, ran, asked], [5, 3, 3])
        assert.ok(prompts[4].includes('BLOCK 4') && prompts[4].includes('execution-denied'))
      },
    },
    {
      id: 'toolApproval, by tool',
      async run() {
        let asked = 0
        const own = () => {
          asked += 1
          return 'approved'
        }
        assert.deepEqual((await play({ read: own })).prompts.length, 5)
        assert.equal(asked, 3)
        const denied = await play({ read: 'denied' })
        assert.deepEqual([denied.prompts.length, denied.ran], [5, 0])
      },
    },
  ]
}
