// Plays the scripted turns through the SDK's own scripted model.
import assert from 'node:assert/strict'
import * as bare from '@openai/agents'
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
} from '@openai/agents/testing'
import { LoopStoppedError, withLoopGuard } from 'loophound/openai-agents'
import { z } from 'zod'
import { LADDER, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

bare.setTracingDisabled(true)

const TURNS = 60

/** The SDK's scripted model, saying what the turns say, and keeping what it was asked. */
function scripted(turns, prompts, quiet = false) {
  const answer = ({ request }) => {
    const { calls, text } = turns(prompts.length)
    const instructions = { role: 'system', content: request.systemInstructions }
    prompts.push(quiet ? '' : JSON.stringify([request.input, instructions]))
    return [
      ...(text ? [assistantMessage(text)] : []),
      ...calls.map(({ id, name, args, item }) => item ?? functionCall(name, args, { callId: id })),
    ]
  }
  return new ScriptedModel(Array.from({ length: TURNS }, () => modelResponder(answer)))
}

const SCHEMA = z.object({ path: z.string() })

const toolSet = ({ tool }, tools) =>
  Object.entries(tools).map(([name, run]) =>
    tool({ name, description: name, parameters: SCHEMA, execute: (args) => run(args) }),
  )

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  const allow = async () => ({ behavior: { type: 'allow' } })
  return {
    tool: {
      inputGuardrails: [{ name: 'in', run: counted('inputGuardrail', allow) }],
      outputGuardrails: [{ name: 'out', run: counted('outputGuardrail', allow) }],
    },
    agent: {
      toolUseBehavior: counted('toolUseBehavior', () => ({
        isFinalOutput: false,
        isInterrupted: undefined,
      })),
    },
    run: { callModelInputFilter: counted('callModelInputFilter', ({ modelData }) => modelData) },
    listen(emitter, whose) {
      const events = ['agent_start', 'agent_end', 'agent_tool_start', 'agent_tool_end']
      for (const event of events) emitter.on(event, counted(`${whose} ${event}`))
    },
  }
}

async function streamed(running) {
  const result = await running
  for await (const _ of result);
  await result.completed
  return result
}

/** To the end, or to where the script has it break off. */
async function finish(running) {
  try {
    return await running
  } catch (error) {
    if (!(error instanceof bare.MaxTurnsExceededError)) throw error
    return { state: error.state, history: error.state.history ?? [] }
  }
}

