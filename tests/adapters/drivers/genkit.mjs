// Plays the scripted turns through models that are defined for a run, as Genkit's own tests do.
import assert from 'node:assert/strict'
import { generateMiddleware, genkit, ToolInterruptError, z } from 'genkit'
import { logger } from 'genkit/logging'
import { LoopGuard } from 'loophound'
import { LoopStoppedError, loopGuard } from 'loophound/genkit'
import { LADDER, STOPPED, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, guardOf, impatientGuard } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

logger.setLogLevel('error')

const ENOUGH = 'enough steps'

/** Defines a model that says what the turns say, and keeps what it was asked. */
function scripted(ai, turns, prompts, { quiet = false, maxSteps = Number.POSITIVE_INFINITY } = {}) {
  const asked = { messages: [] }
  const supports = { multiturn: true, tools: true, systemRole: true, output: ['json', 'text'] }
  ai.defineModel({ name: 'scripted', supports }, async ({ messages }, sendChunk) => {
    asked.messages = messages
    if (prompts.length >= maxSteps) throw new Error(ENOUGH)
    const { calls, text } = turns(prompts.length)
    prompts.push(quiet ? '' : JSON.stringify(messages))
    const said = text ? [{ text }] : []
    if (text) sendChunk?.({ content: said })
    const called = calls.map(({ id, name, args }) => ({
      toolRequest: { name, ...(id && { ref: id }), input: args },
    }))
    return { message: { role: 'model', content: [...said, ...called] }, finishReason: 'stop' }
  })
  return asked
}

const toolSet = (ai, tools) =>
  Object.entries(tools).map(([name, run]) =>
    ai.defineTool(
      { name, description: name, inputSchema: z.object({ path: z.string() }) },
      async (args, context) => run(args, context),
    ),
  )

/** A user's middleware that tells the model of errors, which end a run in Genkit otherwise. */
const tellErrors = generateMiddleware({ name: 'tellErrors' }, () => ({
  tool: async (request, options, next) => {
    try {
      return await next(request, options)
    } catch (error) {
      const { name, ref } = request.toolRequest
      return { toolResponse: { name, ref, output: { error: error.message } } }
    }
  },
}))

/** Everything a user may pass; each counts how often it was called. */
function ownHooks(counts) {
  const counted = counter(counts)
  const pass = (request, options, next) => next(request, options)
  const hooks = () => ({
    generate: counted('generate', pass),
    model: counted('model', pass),
    tool: counted('tool', pass),
  })
  return [generateMiddleware({ name: 'own' }, hooks)(), counted('function', (r, next) => next(r))]
}

/** To the end, or to where the script has it break off. */
async function finish(running, asked) {
  try {
    return await running
  } catch (error) {
    if (!error.message.includes(ENOUGH)) throw error
    return { messages: asked.messages }
  }
}

