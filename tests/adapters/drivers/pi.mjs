// The real pi, which asks a server of ours instead of a provider's. Its package is a bundle that needs
// no other; the program beside it is run for the examples.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LoopGuard } from 'loophound'
import { loopGuardExtension } from 'loophound/pi'
import { sendChant, sendTurn } from '../scenario/chat-server.mjs'
import { LADDER, NUDGE, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter, WINDOW } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const bundle = new URL('./bundle/', import.meta.resolve('@earendil-works/pi-coding-agent'))
const pi = await import(new URL('./index.js', bundle))

const home = mkdtempSync(path.join(tmpdir(), 'loophound-pi-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** What the model says in each run; a run is told by the first part of the path. */
const models = new Map()

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  await models.get(request.url.split('/')[1])(JSON.parse(text), response)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()

/** The address of a model that answers so. */
function addressOf(answer) {
  const run = `run${models.size}`
  models.set(run, answer)
  return `http://127.0.0.1:${server.address().port}/${run}`
}

/** A model that says these turns, and notes what it was asked; at the last one, it is over. */
function scripted(turns, prompts, { quiet = false, maxSteps = 80, started = () => {} } = {}) {
  return ({ messages }, response) => {
    started()
    const turn = prompts.length < maxSteps ? turns(prompts.length) : { calls: [], text: 'enough' }
    prompts.push(quiet ? '' : JSON.stringify(messages))
    sendTurn(response, turn)
  }
}

const PROVIDER = {
  api: 'openai-completions',
  apiKey: 'none',
  models: [{ id: 'm', contextWindow: 1_000_000, maxTokens: 1000 }],
}

const modelsFile = (folder, baseUrl) => {
  const file = path.join(folder, 'models.json')
  writeFileSync(file, JSON.stringify({ providers: { suite: { ...PROVIDER, baseUrl } } }))
  return file
}

const modelRuntime = await pi.ModelRuntime.create({
  authPath: path.join(home, 'auth.json'),
  modelsPath: modelsFile(home, 'http://127.0.0.1:1'),
})

const toolOf = ([name, run]) => ({
  name,
  label: name,
  description: name,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  execute: async (_id, args) => ({
    content: [{ type: 'text', text: String(await run(args)) }],
    details: {},
  }),
})

/** A session with these extensions, and what it showed to the user. */
async function sessionWith(extensionFactories, answer, tools) {
  const notices = []
  const resourceLoader = new pi.DefaultResourceLoader({
    cwd: home,
    agentDir: home,
    settingsManager: pi.SettingsManager.inMemory(),
    extensionFactories,
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
    systemPrompt: 'Be brief.',
  })
  await resourceLoader.reload()
  const model = modelRuntime.getModel('suite', 'm')
  const { session } = await pi.createAgentSession({
    cwd: home,
    agentDir: home,
    modelRuntime,
    model: { ...model, baseUrl: addressOf(answer) },
    resourceLoader,
    noTools: 'builtin',
    customTools: Object.entries(tools).map(toolOf),
    sessionManager: pi.SessionManager.inMemory(home),
    settingsManager: pi.SettingsManager.inMemory({ retry: { enabled: false } }),
  })
  const notify = (text) => notices.push(text)
  await session.bindExtensions({ uiContext: { notify }, mode: 'rpc' })
  return { session, notices }
}

const extensionsOf = (guard) => (guard ? [(api) => loopGuardExtension(api, guard)] : [])

const COUNTED = ['input', 'turn_start', 'tool_call', 'tool_result', 'turn_end', 'agent_end']

/** An extension of the user's own, which counts how often it is called. */
const counting = (counts) => (api) => {
  const counted = counter(counts)
  for (const event of COUNTED) api.on(event, counted(event))
}

/** Without times, which differ from run to run by nature. */
const tidy = ({ role, content, stopReason, toolCallId, isError, customType }) => ({
  role,
  content,
  stopReason,
  toolCallId,
  isError,
  customType,
})

const READ = { read: ({ path }) => `content of ${path}` }

export const driver = {
  lacks: { resume: 'a session goes on when somebody writes, and that starts over' },

  make({ guard, tools, hooks, quiet, maxSteps }) {
    return {
      async run({ turns }) {
        const [prompts, counts] = [[], {}]
        let began
        const started = () => {
          began ??= process.cpuUsage()
        }
        const answer = scripted(turns, prompts, { quiet, maxSteps, started })
        const extensions = [...extensionsOf(guard), ...(hooks ? [counting(counts)] : [])]
        const { session, notices } = await sessionWith(extensions, answer, tools)
        await session.prompt('go')
        const { user, system } = process.cpuUsage(began)
        const messages = session.messages.map(tidy)
        session.dispose()
        return { prompts, messages, hooks: counts, output: notices[0], took: user + system }
      },
    }
  },

  async chant(sentences) {
    let pulled = 0
    const answer = (_, response) =>
      sendChant(response, sentences, () => {
        pulled += 1
      })
    const { session } = await sessionWith(extensionsOf({}), answer, {})
    await session.prompt('go')
    const { content } = session.messages.at(-1)
    session.dispose()
    return { text: content.map(({ text }) => text).join(''), pulled }
  },

  async example() {
    for (const file of ['pi', 'pi-options']) {
      const project = projectWith(file)
      const prompts = []
      const read = { name: 'read', args: { path: 'a.txt' } }
      await runProgram(project, scripted(always(read), prompts))
      assertEndedEarly(prompts.length)
      const hello = scripted(inTurn({ text: 'Hello.' }), [])
      assert.equal((await runProgram(project, hello)).trim(), 'Hello.')
    }
  },

  checks: [
    {
      id: 'why it stopped is shown and kept, and every call has its result',
      async run() {
        const answer = scripted(always(call('read')), [])
        const { session, notices } = await sessionWith(
          extensionsOf({ detector: LADDER }),
          answer,
          READ,
        )
        await session.prompt('go')
        assert.equal(notices.length, 1)
        assert.match(notices[0], SUMMARY)
        const entries = session.sessionManager.getEntries()
        const { data } = entries.findLast(({ customType }) => customType === 'loophound')
        assert.deepEqual([data.state, data.summary], ['stopped', notices[0]])
        const results = session.messages.filter(({ role }) => role === 'toolResult')
        assert.deepEqual(
          results.map(({ content }) => content[0].text),
          [...Array(3).fill('content of a.txt'), 'BLOCK 4', 'STOP 5'],
        )
        assert.equal(session.messages.at(-1).role, 'toolResult', 'no turn that was aborted')
        session.dispose()
      },
    },
    {
      id: 'a turn whose calls are not all refused ends the run as well',
      async run() {
        const prompts = []
        const turns = (n) => ({
          text: '',
          calls: [
            { id: `look ${n}`, ...call('look', `${n}.txt`) },
            { id: `read ${n}`, ...call('read') },
          ],
        })
        const tools = { ...READ, look: ({ path }) => path }
        const answer = scripted(turns, prompts)
        const { session, notices } = await sessionWith(
          extensionsOf({ detector: WINDOW }),
          answer,
          tools,
        )
        await session.prompt('go')
        assert.equal(prompts.length, 3)
        assert.equal(notices.length, 1)
        const results = session.messages.filter(({ role }) => role === 'toolResult')
        assert.equal(results.length, 6)
        session.dispose()
      },
    },
    {
      id: 'what a script calls is not what the model calls: it may poll',
      async run() {
        const warnings = []
        const guard = new LoopGuard({ onWarning: ({ code }) => warnings.push(code) })
        let ran = 0
        const script = (api) =>
          api.registerTool({
            ...toolOf(['script', () => '']),
            async execute(_id, { path }, _signal, _update, ctx) {
              const outcomes = []
              for (let times = 0; times < 40; times++) {
                outcomes.push(await ctx.executeTool('read', { path }))
              }
              const refused = outcomes.filter(({ isError }) => isError).length
              return { content: [{ type: 'text', text: `refused: ${refused}` }], details: {} }
            },
          })
        const turns = inTurn({ calls: [call('script')] })
        const { session } = await sessionWith(
          [...extensionsOf(guard), script],
          scripted(turns, []),
          {
            read: () => `not yet ${++ran}`,
          },
        )
        await session.prompt('go')
        const { content } = session.messages.find(({ role }) => role === 'toolResult')
        assert.equal(content[0].text, 'refused: 0')
        assert.equal(ran, 40)
        assert.deepEqual([guard.outcome.calls, warnings], [1, []])
        session.dispose()
      },
    },
    {
      id: 'a person who writes starts over, also after a stop',
      async run() {
        const prompts = []
        const answer = scripted(always(call('read')), prompts)
        const { session } = await sessionWith(extensionsOf({ detector: LADDER }), answer, READ)
        await session.prompt('go')
        assert.equal(prompts.length, 5)
        await session.prompt('go on')
        assert.equal(prompts.length, 10)
        session.dispose()
      },
    },
    {
      id: 'a compacted session may read everything once more',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        let compacted = 0
        const contextCompacted = guard.contextCompacted.bind(guard)
        guard.contextCompacted = () => {
          compacted += 1
          contextCompacted()
        }
        // What is summed up must be long enough to be worth it.
        const tools = { read: () => 'word '.repeat(100_000) }
        const answer = scripted(inTurn({ calls: [call('read')] }), [])
        const { session } = await sessionWith(extensionsOf(guard), answer, tools)
        await session.prompt('go')
        await session.compact()
        assert.deepEqual([compacted, guard.outcome.calls], [1, 1])
        session.dispose()
      },
    },
    {
      id: 'what other extensions add after a turn is kept',
      async run() {
        const prompts = []
        const other = (api) =>
          api.on('turn_end', ({ entries }) => ({
            entries: [
              ...entries,
              { type: 'custom_message', customType: 'other', content: 'OTHER', display: false },
            ],
          }))
        const turns = inTurn(...Array(4).fill({ calls: [call('read')] }))
        const extensions = [other, ...extensionsOf({ detector: LADDER })]
        const { session } = await sessionWith(extensions, scripted(turns, prompts), READ)
        await session.prompt('go')
        assert.ok(prompts[3].includes(NUDGE))
        assert.equal(prompts[3].split('OTHER').length, 4)
        session.dispose()
      },
    },
    {
      id: 'a guard of yours, by session',
      async run() {
        const guards = new Map()
        const source = ({ sessionId }) => {
          if (!guards.has(sessionId)) guards.set(sessionId, new LoopGuard({ detector: LADDER }))
          return guards.get(sessionId)
        }
        const answer = scripted(always(call('read')), [])
        const { session } = await sessionWith(extensionsOf(source), answer, READ)
        await session.prompt('go')
        assert.equal(guards.get(session.sessionId).outcome.state, 'stopped')
        session.dispose()
      },
    },
  ],
}

/** A project with one of the examples as its extension. */
function projectWith(example) {
  const folder = mkdtempSync(path.join(home, 'project-'))
  const extensions = path.join(folder, '.pi/extensions')
  mkdirSync(extensions, { recursive: true })
  const file = fileURLToPath(new URL(`../examples/${example}.ts`, import.meta.url))
  copyFileSync(file, path.join(extensions, 'loophound.ts'))
  symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    path.join(folder, 'node_modules'),
  )
  writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\n')
  return folder
}

/** Runs the program in a project; returns what it printed. */
async function runProgram(folder, answer) {
  modelsFile(folder, addressOf(answer))
  const options = ['--print', '--model', 'suite/m', '--no-session', '--approve', '--offline']
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./cli.js', bundle)), ...options, 'go'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, PI_CODING_AGENT_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  return printed
}
