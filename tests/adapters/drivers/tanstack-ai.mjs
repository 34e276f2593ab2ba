// Plays the scripted turns through an adapter of our own: TanStack AI has no mock model to offer.
import assert from 'node:assert/strict'
import { chat, maxIterations, toolDefinition } from '@tanstack/ai'
import { BaseTextAdapter } from '@tanstack/ai/adapters'
import { LoopGuard } from 'loophound'
import { loopGuardMiddleware } from 'loophound/tanstack-ai'
import { z } from 'zod'
import { LADDER, STOPPED, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

/** Says what the turns say, and keeps what it was asked. */
class ScriptedAdapter extends BaseTextAdapter {
  name = 'scripted'

  constructor(turns, prompts, quiet = false) {
    super({}, 'scripted')
    this.turns = turns
    this.prompts = prompts
    this.quiet = quiet
  }

  async *chatStream({ messages, systemPrompts }) {
    const { calls, text } = this.turns(this.prompts.length)
    const instructions = { role: 'system', content: systemPrompts }
    this.prompts.push(this.quiet ? '' : JSON.stringify([tidy(messages), instructions]))
    yield { type: 'RUN_STARTED', runId: 'run', threadId: 'thread' }
    yield* spoken(text)
    for (const [index, { id: toolCallId, name: toolCallName, args }] of calls.entries()) {
      const delta = typeof args === 'string' ? args : JSON.stringify(args)
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName, toolName: toolCallName, index }
      yield { type: 'TOOL_CALL_ARGS', toolCallId, delta }
      yield { type: 'TOOL_CALL_END', toolCallId, toolCallName, toolName: toolCallName }
    }
    const finishReason = calls.length > 0 ? 'tool_calls' : 'stop'
    yield { type: 'RUN_FINISHED', runId: 'run', threadId: 'thread', finishReason }
  }
}

function* spoken(...pieces) {
  const texts = pieces.filter(Boolean)
  if (texts.length === 0) return
  yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
  for (const delta of texts) yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }
  yield { type: 'TEXT_MESSAGE_END', messageId: 'm' }
}

/** Streams sentences, one at a time. */
class ChantingAdapter extends BaseTextAdapter {
  name = 'chanting'
  pulled = 0

  constructor(sentences) {
    super({}, 'chanting')
    this.sentences = sentences
  }

  async *chatStream() {
    yield { type: 'RUN_STARTED', runId: 'run', threadId: 'thread' }
    for (const chunk of spoken(...this.sentences)) {
      if (chunk.delta) this.pulled += 1
      yield chunk
    }
    yield { type: 'RUN_FINISHED', runId: 'run', threadId: 'thread', finishReason: 'stop' }
  }
}

/** Without what differs from run to run by nature. */
const tidy = (value) =>
  JSON.parse(
    JSON.stringify(value, (key, inner) =>
      ['id', 'createdAt', 'timestamp', 'messageId', 'runId', 'threadId'].includes(key)
        ? undefined
        : inner,
    ),
  )

const toolSet = (tools, options) =>
  Object.entries(tools).map(([name, run]) =>
    toolDefinition({
      name,
      description: name,
      inputSchema: z.object({ path: z.string() }),
      ...options,
    }).server((args) => run(args)),
  )

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  const names = [
    ...['setup', 'onConfig', 'onStart', 'onIteration', 'onShouldContinue', 'onChunk'],
    ...['onBeforeToolCall', 'onAfterToolCall', 'onToolPhaseComplete', 'onFinish'],
  ]
  return { name: 'own', ...Object.fromEntries(names.map((name) => [name, counted(name)])) }
}

const GO = [{ role: 'user', content: 'go' }]

