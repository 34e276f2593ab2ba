// Plays the scripted turns as OpenAI's servers would, to the real client: Chat
// Completions, and the same checks again for Responses. The loops are written by
// hand, as users of this adapter do.
import assert from 'node:assert/strict'
import { LoopGuard } from 'loophound'
import { answerChat, answerResponse, watchChat, watchResponse } from 'loophound/openai'
import OpenAI from 'openai'
import { again } from '../scenario/checks.mjs'
import { STOPPED } from '../scenario/options.mjs'
import { assertEndedEarly, guardOf, impatientGuard } from '../scenario/runs.mjs'
import { always, inTurn } from '../scenario/turns.mjs'

/** A client whose requests are answered here. */
function clientFor(answer) {
  const fetch = async (_url, { body }) => {
    const request = JSON.parse(body)
    const answered = answer(request)
    if (!request.stream) return Response.json(answered)
    return new Response(ReadableStream.from(events(answered)), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return new OpenAI({ apiKey: 'none', maxRetries: 0, fetch })
}

async function* events(items) {
  const encoder = new TextEncoder()
  for await (const item of items) {
    const name = item.type ? `event: ${item.type}\n` : ''
    yield encoder.encode(`${name}data: ${JSON.stringify(item)}\n\n`)
  }
  yield encoder.encode('data: [DONE]\n\n')
}

const chat = {
  answer({ calls, text }, { stream }) {
    const tool_calls = calls.map(({ id, name, args }, index) => ({
      ...(stream ? { index } : {}),
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }))
    const message = {
      role: 'assistant',
      content: text || null,
      ...(calls.length > 0 ? { tool_calls } : {}),
    }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    if (!stream) return { choices: [{ index: 0, message, finish_reason }] }
    return [
      { choices: [{ index: 0, delta: message }] },
      { choices: [{ index: 0, delta: {}, finish_reason }] },
    ]
  },

  /** One step: asks the model, runs its calls, adds to the messages; says whether to go on. */
  async step({ client, messages, guard, run, stream }) {
    const message = await chat.ask({ client, messages, guard, stream })
    const replies = guard
      ? await answerChat(guard, message, run)
      : await byHand(message.tool_calls ?? [], run, (id, content) => ({
          role: 'tool',
          tool_call_id: id,
          content,
        }))
    messages.push(message, ...replies)
    return Boolean(message.tool_calls)
  },

  async ask({ client, messages, guard, stream }) {
    const request = { model: 'gpt-5', messages: [...messages] }
    if (!stream) return (await client.chat.completions.create(request)).choices[0].message
    const chunks = await client.chat.completions.create({ ...request, stream })
    const message = { role: 'assistant', content: null }
    for await (const { choices } of guard ? watchChat(guard, chunks) : chunks) {
      const { content, tool_calls = [] } = choices[0].delta
      if (content) message.content = (message.content ?? '') + content
      for (const { index: _, ...one } of tool_calls) {
        message.tool_calls = [...(message.tool_calls ?? []), one]
      }
    }
    return message
  },

  async *chanting(sentences, pulled) {
    for (const content of sentences) {
      pulled.count += 1
      yield { choices: [{ index: 0, delta: { content } }] }
    }
  },
  textOf: ({ choices }) => choices[0].delta.content,
  watch: watchChat,
  stream: (client) => client.chat.completions.create({ model: 'x', messages: [], stream: true }),
}

const responses = {
  answer({ calls, text }, { stream }) {
    const output = [
      ...(text
        ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
        : []),
      ...calls.map(({ id, name, args }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(args),
      })),
    ]
    const response = { id: 'resp', object: 'response', output, output_text: text }
    if (!stream) return response
    return [
      ...(text ? [{ type: 'response.output_text.delta', delta: text }] : []),
      { type: 'response.completed', response },
    ]
  },

  async step({ client, messages, guard, run, stream }) {
    const response = await responses.ask({ client, messages, guard, stream })
    const calls = response.output.filter(({ type }) => type === 'function_call')
    const replies = guard
      ? await answerResponse(guard, response, run)
      : await byHand(
          calls.map((one) => ({ id: one.call_id, function: one })),
          run,
          (call_id, output) => ({ type: 'function_call_output', call_id, output }),
        )
    messages.push(...response.output, ...replies)
    return calls.length > 0
  },

  async ask({ client, messages, guard, stream }) {
    const request = { model: 'gpt-5', input: [...messages] }
    if (!stream) return client.responses.create(request)
    const events = await client.responses.create({ ...request, stream })
    let response
    for await (const event of guard ? watchResponse(guard, events) : events) {
      if (event.type === 'response.completed') response = event.response
    }
    return response
  },

  async *chanting(sentences, pulled) {
    for (const delta of sentences) {
      pulled.count += 1
      yield { type: 'response.output_text.delta', delta }
    }
  },
  textOf: ({ delta }) => delta,
  watch: watchResponse,
  stream: (client) => client.responses.create({ model: 'x', input: [], stream: true }),
}

/** What a loop without the adapter does with the calls. */
async function byHand(calls, run, reply) {
  return Promise.all(
    calls.map(async ({ id, function: { name, arguments: text } }) => {
      try {
        return reply(id, await run({ id, name, args: JSON.parse(text), text }))
      } catch (error) {
        return reply(id, `${error.name}: ${error.message}`)
      }
    }),
  )
}

function driverOf(api) {
  return {
    lacks: { hooks: 'a loop of your own has no hooks' },

    make({ guard: options, tools, stream = false, quiet = false, maxSteps = 12 }) {
      return {
        async run({ turns, resume }) {
          const prompts = []
          const client = clientFor((request) => {
            const turn = turns(prompts.length)
            prompts.push(quiet ? '' : JSON.stringify(request.messages ?? request.input))
            return api.answer(turn, request)
          })
          const guard = guardOf(options, resume)
          const messages = resume?.messages ?? [{ role: 'user', content: 'go' }]
          const run = ({ name, args }) => tools[name](args)
          for (let step = 0; step < maxSteps && (guard?.beginStep() ?? true); step++) {
            if (!(await api.step({ client, messages, guard, run, stream }))) break
          }
          return { prompts, messages, saved: guard && { messages, guard: guard.snapshot() } }
        },
      }
    },

    async chant(sentences, guard = new LoopGuard()) {
      const pulled = { count: 0 }
      const client = clientFor(() => api.chanting(sentences, pulled))
      let text = ''
      for await (const part of api.watch(guard, await api.stream(client))) text += api.textOf(part)
      return { text, pulled: pulled.count }
    },
  }
}

const ofChat = driverOf(chat)
const ofResponses = driverOf(responses)

/** The streams' own checks, until the engine finds chanting by itself. */
const cuts = (driver) => async () => {
  const guard = impatientGuard()
  const { text, pulled } = await driver.chant(Array(5000).fill('again '), guard)
  assert.equal(text, 'again again again again ')
  assert.ok(pulled < 5000, 'the connection is closed')
}

export const driver = {
  ...ofChat,

  async example() {
    for (const [api, file] of [
      [chat, 'openai'],
      [responses, 'openai-responses'],
    ]) {
      const { ask } = await import(`../examples/${file}.mjs`)
      let asked = 0
      const turns = always({ name: 'read_file', args: { path: 'a.txt' } })
      const looping = clientFor((request) => api.answer(turns(asked++), request))
      assert.match(await ask(looping, 'What is in a.txt?', []), STOPPED)
      assertEndedEarly(asked)
      const healthy = clientFor((request) => api.answer(inTurn({ text: 'Hello.' })(0), request))
      assert.equal(await ask(healthy, 'Hello?', []), 'Hello.')
    }
  },

  checks: [
    ...again('Responses', ofResponses),
    { id: 'watchChat cuts a stream', run: cuts(ofChat) },
    { id: 'watchResponse cuts a stream', run: cuts(ofResponses) },
    {
      id: 'calls that OpenAI runs itself',
      async run() {
        const kinds = []
        const guard = new LoopGuard({
          detector: 'window',
          onVerdict: ({ tool }) => kinds.push(tool),
        })
        for (let n = 0; n < 3; n++) {
          const search = { type: 'web_search_call', id: `ws_${n}`, action: { query: 'x' } }
          guard.beginStep()
          await answerResponse(guard, { output: [search] }, () => 'x')
        }
        assert.deepEqual(kinds, ['web_search_call'])
        assert.ok(guard.shouldStop)
      },
    },
    {
      id: 'custom tools take text',
      async run() {
        const seen = []
        const run = ({ name, args, text }) => seen.push([name, args, text])
        const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } }
        const [reply] = await answerChat(new LoopGuard(), { tool_calls: [custom] }, run)
        assert.equal(reply.tool_call_id, 'c')
        const item = { type: 'custom_tool_call', call_id: 'd', name: 'sql', input: 'select 2' }
        const [output] = await answerResponse(new LoopGuard(), { output: [item] }, run)
        assert.deepEqual([output.type, output.call_id], ['custom_tool_call_output', 'd'])
        assert.deepEqual(
          seen,
          [1, 2].map((n) => ['sql', `select ${n}`, `select ${n}`]),
        )
      },
    },
  ],
}
