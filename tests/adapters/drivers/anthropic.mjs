// Plays the scripted turns as Anthropic's servers would, to the real client: the
// tool runner, and the same checks again for loops written by hand.
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { LoopGuard } from 'loophound'
import { answerMessage, watchMessage, withLoopGuard } from 'loophound/anthropic'
import { again } from '../scenario/checks.mjs'
import { LADDER, NUDGE, STOPPED } from '../scenario/options.mjs'
import { assertEndedEarly, guardOf, impatientGuard } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

/** A client whose requests are answered here, with what the model says. */
function clientFor(answer) {
  const fetch = async (_url, { body, signal }) => {
    const request = JSON.parse(body)
    const content = await answer(request)
    if (!request.stream) return Response.json(messageOf(content))
    return new Response(ReadableStream.from(events(content, signal)), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return new Anthropic({ apiKey: 'none', maxRetries: 0, fetch })
}

const contentOf = ({ calls, text }) => [
  ...(text ? [{ type: 'text', text }] : []),
  ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
]

const messageOf = (content) => ({
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content,
  stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

async function* events(content, signal) {
  const encoder = new TextEncoder()
  const event = (type, data) =>
    encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const { stop_reason, ...message } = messageOf(Array.isArray(content) ? content : [])
  yield event('message_start', { message: { ...message, content: [], stop_reason: null } })
  let index = 0
  for (const block of Array.isArray(content) ? content : []) {
    const { text, input, ...rest } = block
    const empty = text === undefined ? { ...rest, input: {} } : { ...rest, text: '' }
    const delta =
      text === undefined
        ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
        : { type: 'text_delta', text }
    yield event('content_block_start', { index, content_block: empty })
    yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index })
    index += 1
  }
  if (!Array.isArray(content)) {
    yield event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    for await (const text of content) {
      // As a server does whose connection is closed.
      if (signal.aborted) return
      yield event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    }
    yield event('content_block_stop', { index: 0 })
  }
  yield event('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 1 },
  })
  yield event('message_stop', {})
}

async function* counted(sentences, pulled) {
  for (const sentence of sentences) {
    pulled.count += 1
    yield sentence
  }
}

const START = [{ role: 'user', content: 'go' }]
const REQUEST = { model: 'claude', max_tokens: 100 }

/** The user's tools, as the runner wants them. */
const runnable = (tools) =>
  Object.entries(tools).map(([name, run]) => ({
    name,
    input_schema: { type: 'object' },
    run: (args) => run(args),
    parse: (input) => input,
  }))

/** Prompts are noted as they were sent. */
function scripted(turns, prompts, quiet) {
  return clientFor(({ messages }) => {
    const turn = turns(prompts.length)
    prompts.push(quiet ? '' : JSON.stringify(messages))
    return contentOf(turn)
  })
}

const ofRunner = {
  lacks: { hooks: 'the tool runner has no hooks' },

  make({ guard: options, tools, stream = false, quiet = false, maxSteps = 12 }) {
    return {
      async run({ turns, resume }) {
        const prompts = []
        const client = scripted(turns, prompts, quiet)
        const guard = guardOf(options, resume)
        const messages = guard ? withLoopGuard(client.beta.messages, guard) : client.beta.messages
        const runner = messages.toolRunner({
          ...REQUEST,
          tools: runnable(tools),
          messages: resume?.messages ?? START,
          max_iterations: maxSteps,
          stream,
        })
        await runner
        const history = runner.params.messages
        return { prompts, messages: history, saved: guard && { messages: history, guard } }
      },
    }
  },

  async chant(sentences, guard = new LoopGuard()) {
    const pulled = { count: 0 }
    const client = clientFor(() => counted(sentences, pulled))
    const messages = withLoopGuard(client.beta.messages, guard)
    const { content } = await messages.toolRunner({
      ...REQUEST,
      tools: [],
      messages: START,
      stream: true,
    })
    return { text: content[0].text, pulled: pulled.count }
  },
}

const byHand = {
  lacks: ofRunner.lacks,

  make({ guard: options, tools, stream = false, quiet = false, maxSteps = 12 }) {
    return {
      async run({ turns, resume }) {
        const prompts = []
        const client = scripted(turns, prompts, quiet)
        const guard = guardOf(options, resume)
        const messages = resume?.messages ?? [...START]
        const run = ({ name, args }) => tools[name](args)
        for (let step = 0; step < maxSteps && (guard?.beginStep() ?? true); step++) {
          const message = await request({ client, messages, guard, stream })
          messages.push({ role: 'assistant', content: message.content })
          const reply = await (guard ? answerMessage(guard, message, run) : answer(message, run))
          if (!reply) break
          messages.push(reply)
        }
        return { prompts, messages, saved: guard && { messages, guard } }
      },
    }
  },

  async chant(sentences, guard = new LoopGuard()) {
    const pulled = { count: 0 }
    const client = clientFor(() => counted(sentences, pulled))
    const stream = await client.messages.create({ ...REQUEST, messages: START, stream: true })
    let text = ''
    for await (const { delta } of watchMessage(guard, stream)) text += delta?.text ?? ''
    return { text, pulled: pulled.count }
  },
}

async function request({ client, messages, guard, stream }) {
  const params = { ...REQUEST, messages: [...messages] }
  if (!stream) return client.messages.create(params)
  const events = client.messages.stream(params)
  if (guard) for await (const _ of watchMessage(guard, events));
  return events.finalMessage()
}

/** What a loop without the adapter does with the calls. */
async function answer({ content }, run) {
  const calls = content.filter(({ type }) => type === 'tool_use')
  if (calls.length === 0) return null
  const results = calls.map(async ({ id, name, input }) => {
    const result = { type: 'tool_result', tool_use_id: id }
    try {
      return { ...result, content: await run({ name, args: input }) }
    } catch (error) {
      return { ...result, content: `${error.name}: ${error.message}`, is_error: true }
    }
  })
  return { role: 'user', content: await Promise.all(results) }
}

/** The streams' own checks, until the engine finds chanting by itself. */
const cuts = (driver) => async () => {
  const guard = impatientGuard()
  const { text, pulled } = await driver.chant(Array(5000).fill('again '), guard)
  assert.ok(text.startsWith('again again again '), text)
  assert.ok(text.length < 100, 'the text ends early')
  assert.ok(pulled < 5000, 'the connection is closed')
}

export const driver = {
  ...ofRunner,

  async example() {
    const runner = await import('../examples/anthropic.mjs')
    const manual = await import('../examples/anthropic-messages.mjs')
    const turns = always({ name: 'read_file', args: { path: 'a.txt' } })
    for (const ask of [runner.ask, runner.askOrExplain, manual.ask]) {
      let asked = 0
      const looping = clientFor(() => contentOf(turns(asked++)))
      const answer = await ask(looping, 'What is in a.txt?')
      assertEndedEarly(asked)
      if (ask === runner.ask) assert.equal(answer, '')
      else assert.match(answer, STOPPED)
      const healthy = clientFor(() => contentOf(inTurn({ text: 'Hello.' })(0)))
      assert.equal(await ask(healthy, 'Hello?'), 'Hello.')
    }
  },

  checks: [
    ...again('by hand', byHand),
    { id: 'the runner cuts a stream', run: cuts(ofRunner) },
    { id: 'watchMessage cuts a stream', run: cuts(byHand) },
    {
      id: 'the runner can be iterated, and says when it is done',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const prompts = []
        const client = scripted(always(call('read')), prompts)
        const messages = withLoopGuard(client.beta.messages, guard)
        const tools = runnable({ read: () => 'x' })
        const runner = messages.toolRunner({ ...REQUEST, tools, messages: START })
        const seen = []
        const done = runner.done()
        for await (const message of runner) {
          seen.push(message)
          // What it keeps is what is sent.
          await runner.generateToolResponse()
        }
        assert.equal(seen.length, 5)
        assert.equal(await done, seen.at(-1))
        assert.equal(guard.stopped.action, 'stop')
        // A conversation that can go on: no call without its result.
        const { role, content } = runner.params.messages.at(-1)
        assert.deepEqual([role, content.at(-1).type], ['user', 'tool_result'])
      },
    },
    {
      id: 'who takes the conversation over keeps it',
      async run() {
        const play = async (guarded) => {
          const prompts = []
          const turns = inTurn({ calls: [call('read')] }, { calls: [call('read', 'b.txt')] })
          const client = scripted(turns, prompts)
          const messages = guarded ? withLoopGuard(client.beta.messages) : client.beta.messages
          let ran = 0
          const tools = runnable({ read: () => `${ran++}` })
          const runner = messages.toolRunner({ ...REQUEST, tools, messages: START })
          for await (const { content } of runner) {
            if (content[0].input?.path === 'a.txt') {
              runner.pushMessages({ role: 'user', content: 'Rather b.txt.' })
            }
          }
          return { prompts, ran }
        }
        assert.deepEqual(await play(true), await play(false))
      },
    },
    {
      id: 'an error of the API is told as without it',
      async run() {
        const fail = async (wrap) => {
          const client = new Anthropic({
            apiKey: 'none',
            maxRetries: 0,
            fetch: async () => Response.json({ error: { message: 'no' } }, { status: 400 }),
          })
          const messages = wrap(client.beta.messages)
          return messages
            .toolRunner({ ...REQUEST, tools: [], messages: START })
            .then(() => null, String)
        }
        const told = await fail((messages) => withLoopGuard(messages))
        assert.match(told, /400/)
        assert.equal(told, await fail((messages) => messages))
      },
    },
    {
      id: 'calls with arguments that the tool refuses are seen',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const prompts = []
        const client = scripted(always(call('read')), prompts)
        const parse = () => {
          throw new Error('path must be a number')
        }
        const tools = runnable({ read: () => 'x' }).map((tool) => ({ ...tool, parse }))
        await withLoopGuard(client.beta.messages, guard).toolRunner({
          ...REQUEST,
          tools,
          messages: START,
          max_iterations: 12,
        })
        assert.ok(prompts[3].includes(NUDGE))
        assert.equal(prompts.length, 5)
      },
    },
    {
      id: 'calls that the API runs itself',
      async run() {
        const tools = []
        const onVerdict = ({ tool }) => tools.push(tool)
        const guard = new LoopGuard({ detector: 'window', onVerdict })
        for (let n = 0; n < 3; n++) {
          const search = { id: `s${n}`, name: 'web_search', input: { query: 'x' } }
          guard.beginStep()
          const content = [{ type: 'server_tool_use', ...search }]
          assert.equal(await answerMessage(guard, { content }, () => 'x'), null)
        }
        assert.deepEqual(tools, ['web_search'])
        assert.ok(guard.shouldStop)
      },
    },
    {
      id: 'blocks that a tool gives back are passed on',
      async run() {
        const image = [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]
        const content = [{ type: 'tool_use', id: 'c', name: 'look', input: {} }]
        const reply = await answerMessage(new LoopGuard(), { content }, () => image)
        assert.deepEqual(reply.content, [{ type: 'tool_result', tool_use_id: 'c', content: image }])
      },
    },
  ],
}
