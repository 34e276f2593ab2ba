// The real opencode, or Kilo, which asks a server of ours instead of a provider's. One program serves
// all runs, a session each. The program needs Bun, and the checks pass functions: so the plugin runs
// here, and one within the program hands over its hooks. The examples run within the program.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LoopGuard } from 'loophound'
import { loopGuardPlugin } from 'loophound/opencode'
import { sendChant, sendTurn } from '../scenario/chat-server.mjs'
import { BLOCK, LADDER, NUDGE, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const NAMED = (name) => (name.startsWith('suite_') || name === 'task' ? name : `suite_${name}`)
const READ = { read: ({ path }) => `content of ${path}` }

/** What Kilo puts into each of the user's messages. */
const MESSAGE_TIME = /(?<=Message time: )[\d:TZ-]+/g

/** Leaves out what differs from run to run by nature. */
const tidy = ({ info, parts }) => [
  info.role,
  parts.map(({ type, text, tool, callID, state }) => [
    type,
    text,
    tool,
    callID,
    state && [state.status, state.input, state.output, state.error],
  ]),
]

/**
 * @param {{ program: string, plugin: string, examples: string[], folder: string, createClient: Function }} host
 * The program, the package for those who write plugins, the examples to run, the folder of its
 * settings in a project, and what makes a client of its server.
 */
export async function driverFor({ program, plugin: helpers, examples, folder, createClient }) {
  const home = mkdtempSync(path.join(tmpdir(), 'loophound-opencode-'))
  /** The runs, by their sessions. */
  const sessions = new Map()
  const bridge = fileURLToPath(new URL('./opencode/bridge.mjs', import.meta.url))

  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    if (request.url === '/bridge') return response.end(JSON.stringify(await answerBridge(body)))
    // The program asks for titles and summaries of its own accord.
    if (!body.tools) return sendTurn(response, { calls: [], text: 'Title' })
    const run = sessions.get(request.headers['x-session']) ?? withoutBridge
    await run.model(body, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const origin = `http://127.0.0.1:${server.address().port}`
  /** The run of a program that has no bridge. */
  let withoutBridge

  const answers = {
    tool: async (name, session, args) => String(await sessions.get(session).tools[name](args)),
    hook: runHook,
    async events(inputs) {
      for (const input of inputs) await runHook('event', input)
    },
  }

  async function answerBridge([what, ...args]) {
    try {
      return { value: await answers[what](...args) }
    } catch (error) {
      return { error: error.message }
    }
  }

  async function runHook(name, input, output) {
    const session =
      input.sessionID ??
      input.event?.properties.sessionID ??
      input.event?.properties.part?.sessionID ??
      output?.messages?.at(-1)?.info.sessionID
    const run = sessions.get(session)
    if (!run) return output
    const answer = Promise.resolve(run.hooks?.[name]?.(input, output))
    run.answers.add(answer)
    run.counted(name)()
    await answer.finally(() => run.answers.delete(answer))
    if (input.event?.type === 'session.idle') run.idle()
    return output
  }

  /** The settings of a project. */
  const settings = (more) => ({
    autoupdate: false,
    share: 'disabled',
    model: 'suite/m',
    small_model: 'suite/m',
    permission: 'allow',
    provider: {
      suite: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: origin, apiKey: 'none' },
        models: {
          m: { tool_call: true, reasoning: true, limit: { context: 1_000_000, output: 1000 } },
        },
      },
    },
    ...more,
  })

  function projectWith(more = {}) {
    const project = mkdtempSync(path.join(home, 'project-'))
    writeFileSync(path.join(project, 'opencode.json'), JSON.stringify(settings(more)))
    writeFileSync(path.join(project, 'a.txt'), 'one\ntwo\n')
    return project
  }

  const start = (project, args) =>
    spawn(program, args, {
      cwd: project,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        SUITE_URL: `${origin}/bridge`,
        SUITE_PLUGIN: helpers,
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        KILO_DISABLE_AUTOUPDATE: '1',
        KILO_DISABLE_MODELS_FETCH: '1',
        KILO_DISABLE_LSP_DOWNLOAD: '1',
        KILO_DISABLE_PRESENCE: '1',
        KILO_DISABLE_SESSION_INGEST: '1',
        KILO_TELEMETRY_LEVEL: 'off',
        npm_config_offline: 'true',
        npm_config_fetch_retries: '0',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })

  const project = projectWith({ plugin: [`file://${bridge}`] })
  const served = start(project, ['serve', '--port', '0', '--hostname', '127.0.0.1'])
  served.unref()
  process.on('exit', () => {
    served.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  })
  const client = createClient({ baseUrl: await addressOf(served), directory: project })

  /** A model that says these turns, and notes what it was asked; at the last one, it is over. */
  function scripted(turns, prompts, { quiet = false, maxSteps = 80, named = NAMED } = {}) {
    return ({ messages }, response) => {
      const turn = prompts.length < maxSteps ? turns(prompts.length) : { calls: [], text: 'enough' }
      const asked = () => JSON.stringify(messages.filter(({ role }) => role !== 'system'))
      prompts.push(quiet ? '' : asked().replaceAll(MESSAGE_TIME, '…'))
      sendTurn(response, turn, named)
    }
  }

  const pluginFor = (guard) => (guard ? loopGuardPlugin({ client }, guard) : undefined)

  /** A session whose model says so. */
  async function open(model, { guard, plugin = pluginFor(guard), tools = READ } = {}) {
    const { data } = await client.session.create({ body: {}, throwOnError: true })
    const run = { id: data.id, model, tools, hooks: await plugin, counts: {}, answers: new Set() }
    run.counted = counter(run.counts)
    /** Does something that sets the session to work, and waits until it is over. */
    run.work = async (begin) => {
      const isIdle = new Promise((resolve) => {
        run.idle = resolve
      })
      const began = process.hrtime.bigint()
      await begin({ path: { id: run.id }, throwOnError: true })
      await isIdle
      run.took = Number(process.hrtime.bigint() - began) / 1000
      // What was begun at the end of the run, such as the notice.
      while (run.answers.size > 0) await Promise.allSettled(run.answers)
      const { data: messages } = await client.session.messages({ path: { id: run.id } })
      return messages
    }
    run.write = (text = 'go', more = {}) => {
      const body = { parts: [{ type: 'text', text, ...more }] }
      return run.work((session) => client.session.prompt({ ...session, body }))
    }
    sessions.set(run.id, run)
    return run
  }

  /** What the user is told at the end, in a message that no model sees. */
  const noticeIn = (messages) => messages.at(-1).parts.find(({ ignored }) => ignored)?.text

  /** Runs the program in a project that has one of the examples as its plugin. */
  async function runExample(example, model) {
    const own = projectWith()
    const plugins = path.join(own, folder, 'plugins')
    mkdirSync(plugins, { recursive: true })
    const file = fileURLToPath(new URL(`../examples/${example}.ts`, import.meta.url))
    copyFileSync(file, path.join(plugins, 'loophound.ts'))
    const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
    symlinkSync(packages, path.join(own, 'node_modules'))
    withoutBridge = { model }
    const child = start(own, ['run', 'go'])
    let printed = ''
    for await (const chunk of child.stdout) printed += chunk
    return printed
  }

  return {
    lacks: { resume: 'a session goes on when somebody writes, and that starts over' },
    // Each run is a session of a program that stores all it does.
    patience: 600_000,
    strings: 10,
    bench: { warmUp: 2, rounds: 20 },

    make({ guard, tools, hooks, quiet, maxSteps }) {
      const plugin = pluginFor(guard)
      return {
        async run({ turns }) {
          const prompts = []
          const model = scripted(turns, prompts, { quiet, maxSteps })
          const run = await open(model, { plugin, tools })
          const messages = await run.write()
          const { counts, took } = run
          return {
            prompts,
            messages: messages.map(tidy),
            hooks: hooks && countsOf(counts),
            output: noticeIn(messages),
            took,
          }
        },
      }
    },

    async chant(sentences) {
      let pulled = 0
      const model = (_, response) =>
        sendChant(response, sentences, () => {
          pulled += 1
        })
      const run = await open(model, { guard: {} })
      const messages = await run.write()
      const { parts } = messages.findLast(({ info }) => info.role === 'assistant')
      return { text: parts.map(({ text = '' }) => text).join(''), pulled }
    },

    async example() {
      for (const example of examples) {
        const prompts = []
        const read = { name: 'read', args: { filePath: 'none.txt' } }
        await runExample(example, scripted(always(read), prompts, { named: (name) => name }))
        assertEndedEarly(prompts.length)
        const hello = scripted(inTurn({ text: 'Hello.' }), [])
        assert.match(await runExample(example, hello), /Hello\./)
      }
    },

    checks: [
      {
        id: 'why it stopped is told in the session, and every call has its result',
        async run() {
          const prompts = []
          const model = scripted(always(call('read')), prompts)
          const run = await open(model, { guard: { detector: LADDER } })
          const messages = await run.write()
          assert.match(noticeIn(messages), SUMMARY)
          const tools = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool'))
          assert.deepEqual(
            tools.map(({ state }) => state.output ?? state.error),
            [...Array(3).fill('content of a.txt'), BLOCK, 'STOP 5'],
          )
        },
      },
      {
        id: 'a person who writes starts over, also after a stop; no model sees the notice',
        async run() {
          const prompts = []
          const model = scripted(always(call('read')), prompts)
          const run = await open(model, { guard: { detector: LADDER } })
          await run.write()
          assert.equal(prompts.length, 5)
          const messages = await run.write('again')
          assert.equal(prompts.length, 10)
          assert.ok(!prompts[5].includes('The run was stopped'))
          assert.match(noticeIn(messages), SUMMARY)
        },
      },
      {
        id: 'a program that writes does not start over',
        async run() {
          const prompts = []
          const turns = (n) => (n === 2 ? { calls: [], text: 'done' } : always(call('read'))(n))
          const run = await open(scripted(turns, prompts), { guard: { detector: LADDER } })
          await run.write()
          assert.equal(prompts.length, 3)
          await run.write('go on', { synthetic: true })
          assert.ok(prompts[4].includes(NUDGE), 'the third call is the first of this run')
        },
      },
      {
        id: 'a subagent has a guard of its own: where it is stopped, the main session goes on',
        async run() {
          const asked = { main: [], sub: [] }
          const launch = { description: 'x', prompt: 'SUBAGENT', subagent_type: 'general' }
          const turns = {
            main: inTurn({ calls: [call('read')] }, { calls: [{ name: 'task', args: launch }] }),
            sub: always(call('read')),
          }
          const model = (body, response) => {
            const own = body.messages.find(({ role }) => role === 'user')
            const who = JSON.stringify(own).includes('SUBAGENT') ? 'sub' : 'main'
            scripted(turns[who], asked[who])(body, response)
          }
          const run = await open(model, { guard: { detector: LADDER } })
          // The session of the subagent is told by its first event.
          const { event } = run.hooks
          run.hooks.event = (input) => {
            const { info } = input.event.properties
            if (info?.parentID === run.id) sessions.set(info.id, { ...run, idle() {} })
            return event(input)
          }
          const get = sessions.get.bind(sessions)
          sessions.get = (id) => get(id) ?? (id && run)
          const messages = await run.write().finally(() => {
            sessions.get = get
          })
          assert.equal(asked.sub.length, 5)
          assert.ok(asked.sub[3].includes(NUDGE))
          assert.ok(!asked.main.join().includes(NUDGE))
          assert.equal(messages.at(-1).parts.find(({ type }) => type === 'text').text, 'done')
        },
      },
      {
        id: 'a command that fails is a failure, and its steps count',
        async run() {
          const guard = new LoopGuard()
          const results = []
          const recordResult = guard.detector.recordResult.bind(guard.detector)
          guard.detector.recordResult = (result) => {
            results.push(result.ok)
            return recordResult(result)
          }
          const bash = (command) => ({ name: 'bash', args: { command, description: 'x' } })
          const turns = inTurn({ calls: [bash('exit 3')] }, { calls: [bash('true')] })
          const run = await open(scripted(turns, [], { named: (name) => name }), { guard })
          await run.write()
          assert.deepEqual(results, [false, true])
          assert.deepEqual([guard.outcome.calls, guard.outcome.turns], [2, 3])
        },
      },
      {
        id: 'a compacted session may read everything once more',
        async run() {
          let compacted = 0
          const guard = new LoopGuard({ detector: LADDER })
          const contextCompacted = guard.contextCompacted.bind(guard)
          guard.contextCompacted = () => {
            compacted += 1
            contextCompacted()
          }
          const run = await open(scripted(inTurn({ calls: [call('read')] }), []), { guard })
          await run.write()
          const body = { providerID: 'suite', modelID: 'm' }
          await run.work((session) => client.session.summarize({ ...session, body }))
          assert.equal(compacted, 1)
          assert.equal(guard.outcome.calls, 1)
        },
      },
      {
        id: 'a guard of yours, by session',
        async run() {
          const guards = new Map()
          const guard = ({ sessionId }) => {
            if (!guards.has(sessionId)) guards.set(sessionId, new LoopGuard({ detector: LADDER }))
            return guards.get(sessionId)
          }
          const run = await open(scripted(always(call('read')), []), { guard })
          await run.write()
          assert.equal(guards.get(run.id).outcome.state, 'stopped')
        },
      },
    ],
  }
}

/** Events are not counted: how many a stream has is a matter of time. */
const countsOf = ({ event: _, ...counts }) => counts

/** Returns where a program listens, as it prints that. */
async function addressOf(child) {
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    const found = /https?:\/\/[\d.]+:\d+/.exec(printed)
    if (found) return found[0]
  }
  throw new Error(`The program does not listen: ${printed}`)
}