export const driver = {
  make({ guard, tools, hooks = false, stream = false, quiet = false, maxSteps }) {
    const shared = guard && loopGuard(guard)
    return {
      async run({ turns, save = false, resume }) {
        const ai = genkit({})
        const prompts = []
        const counts = {}
        const own = save || resume ? guardOf(guard, resume) : undefined
        const middleware = own ? loopGuard(own) : shared
        const asked = scripted(ai, turns, prompts, { quiet, maxSteps })
        const options = {
          model: 'scripted',
          tools: toolSet(ai, tools),
          maxTurns: 100,
          use: [
            tellErrors(),
            ...(hooks ? ownHooks(counts) : []),
            ...(middleware ? [middleware] : []),
          ],
          ...(resume ? { messages: resume.messages } : { system: 'Be careful.', prompt: 'go' }),
        }
        const chunks = []
        const running = stream ? streamed(ai.generateStream(options), chunks) : ai.generate(options)
        const response = await finish(running, asked)
        return {
          prompts,
          messages: quiet ? [] : [...response.messages, ...chunks],
          output: response.text,
          hooks: counts,
          saved: own && { messages: response.messages, guard: own.snapshot() },
        }
      },
    }
  },

  chant: (sentences) => chant(sentences),

  async example() {
    const { startConversation } = await import('../examples/genkit.mjs')
    const prompts = []
    const looping = genkit({})
    scripted(looping, always({ name: 'read_file', args: { path: 'a.txt' } }), prompts)
    const stopped = await startConversation(looping, 'scripted')('What is in a.txt?')
    assert.match(stopped.text, STOPPED)
    assert.equal(stopped.stopped, true)
    assertEndedEarly(prompts.length)
    const healthy = genkit({})
    scripted(healthy, inTurn({ text: 'Hello.' }), [])
    const said = await startConversation(healthy, 'scripted')('Hello?')
    assert.deepEqual(said, { text: 'Hello.', stopped: false })
  },

  checks: [
    {
      id: 'the response tells why, every call has its result, and the nudge is seen by the model only',
      async run() {
        const { response, prompts } = await play({ turns: always(call('read')) })
        assert.match(response.text, SUMMARY)
        assert.equal(response.custom.loophound.state, 'stopped')
        const parts = response.messages.flatMap(({ content }) => content)
        const refs = (type) => parts.flatMap((part) => part[type]?.ref ?? [])
        assert.equal(refs('toolRequest').length, 5)
        assert.deepEqual(refs('toolResponse'), refs('toolRequest'))
        const text = JSON.stringify(response.messages)
        assert.ok(text.includes('BLOCK 4') && text.includes('STOP 5') && !text.includes('NUDGE'))
        assert.equal(JSON.parse(prompts[3]).at(-1).role, 'user')
      },
    },
    {
      id: 'a response that must meet a schema ends with an error',
      async run() {
        const output = { schema: z.object({ answer: z.string() }) }
        await assert.rejects(
          play({ turns: always(call('read')), options: { output } }),
          (error) => error instanceof LoopStoppedError && error.verdict.action === 'stop',
        )
        const turns = inTurn({ calls: [call('read')] }, { text: '{"answer":"x"}' })
        const { response } = await play({ turns, options: { output } })
        assert.deepEqual(response.output, { answer: 'x' })
      },
    },
    {
      id: 'calls without ids',
      async run() {
        const turns = (n) => ({ text: '', calls: [call('read'), call('read', `${n}.txt`)] })
        const { prompts } = await play({ turns })
        assert.ok(prompts[3].includes('NUDGE') === false, 'two calls in turns are no repetition')
        const alone = await play({ turns: () => ({ text: '', calls: [call('read')] }) })
        assert.equal(alone.prompts.length, 5)
        assert.ok(alone.prompts[3].includes('NUDGE 3'))
      },
    },
    {
      id: 'a call that waits for a person counts once, and its result is the real one',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const results = []
        const record = guard.detector.recordResult.bind(guard.detector)
        guard.detector.recordResult = (result) => {
          results.push(result.output)
          return record(result)
        }
        const read = (_, { resumed }) => {
          if (!resumed) throw new ToolInterruptError({ why: 'ask a person' })
          return 'approved'
        }
        const ai = genkit({})
        const prompts = []
        scripted(ai, inTurn({ calls: [call('read')] }), prompts)
        const [tool] = toolSet(ai, { read })
        const options = { model: 'scripted', tools: [tool], use: [loopGuard(guard)] }
        const waiting = await ai.generate({ ...options, prompt: 'go' })
        assert.equal(waiting.finishReason, 'interrupted')
        const restart = waiting.interrupts.map((part) => tool.restart(part, true))
        const { messages } = waiting
        const { text } = await ai.generate({ ...options, messages, resume: { restart } })
        assert.equal(text, 'done')
        assert.deepEqual(results, ['approved'])
        assert.deepEqual([guard.outcome.calls, guard.outcome.turns], [1, 2])
      },
    },
    {
      id: 'a call that a person answers has that answer as its result',
      async run() {
        const words = 'ash birch cedar elm fir hazel larch maple oak pine'.split(' ')
        const actions = []
        const guard = new LoopGuard({ onVerdict: ({ action }) => actions.push(action) })
        const ai = genkit({})
        const turns = inTurn(...words.map(() => ({ calls: [call('read')] })))
        scripted(ai, turns, [])
        const [tool] = toolSet(ai, {
          read: () => {
            throw new ToolInterruptError({ why: 'ask a person' })
          },
        })
        const options = { model: 'scripted', tools: [tool], use: [loopGuard(guard)] }
        let response = await ai.generate({ ...options, prompt: 'go' })
        for (const word of words) {
          const respond = response.interrupts.map((part) => tool.respond(part, word))
          const { messages } = response
          response = await ai.generate({ ...options, messages, resume: { respond } })
        }
        assert.equal(response.text, 'done')
        assert.deepEqual(actions, [])
        const { calls, turns: counted } = guard.outcome
        assert.deepEqual([calls, counted], [words.length, words.length + 1])
        assert.deepEqual(guard.diagnose(), [])
      },
    },
    {
      id: 'calls that are returned, and run with the same guard, belong to the step of their turn',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const ai = genkit({})
        scripted(ai, always(call('read')), [])
        const tools = toolSet(ai, { read: ({ path }) => path })
        const options = { model: 'scripted', tools, returnToolRequests: true }
        let messages = [{ role: 'user', content: [{ text: 'go' }] }]
        for (let n = 0; n < 5; n++) {
          const response = await ai.generate({ ...options, messages, use: [loopGuard(guard)] })
          const [{ toolRequest }] = response.toolRequests
          const { name, ref, input } = toolRequest
          const { run, reply } = guard.call({ id: ref, name, args: input })
          if (run) guard.result({ id: ref, output: 'x' })
          const toolResponse = { name, ref, output: reply ?? 'x' }
          messages = [...response.messages, { role: 'tool', content: [{ toolResponse }] }]
        }
        const { text } = await ai.generate({ ...options, messages, use: [loopGuard(guard)] })
        assert.match(text, SUMMARY)
        assert.equal(guard.outcome.turns, 5)
      },
    },
    {
      id: 'whoever reads the stream alone is told of a stop, too',
      async run() {
        const ai = genkit({})
        scripted(ai, always(call('read')), [])
        const { stream } = ai.generateStream({
          model: 'scripted',
          prompt: 'go',
          tools: toolSet(ai, { read: ({ path }) => path }),
          maxTurns: 20,
          use: [loopGuard({ detector: LADDER })],
        })
        let last
        for await (const { role, text } of stream) last = { role, text }
        assert.equal(last.role, 'model')
        assert.match(last.text, SUMMARY)
      },
    },
    {
      id: 'a tool that throws ends the run as without the adapter, and the guard has the error',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const results = []
        guard.result = (result) => results.push(result)
        const failing = { turns: always(call('read')), read: () => assert.fail('boom') }
        await assert.rejects(play({ ...failing, guard }), /boom/)
        assert.equal(results.length, 1)
        assert.match(results[0].output, /boom/)
      },
    },
    {
      id: 'text that is cut off ends the response with what was said',
      async run() {
        const guard = impatientGuard()
        const { text, response, pulled } = await chant(Array(500).fill('again '), guard)
        assert.equal(pulled, 4)
        assert.equal(text, 'again again again ')
        assert.equal(response.text, text)
        assert.equal(response.finishReason, 'other')
      },
    },
  ],
}