export const driver = {
  lacks: { chant: 'guardrails and filters do not see text as it streams' },

  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = TURNS }) {
    const guarded = guard ? withLoopGuard(bare, guard) : bare
    return {
      async run({ turns, save = false, resume }) {
        const prompts = []
        const counts = {}
        const user = hooks ? ownHooks(counts) : undefined
        const own = save || resume ? guardOf(guard, resume) : undefined
        const sdk = own ? withLoopGuard(bare, own) : guarded
        const { Agent, Runner, tool } = sdk
        const agent = new Agent({
          name: 'Agent',
          model: scripted(turns, prompts, quiet),
          tools: Object.entries(tools).map(([name, run]) =>
            tool({
              name,
              description: name,
              parameters: SCHEMA,
              execute: (args) => run(args),
              ...user?.tool,
            }),
          ),
          ...user?.agent,
        })
        const runner = new Runner({ tracingDisabled: true })
        user?.listen(agent, 'agent')
        user?.listen(runner, 'runner')
        const input = resume ? await bare.RunState.fromString(agent, resume.state) : 'go'
        const options = { maxTurns: maxSteps, ...user?.run }
        const running = stream
          ? streamed(runner.run(agent, input, { ...options, stream: true }))
          : runner.run(agent, input, options)
        const result = await finish(running)
        return {
          prompts,
          messages: quiet ? [] : result.history,
          output: result.finalOutput,
          hooks: counts,
          saved: own && { state: result.state.toString(), guard: own.snapshot() },
        }
      },
    }
  },

  async example() {
    const { ask } = await import('../examples/openai-agents.mjs')
    const { answer } = await import('../examples/openai-agents-conversation.mjs')
    const prompts = []
    const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
    await ask(scripted(looping, prompts), 'What is in a.txt?')
    assertEndedEarly(prompts.length)
    const healthy = inTurn({ text: 'Hello.' })
    assert.equal(await ask(scripted(healthy, []), 'Hello?'), 'Hello.')
    const session = new bare.MemorySession()
    const reply = await answer(scripted(healthy, []), session, { id: 'one' }, 'Hello?')
    assert.equal(reply, 'Hello.')
  },

  checks: [
    {
      id: 'the final output tells why a run was stopped, and every call has its result',
      async run() {
        const { finalOutput, history } = await play({ turns: always(call('read')) })
        assert.match(finalOutput, SUMMARY)
        const asked = history.filter(({ type }) => type === 'function_call')
        const given = history.filter(({ type }) => type === 'function_call_result')
        assert.deepEqual(
          given.map(({ callId }) => callId),
          asked.map(({ callId }) => callId),
        )
        assert.deepEqual(
          given.slice(3).map(({ output }) => output.text),
          ['BLOCK 4', 'STOP 5'],
        )
      },
    },
    {
      id: '`run`, also streamed, as well as a Runner',
      async run() {
        for (const stream of [false, true]) {
          const prompts = []
          const { Agent, run, tool } = withLoopGuard(bare, { detector: LADDER })
          const agent = new Agent({
            name: 'Agent',
            model: scripted(always(call('read')), prompts),
            tools: toolSet({ tool }, { read: () => 'x' }),
          })
          assert.ok(agent instanceof bare.Agent)
          const result = await run(agent, 'go', { stream })
          if (stream) await streamed(result)
          assert.match(result.finalOutput, SUMMARY)
          assert.equal(result.lastAgent, agent)
          assert.equal(prompts.length, 5)
        }
      },
    },
    {
      id: 'an agent whose output has a schema ends with an error',
      async run() {
        const prompts = []
        await assert.rejects(
          play({
            turns: always(call('read')),
            prompts,
            agent: { outputType: z.object({ answer: z.string() }) },
          }),
          (error) => error instanceof LoopStoppedError && error.verdict.action === 'stop',
        )
        assert.equal(prompts.length, 5)
      },
    },
    {
      id: 'a guarded agent that is run by the plain runner warns, once',
      async run() {
        const warnings = []
        const onWarning = ({ code, remedy }) => warnings.push([code, remedy.length > 0])
        const sdk = withLoopGuard(bare, { detector: LADDER, onWarning })
        const agent = new sdk.Agent({
          name: 'Agent',
          model: scripted(inTurn(...Array(3).fill({ calls: [call('read')] })), []),
          tools: toolSet(sdk, { read: () => 'x' }),
        })
        assert.equal((await bare.run(agent, 'go')).finalOutput, 'done')
        assert.deepEqual(warnings, [['unguarded-runner', true]])
      },
    },
    {
      id: 'behaviours of an agent stay what they are',
      async run() {
        const { Agent } = withLoopGuard(bare)
        const own = () => ({ isFinalOutput: false, isInterrupted: undefined })
        for (const toolUseBehavior of [
          'run_llm_again',
          'stop_on_first_tool',
          { stopAtToolNames: ['read'] },
          own,
        ]) {
          const agent = Agent.create({ name: 'Agent', toolUseBehavior })
          assert.equal(agent.toolUseBehavior, toolUseBehavior)
          assert.equal(agent.clone({ name: 'Other' }).toolUseBehavior, toolUseBehavior)
        }
        const { finalOutput } = await play({
          turns: always(call('read')),
          agent: { toolUseBehavior: 'stop_on_first_tool' },
        })
        assert.equal(finalOutput, 'content of a.txt')
      },
    },
    {
      id: 'a session holds what it holds without the adapter',
      async run() {
        const kept = async (guard, turns, prompts = []) => {
          const session = new bare.MemorySession()
          await play({ guard, turns, prompts, options: { session } })
          return session.getItems()
        }
        const work = inTurn({ calls: [call('read')] }, { calls: [call('read', 'b.txt')] })
        const plain = await kept(null, work)
        assert.ok(plain.length > 4)
        assert.deepEqual(await kept({ detector: LADDER }, work), plain)
        const prompts = []
        const looped = await kept({ detector: LADDER }, always(call('read')), prompts)
        assert.ok(prompts[3].includes('NUDGE'))
        assert.ok(!JSON.stringify(looped).includes('NUDGE'), 'the nudge is not kept')
      },
    },
    {
      id: 'a handoff stays in the run',
      async run() {
        const prompts = []
        const sdk = withLoopGuard(bare, { detector: LADDER })
        const tools = toolSet(sdk, { read: ({ path }) => path })
        const model = scripted(
          (n) =>
            n === 1
              ? { text: '', calls: [{ id: 'h', name: 'transfer_to_Second', args: {} }] }
              : always(call('read'))(n),
          prompts,
        )
        const second = new sdk.Agent({ name: 'Second', model, tools })
        const first = sdk.Agent.create({ name: 'First', model, tools, handoffs: [second] })
        const { finalOutput, lastAgent } = await sdk.run(first, 'go')
        assert.equal(lastAgent, second)
        assert.match(finalOutput, /^read was called/)
      },
    },
    {
      id: 'an agent that is used as a tool has a run of its own',
      async run() {
        const prompts = []
        const warnings = []
        const onWarning = ({ code }) => warnings.push(code)
        const sdk = withLoopGuard(bare, { detector: LADDER, onWarning })
        const inner = new sdk.Agent({
          name: 'Inner',
          model: scripted(
            (n) => (n % 2 === 0 ? always(call('read'))(n) : { calls: [], text: 'inner' }),
            [],
          ),
          tools: toolSet(sdk, { read: ({ path }) => path }),
        })
        const outer = new sdk.Agent({
          name: 'Outer',
          model: scripted(
            inTurn(
              ...Array.from({ length: 6 }, (_, n) => ({
                calls: [{ name: 'ask', args: { input: `question ${n}` } }],
              })),
            ),
            prompts,
          ),
          tools: [inner.asTool({ toolName: 'ask', toolDescription: 'asks' })],
        })
        const { finalOutput } = await sdk.run(outer, 'go')
        assert.equal(finalOutput, 'done')
        assert.ok(!prompts.join().includes('NUDGE'))
        assert.deepEqual(warnings, [], 'its run is known not to be watched')
      },
    },
    {
      id: 'an approved call goes on in its run',
      async run() {
        let ran = 0
        const prompts = []
        const sdk = withLoopGuard(bare, { detector: LADDER })
        const read = sdk.tool({
          name: 'read',
          description: 'read',
          parameters: SCHEMA,
          needsApproval: true,
          execute: () => {
            ran += 1
            return 'x'
          },
        })
        const model = scripted(always(call('read')), prompts)
        const agent = new sdk.Agent({ name: 'Agent', model, tools: [read] })
        let result = await sdk.run(agent, 'go')
        while (result.interruptions?.length > 0) {
          for (const item of result.interruptions) result.state.approve(item)
          result = await sdk.run(agent, result.state)
        }
        assert.deepEqual([ran, prompts.length], [3, 5])
        assert.match(result.finalOutput, SUMMARY)
      },
    },
    {
      id: 'hosted calls, and tools that were made without the adapter, are seen',
      async run() {
        const tools = []
        const { finalOutput } = await play({
          guard: {
            detector: WINDOW,
            onVerdict: ({ tool }) => tools.push(tool),
          },
          turns: (n) => ({
            text: '',
            calls: [
              {
                item: {
                  type: 'hosted_tool_call',
                  id: `ws_${n}`,
                  name: 'web_search_call',
                  status: 'completed',
                  arguments: '{"query":"x"}',
                },
              },
              { id: `r${n}`, ...call('read', `${n}.txt`) },
            ],
          }),
        }).catch((error) => ({ finalOutput: error.name }))
        assert.deepEqual([tools[0], finalOutput], ['web_search_call', 'LoopStoppedError'])
        const prompts = []
        const sdk = withLoopGuard(bare, { detector: LADDER })
        const agent = new sdk.Agent({
          name: 'Agent',
          model: scripted(always(call('read')), prompts),
          tools: toolSet(bare, { read: () => 'x' }),
        })
        await assert.rejects(sdk.run(agent, 'go'), LoopStoppedError)
        assert.ok(prompts[3].includes('NUDGE'))
        assert.equal(prompts.length, 5)
      },
    },
  ],
}

/** A guarded run with a tool that answers. */
async function play({ turns, prompts = [], guard = { detector: LADDER }, agent = {}, options }) {
  const sdk = guard ? withLoopGuard(bare, guard) : bare
  return sdk.run(
    new sdk.Agent({
      name: 'Agent',
      model: scripted(turns, prompts),
      tools: toolSet(sdk, { read: ({ path }) => `content of ${path}` }),
      ...agent,
    }),
    'go',
    { maxTurns: 20, ...options },
  )
}
