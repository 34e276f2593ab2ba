// The real SDK, which starts the real Claude Code, which asks a server of ours
// instead of Anthropic's. It has a home of its own, and no other connection.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as sdk from '@anthropic-ai/claude-agent-sdk'
import { LoopGuard } from 'loophound'
import { loopGuardHooks, withLoopGuard } from 'loophound/claude-agent'
import { z } from 'zod'
import { BLOCK, LADDER, NUDGE, SUMMARY } from '../scenario/options.mjs'
import { assertEndedEarly, counter } from '../scenario/runs.mjs'
import { always, call, inTurn } from '../scenario/turns.mjs'

const home = mkdtempSync(path.join(tmpdir(), 'loophound-claude-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** What the model says in each run; a run is told by the first part of the path. */
const models = new Map()

const server = createServer(async (request, response) => {
  const [, run, ...rest] = request.url.split(/[/?]/)
  let body = ''
  for await (const chunk of request) body += chunk
  const model = models.get(run)
  if (!model || !rest.includes('messages') || rest.includes('count_tokens')) {
    response.writeHead(404).end('{}')
    return
  }
  const { stream, ...asked } = JSON.parse(body)
  const content = model(asked)
  if (!stream) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(messageOf(content)))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const event of events(content)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()

let number = 0
const messageOf = (content) => ({
  id: `msg_${number++}`,
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

function* events(content) {
  const { stop_reason, ...message } = messageOf(content)
  yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } }
  for (const [index, { text, input, ...block }] of content.entries()) {
    const isText = block.type === 'text'
    const content_block = isText ? { ...block, text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(input) }
    yield { type: 'content_block_start', index, content_block }
    yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  const delta = { stop_reason, stop_sequence: null }
  yield { type: 'message_delta', delta, usage: { output_tokens: 1 } }
  yield { type: 'message_stop' }
}

const NAMED = (name) => `mcp__files__${name}`

const contentOf = ({ calls, text }, named = NAMED) => [
  ...(text ? [{ type: 'text', text }] : []),
  ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name: named(name), input: args })),
]

/** The user's tools, as a server within the SDK. */
const filesOf = (tools) =>
  sdk.createSdkMcpServer({
    name: 'files',
    version: '1.0.0',
    tools: Object.entries(tools).map(([name, run]) =>
      sdk.tool(name, name, { path: z.string() }, async (args) => ({
        content: [{ type: 'text', text: String(await run(args)) }],
      })),
    ),
  })

/** How Claude Code is started: with nothing of the machine's but the path to programs. */
function optionsFor(model, tools, more = {}) {
  const run = `run${models.size}`
  models.set(run, model)
  return {
    cwd: home,
    model: 'claude-sonnet-4-5',
    systemPrompt: 'Be brief.',
    settingSources: [],
    tools: [],
    ...(tools && { mcpServers: { files: filesOf(tools) }, allowedTools: ['mcp__files'] }),
    ...more,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}/${run}`,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      ...more.env,
    },
  }
}

/** Runs a query to its end; gives back its messages. */
async function play(query, options, prompt = 'go') {
  const messages = []
  try {
    for await (const message of query({ prompt, options })) messages.push(message)
  } catch (error) {
    // The SDK throws when the run ended by an error that it has told of already.
    if (!messages.some(({ type, is_error }) => type === 'result' && is_error)) throw error
  }
  return messages
}

/** What was said, and the results of calls. */
const conversation = (messages) =>
  messages.flatMap(({ type, message }) =>
    type === 'assistant' || type === 'user' ? [[type, message.content]] : [],
  )

const COUNTED = ['PreToolUse', 'PostToolUse', 'PostToolBatch', 'UserPromptSubmit', 'Stop']

/** The hooks of a user, who counts. */
function countingHooks(counts) {
  const counted = counter(counts)
  const nothing = async () => ({})
  return Object.fromEntries(COUNTED.map((name) => [name, [{ hooks: [counted(name, nothing)] }]]))
}

/** A model that says these turns, and notes what it was asked. */
function scripted(turns, prompts, quiet, named) {
  return ({ messages }) => {
    const turn = turns(prompts.length)
    prompts.push(quiet ? '' : JSON.stringify(messages))
    return contentOf(turn, named)
  }
}

/** A project whose settings have the command as a hook, and what its sessions leave behind. */
function projectWithHook(args = '') {
  const folder = mkdtempSync(path.join(home, 'project-'))
  const command = fileURLToPath(new URL('./cli.js', import.meta.resolve('loophound')))
  const state = path.join(folder, 'state')
  const example = new URL('../examples/claude-code-settings.json', import.meta.url)
  const text = readFileSync(example, 'utf8')
  const hook = `'${process.execPath}' '${command}' hook --state-dir '${state}'${args}`
  assert.ok(text.includes('npx loophound hook'))
  mkdirSync(path.join(folder, '.claude'))
  writeFileSync(
    path.join(folder, '.claude/settings.json'),
    text.replaceAll('npx loophound hook', JSON.stringify(hook).slice(1, -1)),
  )
  writeFileSync(path.join(folder, 'options.json'), JSON.stringify(LADDER))
  return { folder, state }
}

export const driver = {
  lacks: {
    resume: 'a session goes on when somebody speaks, and that begins anew',
    chant: 'hooks do not see text as it streams',
  },
  // Claude Code itself puts the context of a hook behind the last result, in the same text.
  addsToResults: true,
  // Each run starts Claude Code, which takes seconds: few runs with many strings, and time for them.
  patience: 300_000,
  strings: 30,
  bench: { warmUp: 1, rounds: 10 },

  make({ guard, tools, hooks, stream = false, quiet = false, maxSteps = 12 }) {
    const query = guard ? withLoopGuard(sdk.query, guard) : sdk.query
    return {
      async run({ turns }) {
        const [prompts, counts] = [[], {}]
        let started
        const model = scripted(turns, prompts, quiet)
        const options = optionsFor(
          (asked) => {
            started ??= process.hrtime.bigint()
            return model(asked)
          },
          tools,
          { maxTurns: maxSteps, includePartialMessages: stream },
        )
        if (hooks) options.hooks = countingHooks(counts)
        const messages = await play(query, options)
        const took = Number(process.hrtime.bigint() - started) / 1000
        return { prompts, messages: conversation(messages), hooks: counts, took }
      },
    }
  },

  async example() {
    const tools = { read: ({ path }) => `content of ${path}` }
    for (const file of ['claude-agent', 'claude-agent-hooks']) {
      const { ask } = await import(`../examples/${file}.mjs`)
      const prompts = []
      await ask('go', optionsFor(scripted(always(call('read')), prompts), tools))
      assertEndedEarly(prompts.length)
      const healthy = optionsFor(scripted(inTurn({ text: 'Hello.' }), []), tools)
      assert.equal(await ask('Hello?', healthy), 'Hello.')
    }
  },

  checks: [
    {
      id: 'why it stopped is told',
      async run() {
        const guard = new LoopGuard({ detector: LADDER })
        const options = optionsFor(scripted(always(call('read')), []), { read: () => 'x' })
        await play(sdk.query, { ...options, hooks: loopGuardHooks(guard) })
        assert.match(guard.outcome.summary, SUMMARY)
      },
    },
    {
      id: 'a prompt begins anew, in the session that was stopped',
      async run() {
        let ran = 0
        const query = withLoopGuard(sdk.query, { detector: LADDER })
        const options = optionsFor(scripted(always(call('read')), []), { read: () => `${++ran}` })
        const messages = await play(query, options)
        assert.equal(ran, 3)
        const { session_id: resume } = messages.at(-1)
        await play(query, { ...options, resume }, 'and again')
        assert.equal(ran, 6)
      },
    },
    {
      id: 'a subagent has a guard of its own: where it is stopped, the main thread goes on',
      async run() {
        let ran = 0
        const asked = { main: [], sub: [] }
        const read = { name: NAMED('read'), args: { path: 'a.txt' } }
        const launch = { description: 'x', prompt: 'SUBAGENT', subagent_type: 'reader' }
        const turns = {
          main: inTurn(
            { calls: [read] },
            { calls: [{ name: 'Agent', args: launch }] },
            { calls: [read] },
          ),
          sub: always(read),
        }
        const model = ({ messages }) => {
          const who = JSON.stringify(messages[0]).includes('SUBAGENT') ? 'sub' : 'main'
          const { calls, text } = turns[who](asked[who].length)
          asked[who].push(JSON.stringify(messages))
          const own = calls.map((one) => ({ ...one, id: `${who}_${one.id}` }))
          return contentOf({ calls: own, text }, (name) => name)
        }
        const verdicts = []
        const onVerdict = ({ action }, { guard }) => verdicts.push([action, /\//.test(guard.id)])
        const query = withLoopGuard(sdk.query, { detector: LADDER, onVerdict })
        const messages = await play(
          query,
          optionsFor(
            model,
            { read: () => `run ${++ran}` },
            {
              tools: ['Agent'],
              allowedTools: ['mcp__files', 'Agent'],
              agents: { reader: { description: 'Reads', prompt: 'Read.', tools: [NAMED('read')] } },
            },
          ),
        )
        assert.deepEqual(
          verdicts,
          ['nudge', 'block', 'stop'].map((action) => [action, true]),
        )
        assert.equal(ran, 2 + 3)
        assert.equal(asked.sub.length, 5)
        assert.ok(asked.sub[3].includes(NUDGE))
        assert.ok(!asked.main.join().includes(NUDGE))
        assert.equal(messages.at(-1).result, 'done')
      },
    },
    {
      id: 'Claude Code with the command as its hook: nudge, block, stop',
      async run() {
        let ran = 0
        const { folder, state } = projectWithHook(" --options 'options.json'")
        const prompts = []
        const options = optionsFor(
          scripted(always(call('read')), prompts),
          { read: () => `the same ${++ran && ''}` },
          { cwd: folder, settingSources: ['project'], maxTurns: 12 },
        )
        await play(sdk.query, options)
        assert.equal(ran, 3)
        assert.equal(prompts.length, 5)
        assert.ok(prompts[3].includes(NUDGE) && !prompts[2].includes(NUDGE))
        assert.ok(prompts[4].includes(BLOCK))
        assert.equal(readdirSync(state).filter((name) => name.endsWith('.json')).length, 1)
        assert.equal(readdirSync(state).length, 1, 'nothing else is left behind')
      },
    },
    {
      id: 'Claude Code with the command: built-in tools, and a healthy run that is untouched',
      async run() {
        const { folder } = projectWithHook()
        writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\n')
        const turns = inTurn(
          { calls: [{ name: 'Read', args: { file_path: path.join(folder, 'a.txt') } }] },
          { calls: [{ name: 'Read', args: { file_path: path.join(folder, 'none.txt') } }] },
        )
        const results = async (settingSources) => {
          const messages = await play(
            sdk.query,
            optionsFor(
              scripted(turns, [], false, (name) => name),
              undefined,
              {
                cwd: folder,
                settingSources,
                tools: ['Read'],
              },
            ),
          )
          return conversation(messages)
        }
        const guarded = await results(['project'])
        assert.ok(JSON.stringify(guarded).includes('two'))
        assert.deepEqual(guarded, await results([]))
      },
    },
  ],
}