/** A guarded run with one tool. */
async function play({ turns, guard = { detector: LADDER }, read = ({ path }) => path, options }) {
  const ai = genkit({})
  const prompts = []
  scripted(ai, turns, prompts, { maxSteps: 9 })
  const response = await ai
    .generate({
      model: 'scripted',
      prompt: 'go',
      tools: toolSet(ai, { read }),
      maxTurns: 20,
      use: [loopGuard(guard)],
      ...options,
    })
    .catch((error) => {
      if (!error.message.includes(ENOUGH)) throw error
    })
  return { response, prompts }
}

async function streamed({ stream, response }, chunks) {
  for await (const { role, content } of stream) chunks.push({ role, content })
  return response
}

async function chant(sentences, guard) {
  const ai = genkit({})
  let pulled = 0
  ai.defineModel({ name: 'chanting' }, async (_, sendChunk) => {
    for (const text of sentences) {
      pulled += 1
      sendChunk({ content: [{ text }] })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { message: { role: 'model', content: [{ text: sentences.join('') }] } }
  })
  const options = { model: 'chanting', prompt: 'go', use: [loopGuard(guard)] }
  const { stream, response } = ai.generateStream(options)
  let text = ''
  for await (const chunk of stream) text += chunk.text
  return { text, response: await response, pulled }
}