export const driver = {
  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps = 60 }) {
    const shared = guard && loopGuardMiddleware(guard)
    return {
      async run({ turns, thread = 'one', save = false, resume }) {
        const prompts = []
        const counts = {}
        const own = save || resume ? guardOf(guard, resume) : undefined
        const middleware = own ? loopGuardMiddleware(own) : shared
        let messages = resume?.messages ?? GO
        const keep = {
          name: 'keep',
          onShouldContinue: (context) => {
            messages = context.messages
          },
          onFinish: (context) => {
            messages = context.messages
          },
        }
        const options = {
          adapter: new ScriptedAdapter(turns, prompts, quiet),
          messages,
          threadId: thread,
          systemPrompts: ['Be careful.'],
          tools: toolSet(tools),
          agentLoopStrategy: maxIterations(maxSteps),
          middleware: [
            ...(middleware ? [middleware] : []),
            keep,
            ...(hooks ? [ownHooks(counts)] : []),
          ],
        }
        const chunks = []
        if (stream) for await (const chunk of chat(options)) chunks.push(chunk)
        else chunks.push(await chat({ ...options, stream: false }))
        return {
          prompts,
          messages: quiet ? [] : tidy([...messages, ...chunks]),
          hooks: counts,
          saved: own && { messages, guard: own.snapshot() },
        }
      },
    }
  },

  chant: (sentences) => chant(sentences),

  async example() {
    const { ask } = await import('../examples/tanstack-ai.mjs')
    const prompts = []
    const looping = always({ name: 'read_file', args: { path: 'a.txt' } })
    const question = [{ role: 'user', content: 'What is in a.txt?' }]
    assert.match(await ask(new ScriptedAdapter(looping, prompts), 'one', question), STOPPED)
    assertEndedEarly(prompts.length)
    const healthy = new ScriptedAdapter(inTurn({ text: 'Hello.' }), [])
    assert.equal(await ask(healthy, 'two', question), 'Hello.')
  },

  checks: [
    {
      id: 'every call has its result, the nudge is seen by the model only, and the client is told',
      async run() {
        const { chunks, prompts } = await play({ turns: always(call('read')) })
        const ids = (type) =>
          chunks.filter((chunk) => chunk.type === type).map(({ toolCallId }) => toolCallId)
        assert.equal(new Set(ids('TOOL_CALL_START')).size, 5)
        assert.deepEqual(ids('TOOL_CALL_RESULT'), [...new Set(ids('TOOL_CALL_START'))])
        assert.ok(!JSON.stringify(chunks).includes('NUDGE'))
        const [told] = chunks.filter(({ type, name }) => type === 'CUSTOM' && /^loop/.test(name))
        assert.equal(told.name, 'loophound.stopped')
        assert.match(told.value.summary, SUMMARY)
        const finished = chunks.findLastIndex(({ type }) => type === 'RUN_FINISHED')
        assert.ok(finished > chunks.indexOf(told), 'before the run is finished')
        assert.ok(prompts[3].includes('Be careful.'))
      },
    },
    {
      id: 'a thread goes on counting in the next run unless a person speaks',
      async run() {
        const prompts = []
        const middleware = loopGuardMiddleware({ detector: LADDER })
        const settings = { turns: always(call('read')), prompts, middleware }
        await play(settings)
        assert.equal(prompts.length, 5)
        await play(settings)
        assert.equal(prompts.length, 10)
        const messages = [...GO, { role: 'assistant', content: 'x' }]
        const { chunks } = await play({ ...settings, messages })
        assert.ok(!chunks.some(({ type }) => type === 'TOOL_CALL_START'), 'the run is aborted')
      },
    },
    {
      id: 'a strategy that ends the run leaves it unfinished',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const turns = (n) => always(call('read', `${n}.txt`))(n)
        const { prompts } = await play({ turns, guard, agentLoopStrategy: maxIterations(3) })
        assert.equal(prompts.length, 3)
        assert.equal(guard.outcome.state, 'running')
      },
    },
    {
      id: 'arguments that do not fit the schema are a loop, too',
      async run() {
        const { prompts } = await play({ turns: always({ name: 'read', args: { file: 1 } }) })
        assert.ok(prompts[3].includes('NUDGE 3'))
        assert.equal(prompts.length, 5)
      },
    },
    {
      id: 'a call that waits for an approval counts once',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const settings = { guard, toolOptions: { needsApproval: true } }
        const turns = inTurn({ calls: [call('read')] })
        const { chunks } = await play({ ...settings, turns })
        const { outcome, runId } = chunks.at(-1)
        const [{ id }] = outcome.interrupts
        const part = {
          type: 'tool-call',
          id: 'call_0_0',
          name: 'read',
          arguments: '{"path":"a.txt"}',
          state: 'approval-responded',
          approval: { id, needsApproval: true, approved: true },
        }
        const messages = [
          { id: 'u', role: 'user', parts: [{ type: 'text', content: 'go' }] },
          { id: 'a', role: 'assistant', parts: [part] },
        ]
        const approved = await play({
          ...settings,
          turns: inTurn(),
          messages,
          parentRunId: runId,
        })
        assert.ok(approved.prompts[0].includes('content of a.txt'))
        const { outcome: end } = guard
        assert.deepEqual([end.calls, end.turns, end.state], [1, 2, 'finished'])
      },
    },
    {
      id: 'a tool of the client: its results come with the next run',
      async run() {
        const words = 'ash birch cedar elm fir hazel larch maple oak pine'.split(' ')
        const ask = async (guard, answers) => {
          const prompts = []
          let messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', content: 'go' }] }]
          for (const output of answers) {
            const { chunks } = await play({
              turns: always(call('ask')),
              guard,
              prompts,
              messages,
              tools,
            })
            const { toolCallId: id } = chunks.find(({ type }) => type === 'TOOL_CALL_START') ?? {}
            if (id === undefined) return { prompts, chunks }
            const part = {
              type: 'tool-call',
              id,
              name: 'ask',
              arguments: '{"path":"a.txt"}',
              output,
            }
            messages = [...messages, { id, role: 'assistant', parts: [part] }]
          }
          return { prompts }
        }
        const tools = [
          toolDefinition({
            name: 'ask',
            description: 'ask',
            inputSchema: z.object({ path: z.string() }),
          }).client(),
        ]
        const actions = []
        const onVerdict = ({ action }) => actions.push(action)
        const fine = new LoopGuard({ onVerdict })
        await ask(
          fine,
          words.map((word, n) => `A ${word} stands at ${words[9 - n]} street, ${n} metres high.`),
        )
        assert.ok(!actions.includes('block'), `${actions}`)
        assert.equal(fine.outcome.turns, words.length)
        assert.deepEqual(fine.diagnose(), [])
        const guard = new LoopGuard({ detector: LADDER })
        const { prompts, chunks } = await ask(guard, Array(10).fill('the same'))
        assert.ok(JSON.stringify(prompts[3]).includes('NUDGE 3'))
        assert.equal(guard.outcome.state, 'stopped')
        assert.ok(chunks.some(({ name }) => name === 'loophound.stopped'))
      },
    },
    {
      id: 'text that is cut off aborts the run, with the reason',
      async run() {
        const reasons = []
        const own = { name: 'own', onAbort: (_, { reason }) => reasons.push(reason) }
        const { text, pulled } = await chant(Array(500).fill('again '), impatientGuard(), own)
        assert.ok(pulled <= 5, `${pulled} pieces`)
        assert.match(text, /^(again ){3,4}$/)
        assert.equal(reasons.length, 1)
      },
    },
  ],
}

/** A guarded run with one tool. */
async function play({
  turns,
  guard = { detector: LADDER },
  middleware = loopGuardMiddleware(guard),
  prompts = [],
  messages = GO,
  toolOptions,
  ...options
}) {
  const chunks = []
  const stream = chat({
    adapter: new ScriptedAdapter(turns, prompts),
    messages,
    threadId: 'one',
    systemPrompts: ['Be careful.'],
    tools: toolSet({ read: ({ path }) => `content of ${path}` }, toolOptions),
    agentLoopStrategy: maxIterations(20),
    middleware: [middleware],
    ...options,
  })
  for await (const chunk of stream) chunks.push(chunk)
  return { chunks, prompts }
}

async function chant(sentences, guard, ...others) {
  const adapter = new ChantingAdapter(sentences)
  const middleware = [loopGuardMiddleware(guard), ...others]
  let text = ''
  for await (const chunk of chat({ adapter, messages: GO, middleware })) {
    if (chunk.type === 'TEXT_MESSAGE_CONTENT') text += chunk.delta
  }
  return { text, pulled: adapter.pulled }
}
