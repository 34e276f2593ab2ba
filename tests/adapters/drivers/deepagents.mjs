// deepagents makes agents of LangChain, with tools and middleware of its own around ours.
import assert from 'node:assert/strict'
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from 'deepagents'
import { loopGuardMiddleware } from 'loophound/langchain'
import { LADDER, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'
import { GO, makeWith, driver as ofLangChain, scripted, toolSet } from './langchain.mjs'

export const driver = {
  lacks: ofLangChain.lacks,

  // It has middleware around tools, and with that LangChain does not tell the model of errors.
  throwingToolEndsRun: true,

  make: makeWith(createDeepAgent),

  async example() {
    const { ask, makeAgent } = await import('../examples/deepagents.mjs')
    const prompts = []
    const looping = scripted(always({ name: 'read_page', args: { path: 'a.txt' } }), prompts)
    await ask(makeAgent(looping), 'What is on page a.txt?')
    assertEndedEarly(prompts.length)
    const healthy = makeAgent(scripted(inTurn({ text: 'Hello.' }), []))
    assert.equal(await ask(healthy, 'Hello?'), 'Hello.')
  },

  checks: [
    {
      id: 'a tool of deepagents itself, repeated',
      async run() {
        const prompts = []
        const agent = createDeepAgent({
          model: scripted(always({ name: 'ls', args: { path: '/' } }), prompts),
          middleware: [loopGuardMiddleware({ detector: LADDER })],
        })
        const { messages } = await agent.invoke(GO)
        assert.equal(prompts.length, 5)
        assert.match(messages.at(-1).content, /^ls was called 5 times in a row/)
      },
    },
    {
      id: 'a subagent with a middleware of its own is stopped, and the agent goes on',
      async run() {
        const [asked, askedBelow] = [[], []]
        const task = {
          name: 'task',
          args: { description: 'Read a.txt.', subagent_type: GENERAL_PURPOSE_SUBAGENT.name },
        }
        const agent = createDeepAgent({
          model: scripted(inTurn({ calls: [task] }), asked),
          middleware: [loopGuardMiddleware({ detector: LADDER })],
          subagents: [
            {
              ...GENERAL_PURPOSE_SUBAGENT,
              model: scripted(always(call('read')), askedBelow),
              tools: toolSet({ read: ({ path }) => path }),
              middleware: [loopGuardMiddleware({ detector: LADDER })],
            },
          ],
        })
        const { messages } = await agent.invoke(GO)
        assert.equal(askedBelow.length, 5)
        assert.match(messages.at(-2).content, SUMMARY)
        assert.equal(messages.at(-1).content, 'done')
        assert.equal(asked.length, 2)
      },
    },
  ],
}
