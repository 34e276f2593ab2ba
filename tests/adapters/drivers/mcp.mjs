// The real client and the real server, connected in memory. The agent is a loop
// written by hand: MCP has no model of its own. What differs between the majors is where the classes
// are, and that `callTool` took a schema before the options in version 1.
import assert from 'node:assert/strict'
import { LoopGuard } from 'loophound'
import { withLoopGuard } from 'loophound/mcp'
import { z } from 'zod'
import { LADDER, STOPPED } from '../scenario/options.mjs'
import { guardOf } from '../scenario/runs.mjs'
import { always } from '../scenario/turns.mjs'

const textsOf = ({ content }) => content.map(({ text }) => text)

export function mcpDriver({ Client, InMemoryTransport, McpServer, takesSchema, example }) {
  /** A server with these tools, and the client's end of the connection. */
  async function serverFor(tools) {
    const server = new McpServer({ name: 'files', version: '1.0.0' })
    for (const [name, run] of Object.entries(tools)) {
      const about = { description: name, inputSchema: z.object({ path: z.string() }) }
      server.registerTool(name, about, async (args) => {
        const answer = await run(args)
        return typeof answer === 'string' ? { content: [{ type: 'text', text: answer }] } : answer
      })
    }
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server.connect(far)
    return near
  }

  async function clientFor(tools, guard) {
    const bare = new Client({ name: 'agent', version: '1.0.0' })
    const client = guard ? withLoopGuard(bare, guard) : bare
    await client.connect(await serverFor(tools))
    return client
  }

  const read = (client, path = 'a.txt', options) =>
    client.callTool(
      ...[{ name: 'read', arguments: { path } }, ...(takesSchema ? [undefined] : []), options],
    )

  const driver = {
    // Nothing but calls goes over MCP.
    stops: false,
    lacks: {
      stream: 'the model is not part of MCP',
      hooks: 'an MCP client has no hooks around calls',
      chant: 'no text of the model goes over MCP',
    },

    make({ guard: options, tools, quiet = false, maxSteps = 12 }) {
      return {
        async run({ turns, resume }) {
          const guard = guardOf(options, resume)
          const client = await clientFor(tools, guard)
          const prompts = []
          const messages = resume?.messages ?? [{ role: 'user', content: 'go' }]
          for (let step = 0; step < maxSteps; step++) {
            const { calls, text } = turns(step)
            prompts.push(quiet ? '' : JSON.stringify(messages))
            messages.push({ role: 'assistant', text, calls })
            if (calls.length === 0) break
            const results = calls.map(({ name, args }) =>
              client.callTool({ name, arguments: args }),
            )
            messages.push({ role: 'tool', results: await Promise.all(results) })
          }
          await client.close()
          return { prompts, messages, saved: guard && { messages, guard } }
        },
      }
    },

    async example() {
      const { serve } = await import(`../examples/${example}.mjs`)
      const tools = { read: ({ path }) => `content of ${path}` }
      const turns = always({ name: 'read', arguments: { path: 'a.txt' } })
      let asked = 0
      const looping = await serve(await serverFor(tools), async () => turns(asked++).calls)
      assert.match(looping, STOPPED)
      assert.ok(asked > 2 && asked < 20, `${asked} model calls`)
      assert.equal(await serve(await serverFor(tools), async () => []), 'Done.')
    },

    checks: [
      {
        id: 'after a stop the repeated call stays refused, and another one begins anew',
        async run() {
          let ran = 0
          const guard = new LoopGuard({ detector: LADDER })
          const client = await clientFor({ read: () => `run ${++ran}` }, guard)
          const errors = []
          for (let n = 0; n < 8; n++) errors.push((await read(client)).isError ?? false)
          assert.deepEqual(errors, [false, false, false, true, true, true, true, true])
          assert.equal(ran, 3)
          assert.equal(guard.stopped?.action, 'stop')
          assert.deepEqual(textsOf(await read(client, 'b.txt')), ['run 4'])
          assert.equal(guard.stopped, null)
          assert.deepEqual(textsOf(await read(client)), ['run 5'])
        },
      },
      {
        id: 'a refused call never reaches the server, and its result is an error',
        async run() {
          const guard = new LoopGuard({ detector: LADDER })
          const client = await clientFor({ read: () => 'x' }, guard)
          for (let n = 0; n < 3; n++) await read(client)
          const refused = await read(client)
          assert.deepEqual(refused, { isError: true, content: [{ type: 'text', text: 'BLOCK 4' }] })
        },
      },
      {
        id: 'what is not text, and errors that the server reports, are results as well',
        async run() {
          const outcomes = []
          const guard = new LoopGuard()
          const result = guard.result.bind(guard)
          guard.result = (given) => {
            outcomes.push([given.ok, given.output])
            return result(given)
          }
          const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
          const answers = [
            { content: [image] },
            { content: [{ type: 'text', text: 'no such file' }], isError: true },
          ]
          const client = await clientFor({ read: () => answers.shift() }, guard)
          assert.deepEqual((await read(client)).content, [image])
          assert.equal((await read(client)).isError, true)
          assert.deepEqual(outcomes, [
            [true, [image]],
            [false, 'no such file'],
          ])
        },
      },
      {
        id: 'results that differ in their text or in their structured content are not the same',
        async run() {
          const words = 'ash birch cedar elm fir hazel larch maple oak pine rowan yew'.split(' ')
          const answers = [
            (word) => ({
              content: [{ type: 'text', text: word }],
              structuredContent: { ok: true },
            }),
            (word) => ({
              content: [{ type: 'text', text: 'see data' }],
              structuredContent: { word },
            }),
          ]
          for (const answer of answers) {
            const actions = []
            const guard = new LoopGuard({ onVerdict: ({ action }) => actions.push(action) })
            const left = [...words]
            const client = await clientFor({ read: () => answer(left.shift()) }, guard)
            for (const _ of words) await read(client)
            assert.deepEqual([left, actions], [[], []])
          }
          const same = {
            content: [{ type: 'text', text: '{ "a": 1 }' }],
            structuredContent: { a: 1 },
          }
          const guard = new LoopGuard()
          const client = await clientFor({ read: () => same }, guard)
          for (const _ of words) await read(client)
          assert.ok(guard.stopped)
        },
      },
      {
        id: 'the clients of one conversation share a guard, and its steps',
        async run() {
          const guard = new LoopGuard({ detector: LADDER })
          const slow = () => new Promise((resolve) => setTimeout(resolve, 5, 'slow'))
          const one = await clientFor({ read: () => 'fast' }, guard)
          const other = await clientFor({ read: slow }, guard)
          for (let n = 0; n < 8; n++)
            await Promise.all([read(one, `${n}.txt`), read(other, 'a.txt')])
          assert.deepEqual(guard.diagnose(), [])
          assert.deepEqual([guard.outcome.turns, guard.outcome.calls], [8, 16])
          await read(other, 'b.txt')
          for (let n = 0; n < 5; n++) await read(n % 2 ? one : other, 'c.txt')
          assert.ok(guard.stopped)
        },
      },
      {
        id: 'a call that is broken off, or that cannot be made, throws as without the adapter',
        async run() {
          const slow = () => new Promise((resolve) => setTimeout(resolve, 2000, 'late'))
          const failures = []
          for (const guard of [undefined, new LoopGuard()]) {
            const client = await clientFor({ read: slow }, guard)
            const abort = new AbortController()
            setTimeout(() => abort.abort(new Error('enough')), 20)
            failures.push(await read(client, 'a.txt', { signal: abort.signal }).catch(String))
            await client.close()
            failures.push(await read(client).catch(String))
          }
          assert.match(failures[0], /enough/)
          assert.match(failures[1], /Not connected/)
          assert.deepEqual(failures.slice(2), failures.slice(0, 2))
        },
      },
      {
        id: 'the rest of the client is as it was',
        async run() {
          const client = await clientFor({ read: () => 'x' }, new LoopGuard())
          assert.ok(client instanceof Client)
          assert.deepEqual(
            (await client.listTools()).tools.map(({ name }) => name),
            ['read'],
          )
          assert.equal(client.getServerVersion().name, 'files')
          const closed = new Promise((resolve) => {
            client.onclose = () => resolve('closed')
          })
          await client.close()
          assert.equal(await closed, 'closed')
        },
      },
    ],
  }

  return driver
}
