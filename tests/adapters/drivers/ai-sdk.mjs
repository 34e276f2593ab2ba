// Plays the scripted turns through the AI SDK's own mock model. What differs
// between the majors is the mock model's class, its dialect, and what there is beside it.
import assert from 'node:assert/strict'
import * as ai from 'ai'
import { LoopGuard } from 'loophound'
import { loopGuardMiddleware, withBlockReason, withLoopGuard } from 'loophound/ai-sdk'
import { chantingModel, scriptedModel, searching } from '../scenario/language-model.mjs'
import { LADDER, STOPPED } from '../scenario/options.mjs'
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
    const told = async (turns) => answer(scripted(turns, prompts), 'conversation', messages).text()
    const healthy = await told(inTurn({ calls: [LOOP] }))
    assert.equal(prompts.length, 2)
    assert.match(healthy, /"state":"finished"/)
    const stopped = await told(always(LOOP))
    assert.match(stopped, /"errorText":"This call was not run\. /)
    assert.match(stopped, /"state":"stopped","summary":"read_file /)
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
      const { ask, askOrExplain } = await import('../examples/ai-sdk.mjs')
      const prompts = []
      await ask(scripted(always(LOOP), prompts), 'What is in a.txt?')
      assertEndedEarly(prompts.length)
      assert.match(await askOrExplain(scripted(always(LOOP), []), 'What is in a.txt?'), STOPPED)
      for (const say of [ask, askOrExplain]) {
        const healthy = scripted(inTurn({ text: 'Hello.' }), [])
        assert.equal(await say(healthy, 'Hello?'), 'Hello.')
      }
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
        id: 'tools that the client runs are counted in the next run, and a stop ends the conversation',
        async run() {
          for (const method of [generateText, streamText]) {
            const prompts = []
            const guard = new LoopGuard({ detector: LADDER })
            const results = []
            const recordResult = guard.detector.recordResult.bind(guard.detector)
            guard.detector.recordResult = (result) => {
              results.push([result.ok, result.output])
              return recordResult(result)
            }
            const ask = withLoopGuard(method, guard)
            const model = scripted(always(call('read')), prompts)
            const messages = [{ role: 'user', content: 'go' }]
            let text = ''
            for (let run = 0; run < 9 && text === ''; run++) {
              const tools = { read: tool({ inputSchema: SCHEMA }) }
              const settings = { model, tools, messages, stopWhen: stepCountIs(9) }
              const result = await ask(
                method === streamText ? { ...settings, onError: fail } : settings,
              )
              text = await result.text
              messages.push(...(await result.response).messages)
              for (const { toolCallId, toolName } of await result.toolCalls) {
                const output = { type: 'text', value: 'found it' }
                const part = { type: 'tool-result', toolCallId, toolName, output }
                messages.push({ role: 'tool', content: [part] })
              }
            }
            assert.equal(prompts.length, 5)
            assert.ok(prompts[3].includes('NUDGE 3') && !prompts[2].includes('NUDGE'))
            assert.equal(text, guard.outcome.summary)
            assert.deepEqual(results, Array(5).fill([true, 'found it']))
            messages.push({ role: 'user', content: 'again' })
            await (await ask({ model, messages, prompt: undefined })).text
            assert.equal(prompts.length, 6, 'a person starts over')
          }
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
        id: 'streamText: text that loops is cut, and the run goes on with the nudge',
        async run() {
          const guard = new LoopGuard()
          const { model, asked, pulled } = chantingModel({
            Model,
            sentences: Array(1000).fill('I will now check the file again. '),
            dialect,
            turns: inTurn({ calls: [call('read')] }, undefined, { text: 'It is empty.' }),
          })
          const result = withLoopGuard(
            streamText,
            guard,
          )({
            model,
            tools: toolSet({ read: () => '' }),
            prompt: 'go',
            stopWhen: stepCountIs(9),
            onError: fail,
          })
          const text = await result.text
          assert.ok(text.startsWith('I will now check the file again. '))
          assert.ok(text.endsWith('It is empty.'), 'the answer comes after the nudge')
          assert.ok(pulled.count < 500, 'the connection is closed')
          assert.equal(asked.length, 3, 'the model is asked once more')
          assert.match(asked[2], /"role":"user".*was cut off because it repeated/)
          assert.equal(await result.finishReason, 'stop')
          assert.equal((await result.steps).length, 2, 'in the same step')
          const { inputTokens, outputTokens } = await result.totalUsage
          assert.deepEqual([inputTokens, outputTokens], [2, 2], 'of the two answers that ended')
          const { state, calls, turns } = guard.outcome
          assert.deepEqual([state, calls, turns], ['finished', 1, 3])
        },
      },
      {
        id: 'streamText: text that loops again and again ends the run',
        async run() {
          const guard = new LoopGuard()
          const { model, asked } = chantingModel({
            Model,
            sentences: Array(1000).fill('I will now check the file again. '),
            dialect,
            turns: () => undefined,
          })
          const result = withLoopGuard(streamText, guard)({ model, prompt: 'go', onError: fail })
          await result.text
          assert.equal(await result.finishReason, 'other')
          assert.ok(asked.length > 1 && asked.length < 6, `${asked.length} model calls`)
        },
      },
      {
        id: 'with the middleware as well, text is counted once',
        async run() {
          const seen = []
          const guard = new LoopGuard()
          const pushText = guard.pushText.bind(guard)
          guard.pushText = (chunk, channel) => {
            seen.push(chunk)
            return pushText(chunk, channel)
          }
          const result = withLoopGuard(
            streamText,
            guard,
          )({
            model: ai.wrapLanguageModel({
              model: scripted(inTurn({ text: 'Hello.' }), []),
              middleware: loopGuardMiddleware(guard),
            }),
            prompt: 'go',
            onError: fail,
          })
          assert.equal(await result.text, 'Hello.')
          assert.deepEqual(seen, ['Hello.'])
        },
      },
      {
        id: 'UI streams say why a call was refused, and hide other errors as before',
        async run() {
          const errors = async (onError) => {
            const result = withLoopGuard(streamText, { detector: LADDER })({
              model: scripted(
                inTurn({ calls: [call('fail')] }, ...Array(4).fill({ calls: [call('read')] })),
                [],
              ),
              tools: toolSet({
                read: () => 'x',
                fail: () => {
                  throw new Error('secret')
                },
              }),
              prompt: 'go',
              stopWhen: stepCountIs(9),
              onError: () => {},
            })
            const texts = []
            for await (const part of result.toUIMessageStream(onError && { onError })) {
              if (part.type === 'tool-output-error') texts.push(part.errorText)
            }
            return texts
          }
          assert.deepEqual(await errors(), ['An error occurred.', 'BLOCK 4'])
          assert.deepEqual(await errors(() => 'own'), ['own', 'BLOCK 4'])
          assert.equal(withBlockReason(() => 'own')(new Error('x')), 'own')
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
