/** The hook in each host's dialect: what it is sent, and whether the host can use its answers. */

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'
import { copilotInSnakeCase, HOST_EVENTS, type HostEvents, type Step } from './host-events.js'
import { type Event, loophound, recording, stateIn, temporaryFolder } from './run.js'
import { type HookServer, serveHooks } from './serve.js'

const folder = temporaryFolder()

/** Speaks at the 3rd identical call, refuses the 4th, ends the run at the 5th. */
const options = path.join(folder, 'options.json')
const rungs = [
  { at: 3, action: 'nudge', level: 'notice' },
  { at: 4, action: 'block', level: 'warning' },
  { at: 5, action: 'stop', level: 'critical' },
]
const off = ['fuzzy-repeat', 'test-fix', 'failure-cascade', 'summary'].map((kind) => [kind, false])
writeFileSync(
  options,
  JSON.stringify({
    preset: 'nudge',
    detectors: {
      'exact-repeat': { threshold: 3, climb: 'count', rungs },
      ...Object.fromEntries(off),
    },
    messages: {
      'exact-repeat': {
        notice: 'NUDGE {count}',
        warning: 'BLOCK {count}',
        critical: 'STOP {count}',
      },
    },
  }),
)

type Host = keyof typeof HOST_EVENTS

/** The fields that name a session. */
const SESSION = ['session_id', 'sessionId', 'conversation_id']

/** The name of an event; Copilot's input does not tell it. */
function nameOf(event: Event): string {
  if (typeof event.hook_event_name === 'string') return event.hook_event_name
  if (!('toolName' in event)) return 'another'
  if ('toolResult' in event) return 'postToolUse'
  return 'error' in event ? 'postToolUseFailure' : 'preToolUse'
}

/** Returns a function that checks an answer against the host's schema. */
function checkerOf(host: Host): (event: Event, answer: Event) => void {
  const text = readFileSync(inRoot(`tests/cli/schemas/${host}.json`), 'utf8')
  const { definitions } = JSON.parse(text)
  const ajv = new Ajv()
  return (event, answer) => {
    const name = nameOf(event)
    const schema = definitions[name] ?? { type: 'object', additionalProperties: false }
    expect(ajv.validate(schema, answer), `${name}: ${JSON.stringify(answer)}`).toBe(true)
  }
}

/** What an answer says, in one word and its text. */
function said(answer: Event): string | null {
  const output = (answer.hookSpecificOutput ?? answer) as Event
  const { permissionDecisionReason, additionalContext, additional_context } = output
  const denied = permissionDecisionReason ?? answer.agent_message ?? answer.reason
  if (denied !== undefined) return `deny ${denied}`
  const nudge = additionalContext ?? additional_context
  if (nudge !== undefined) return `nudge ${nudge}`
  return answer.continue === false ? 'stop' : null
}

const isRefused = (answer: Event) => said(answer)?.startsWith('deny') ?? false

/** Plays steps of failing calls; a refused call has no result. Returns what was said in each. */
async function play(
  { send }: Pick<HookServer, 'send'>,
  check: (event: Event, answer: Event) => void,
  events: HostEvents,
  steps: readonly (readonly Step[])[],
  change: (event: Event) => Event = (event) => event,
): Promise<string[][]> {
  const told: string[][] = []
  for (const step of steps) {
    const words: string[] = []
    const tell = async (event: Event | null) => {
      if (!event) return {}
      const sent = change(event)
      const [answer = {}] = await send([sent])
      check(sent, answer)
      const word = said(answer)
      if (word) words.push(word)
      return answer
    }
    const run: Step[] = []
    for (const at of step) if (!isRefused(await tell(events.call(at)))) run.push(at)
    for (const at of run) await tell(events.failure(at))
    for (const event of events.endOfStep(step)) await tell(event)
    told.push(words)
  }
  return told
}

const single = (count: number, from = 1): Step[][] =>
  Array.from({ length: count }, (_, index) => [{ step: from + index, place: 0 }])

/** Starts a process for each event, as a host does. */
function processes(...args: string[]): Pick<HookServer, 'send'> {
  return {
    async send(events) {
      const answers: Event[] = []
      for (const event of events) {
        const { stdout } = await loophound(['hook', ...args], JSON.stringify(event))
        answers.push(JSON.parse(stdout))
      }
      return answers
    },
  }
}

/** How a stopped run goes on: most hosts end it at the next opportunity. */
const STOPS: Readonly<Record<Host, readonly string[]>> = {
  'claude-code': ['deny STOP 5', 'stop'],
  codex: ['deny STOP 5'],
  'qwen-code': ['deny STOP 5', 'stop'],
  'gemini-cli': ['deny STOP 5', 'stop'],
  copilot: ['deny STOP 5'],
  cursor: ['deny STOP 5'],
}

describe.each(Object.keys(HOST_EVENTS) as Host[])('%s', (host) => {
  const events: HostEvents = HOST_EVENTS[host]
  const check = checkerOf(host)
  let sessions = 0
  /** A server with sessions of its own. */
  const serve = (...args: string[]) =>
    serveHooks('--state-dir', path.join(folder, `${host}-${sessions++}`), ...args)

  it('healthy: is recognized by its events, and left alone while nothing is wrong', async () => {
    const { send } = await serve()
    const answers = await send(events.healthy)
    expect(answers).toEqual(events.healthy.map(() => ({})))
    const place = path.join(folder, `${host}-${sessions - 1}`)
    const states = stateIn(place).states.map((name) =>
      JSON.parse(readFileSync(path.join(place, name), 'utf8')),
    )
    expect(states).toMatchObject([{ host }])
    expect(states[0].calls).toBeGreaterThan(0)
    expect(states[0].results).toBeGreaterThan(0)
  })

  it('eight identical failures are found by the default preset, and told in words it takes', async () => {
    const server = await serve('--host', host)
    const told = (await play(server, check, events, single(8))).flat()
    expect(told.filter((word) => word.startsWith('nudge')).length).toBeGreaterThan(0)
    expect(told.filter((word) => word.startsWith('deny')).length).toBeGreaterThan(0)
  })

  it('loop: is nudged, refused and stopped in its own way', async () => {
    const server = await serve('--host', host, '--options', options)
    const told = await play(server, check, events, single(6))
    expect(told).toEqual([[], [], ['nudge NUDGE 3'], ['deny BLOCK 4'], STOPS[host], STOPS[host]])
  })

  it('parallel: equal calls of one step are one decision', async () => {
    const server = await serve('--host', host, '--options', options)
    const three = (step: number) => [0, 1, 2].map((place) => ({ step, place }))
    expect(await play(server, check, events, [three(1), three(2)])).toEqual([[], []])
    expect((await play(server, check, events, [three(3)])).flat()).toEqual(['nudge NUDGE 3'])
    // They are refused together: the model must read the reason before anything worse happens.
    const [refused = [], stopped = []] = await play(server, check, events, [three(4), three(5)])
    expect(refused).toEqual(three(4).map(() => 'deny BLOCK 4'))
    expect(stopped.slice(0, 3)).toEqual(three(5).map(() => 'deny STOP 5'))
  })

  it('throws: a nudge quotes the error of the tool', async () => {
    const server = await serve('--host', host)
    const [nudge] = (await play(server, check, events, single(8))).flat()
    const error = host === 'claude-code' ? 'expected 3, got 4' : 'No such file or directory'
    expect(nudge).toMatch(/^nudge/)
    expect(nudge).toContain(error)
  })

  it('apart: two sessions at once do not count together', async () => {
    const server = await serve('--host', host, '--options', options)
    const inSession = (name: string) => (event: Event) => ({
      ...event,
      ...Object.fromEntries(
        SESSION.filter((field) => field in event).map((field) => [field, name]),
      ),
    })
    const told = { one: [] as string[], other: [] as string[] }
    for (let step = 1; step <= 3; step++) {
      const steps = single(1, step)
      told.one.push(...(await play(server, check, events, steps, inSession('one'))).flat())
      if (step === 2) continue
      told.other.push(...(await play(server, check, events, steps, inSession('other'))).flat())
    }
    expect(told).toEqual({ one: ['nudge NUDGE 3'], other: [] })
  })

  it('resume: another process goes on where one ended', async () => {
    const place = ['--host', host, '--options', options]
    const state = ['--state-dir', path.join(folder, `${host}-${sessions}`)]
    await play(await serve(...place), check, events, single(2))
    const told = await play(processes(...place, ...state), check, events, single(2, 3))
    expect(told).toEqual([['nudge NUDGE 3'], ['deny BLOCK 4']])
  })

  it('observe: every answer is empty, whatever happens', async () => {
    const server = await serve('--host', host, '--options', options, '--observe')
    expect((await play(server, check, events, single(6))).flat()).toEqual([])
    expect(await server.send([events.end])).toEqual([{}])
  })

  it.runIf(STOPS[host].includes('stop'))('outcome: what ends the run says why', async () => {
    const server = await serve('--host', host, '--options', options)
    const reasons: unknown[] = []
    const read = (event: Event, answer: Event) => {
      check(event, answer)
      if (answer.continue === false) reasons.push(answer.stopReason)
    }
    await play(server, read, events, single(5))
    expect(reasons).toEqual([
      expect.stringMatching(/ was called 5 times .* The run was stopped\.$/),
    ])
  })

  it('parallel calls whose events overtake one another are one decision', async () => {
    const { send } = await serve('--host', host, '--options', options)
    const told: (string | null)[][] = []
    for (const step of [1, 2, 3]) {
      const [one, two, three] = [0, 1, 2].map((place) => ({ step, place })) as [Step, Step, Step]
      const sent = [
        ...[events.call(one), events.call(two), events.failure(one), events.call(three)],
        ...[events.failure(three), events.failure(two), ...events.endOfStep([one, two, three])],
      ].filter((event) => event !== null)
      told.push((await send(sent)).map(said).filter((word) => word !== null))
    }
    expect(told).toEqual([[], [], ['nudge NUDGE 3']])
  })

  it('a result that never comes hides no loop', async () => {
    const server = await serve('--host', host)
    const [lost = {}] = events.look(0)
    await server.send([lost])
    const told = (await play(server, check, events, single(9))).flat()
    expect(told.filter((word) => word.startsWith('nudge')).length).toBeGreaterThan(0)
    expect(told.filter((word) => word.startsWith('deny')).length).toBeGreaterThan(0)
  })

  it('starts over when a person speaks', async () => {
    const server = await serve('--host', host, '--options', options)
    await play(server, check, events, single(2))
    expect(await server.send([events.prompt])).toEqual([{}])
    expect(await play(server, check, events, single(2, 3))).toEqual([[], []])
    expect((await play(server, check, events, single(1, 5))).flat()).toEqual(['nudge NUDGE 3'])
  })

  it('has a guard for each subagent', async () => {
    const server = await serve('--host', host, '--options', options)
    await play(server, check, events, single(2))
    const inSubagent = (steps: Step[][]) => play(server, check, events, steps, events.inSubagent)
    expect(await inSubagent(single(2, 11))).toEqual([[], []])
    expect((await inSubagent(single(1, 13))).flat()).toEqual(['nudge NUDGE 3'])
  })

  it('passes compaction on: the model may have to read again', async () => {
    /** Reads until something is said, at most so often; returns how often that was. */
    const readUntilTold = async ({ send }: HookServer, most: number) => {
      for (let step = 1; step <= most; step++) {
        if ((await send(events.look(step))).some((answer) => said(answer))) return step
      }
      return null
    }
    const step = await readUntilTold(await serve('--host', host), 12)
    expect(step).not.toBeNull()
    const server = await serve('--host', host)
    expect(await readUntilTold(server, (step ?? 0) - 1)).toBeNull()
    expect(await server.send([events.compaction])).toEqual([{}])
    const again = await server.send(events.look(step ?? 0))
    expect(again).toEqual(again.map(() => ({})))
  })
})

describe('ids that do not match', () => {
  it('of older versions of qwen-code are matched by name and arguments', async () => {
    const events: HostEvents = HOST_EVENTS['qwen-code']
    const server = await serveHooks(
      ...['--host', 'qwen-code', '--options', options],
      ...['--state-dir', path.join(folder, 'old-qwen')],
    )
    const withoutCallId = ({ tool_call_id: _, ...event }: Event): Event => {
      const calls = event.tool_calls as Event[] | undefined
      return calls ? { ...event, tool_calls: calls.map(withoutCallId) } : event
    }
    const check = checkerOf('qwen-code')
    const told = await play(server, check, events, single(4), withoutCallId)
    expect(told).toEqual([[], [], ['nudge NUDGE 3'], ['deny BLOCK 4']])
  })
})

describe('a step whose results are reported one by one, and in a batch', () => {
  it('counts once, though the ids of qwen-code differ in each', async () => {
    const events: HostEvents = HOST_EVENTS['qwen-code']
    const server = await serveHooks(
      ...['--host', 'qwen-code', '--options', options],
      ...['--state-dir', path.join(folder, 'all-of-qwen')],
    )
    const told: (string | null)[] = []
    for (const step of [1, 2, 3]) {
      const at = { step, place: 0 }
      const { tool_call_id: _, ...call } = events.call(at)
      const [batch, ...rest] = events.endOfStep([at])
      const [finished] = (batch?.tool_calls ?? []) as Event[]
      const failure = {
        ...call,
        hook_event_name: 'PostToolUseFailure',
        tool_use_id: `another_${step}`,
        error: 'cat: missing.txt: No such file or directory',
      }
      const { tool_use_id: __, ...byName } = finished ?? {}
      const all = [call, failure, { ...batch, tool_calls: [byName] }, ...rest]
      told.push(...(await server.send(all)).map(said).filter((word) => word !== null))
      expect([step, told]).toEqual([step, step < 3 ? [] : ['nudge NUDGE 3']])
    }
  })
})

describe('calls that qwen-code only reports in batches', () => {
  const events: HostEvents = HOST_EVENTS['qwen-code']
  /** A step whose only call has arguments that the tool does not take. */
  const step = (number: number): Event[] => {
    const [batch, ...rest] = events.endOfStep([{ step: number, place: 0 }])
    return [batch ?? {}, ...rest]
  }

  it.each([1, 2])('are found, each reported %i times', async (times) => {
    const { send } = await serveHooks(
      ...['--host', 'qwen-code', '--options', options],
      ...['--state-dir', path.join(folder, `unreported-${times}`)],
    )
    // From the first call of the model on, its calls end the steps.
    await send(events.healthy)
    const told: (string | null)[][] = []
    for (const number of [1, 2, 3]) {
      const sent = step(number).flatMap((event) => Array.from({ length: times }, () => event))
      told.push((await send(sent)).map(said).filter((word) => word !== null))
    }
    expect(told).toEqual([[], [], ['nudge NUDGE 3']])
  })
})

describe('a result without text', () => {
  it('is empty for qwen-code, as it is for others: pressing a key again is no loop', async () => {
    const events: HostEvents = HOST_EVENTS['qwen-code']
    const { send } = await serveHooks('--state-dir', path.join(folder, 'without-text'))
    const press = { tool_name: 'computer', tool_input: { action: 'key', text: 'Tab' } }
    const screen = (event: Event): Event => {
      const calls = event.tool_calls as Event[] | undefined
      const response_parts = [{ functionResponse: { response: { output: '' } } }]
      return {
        ...event,
        ...('tool_name' in event && press),
        ...(calls && {
          tool_calls: calls.map((call) => ({
            ...call,
            ...press,
            ...{ status: 'success', tool_response: { response_parts } },
          })),
        }),
      }
    }
    for (let step = 1; step <= 9; step++) {
      const at = { step, place: 0 }
      const sent = [events.call(at), ...events.endOfStep([at])].map(screen)
      expect([step, await send(sent)]).toEqual([step, sent.map(() => ({}))])
    }
  })
})

describe('results that are marked as errors', () => {
  const failing: readonly (readonly [string, Host, (event: Event) => Event])[] = [
    [
      'of an MCP server in Codex',
      'codex',
      (event) => ({
        ...event,
        tool_response: { isError: true, content: [{ type: 'text', text: 'boom' }] },
      }),
    ],
    [
      'of an MCP server in Cursor',
      'cursor',
      ({ error_message: _, ...event }) => ({
        ...event,
        hook_event_name: 'postToolUse',
        tool_output: '{"isError":true,"content":[{"type":"text","text":"boom"}]}',
      }),
    ],
    [
      'by the last line of early versions of Copilot',
      'copilot',
      (event) => ({
        ...event,
        toolResult: { resultType: 'success', textResultForLlm: 'boom\n<exited with exit code 1>' },
      }),
    ],
  ]

  it.each(failing)('%s: eight are refused', async (name, host, change) => {
    const server = await serveHooks('--host', host, '--state-dir', path.join(folder, name))
    const events: HostEvents = HOST_EVENTS[host]
    const changed: HostEvents = { ...events, failure: (at) => change(events.failure(at) ?? {}) }
    const told = (await play(server, checkerOf(host), changed, single(8))).flat()
    expect(told.filter((word) => word.startsWith('deny')).length).toBeGreaterThan(0)
  })
})

describe("Copilot's events in snake case, which hooks named PreToolUse get", () => {
  const events = copilotInSnakeCase()
  const check = (event: Event, answer: Event) => {
    const names: Event = { PreToolUse: 'preToolUse', PostToolUse: 'postToolUse' }
    const { hook_event_name: name } = event
    checkerOf('copilot')({ hook_event_name: names[name as string] }, answer)
  }

  it('are recognized, and a healthy run is left alone', async () => {
    const place = path.join(folder, 'snake-healthy')
    const { send } = await serveHooks('--state-dir', place)
    expect(await send(events.healthy)).toEqual(events.healthy.map(() => ({})))
    const [state] = stateIn(place).states.map((name) =>
      JSON.parse(readFileSync(path.join(place, name), 'utf8')),
    )
    expect(state).toMatchObject({ host: 'copilot', calls: 3, results: 3 })
  })

  it.each([[[]], [['--host', 'copilot']]])('are read with %j: nudge, refuse', async (args) => {
    const place = path.join(folder, `snake-${args.length}`)
    const server = await serveHooks(...args, '--options', options, '--state-dir', place)
    const told = await play(server, check, events, single(6))
    const stop = 'deny STOP 5'
    expect(told).toEqual([[], [], ['nudge NUDGE 3'], ['deny BLOCK 4'], [stop], [stop]])
    expect(await server.send([events.end, events.prompt])).toEqual([{}, {}])
    expect(await play(server, check, events, single(2, 7))).toEqual([[], []])
  })

  it('tell a failing tool from one that works', async () => {
    const { send } = await serveHooks('--state-dir', path.join(folder, 'snake-failing'))
    const failure = recording('copilot-snake-case').find(
      ({ hook_event_name: name }) => name === 'PostToolUseFailure',
    )
    const { error: _, ...call }: Event = { ...failure, hook_event_name: 'PreToolUse' }
    const told: string[] = []
    for (let step = 1; step <= 8; step++) {
      for (const answer of await send([call, failure ?? {}])) told.push(said(answer) ?? '')
    }
    expect(told.filter((word) => word.startsWith('nudge'))[0]).toContain('failed the same way')
    expect(told.some((word) => word.startsWith('deny'))).toBe(true)
  })
})

describe('an exit code beside the output', () => {
  const codex: HostEvents = HOST_EVENTS.codex
  const responses: readonly (readonly [string, unknown])[] = [
    ['of a shell', { stdout: '2 migrations are pending', stderr: '', exit_code: 1 }],
    ['in camel case', { stdout: '2 migrations are pending', stderr: '', exitCode: 1 }],
    ['in metadata', { output: '2 migrations are pending', metadata: { exit_code: 1 } }],
    ['of a block marked as an error', { is_error: true, content: [{ type: 'text', text: 'no' }] }],
  ]

  it.each(responses)(
    '%s shows that Codex reports a failure: eight are refused',
    async (name, tool_response) => {
      const server = await serveHooks('--state-dir', path.join(folder, `exit ${name}`))
      const failing: HostEvents = {
        ...codex,
        failure: (at) => ({ ...codex.failure(at), tool_response }),
      }
      const told = (await play(server, checkerOf('codex'), failing, single(8))).flat()
      expect(told.map((word) => word.split(' ')[0])).toEqual(['nudge', 'nudge', 'deny'])
    },
  )
})

describe('failures that Codex does not report to hooks', () => {
  const codex: HostEvents = HOST_EVENTS.codex
  const FAILED =
    'apply_patch verification failed: Failed to read file to update /home/user/nope.txt'

  /** A session whose transcript gets the output of each call when its step is over. */
  function session(name: string, output: unknown) {
    const transcript = path.join(folder, `${name}.jsonl`)
    const lines = ['{"type":"session_meta","payload":null}', 'not JSON']
    const endOfStep = (steps: readonly Step[]) => {
      for (const at of steps) {
        const { tool_use_id: call_id } = codex.call(at)
        lines.push(JSON.stringify({ payload: { type: 'function_call', call_id } }))
        const payload = { type: 'function_call_output', call_id, output }
        lines.push(JSON.stringify({ type: 'response_item', payload }))
      }
      writeFileSync(transcript, `${lines.join('\n')}\n{"cut off`)
      return []
    }
    const call = (at: Step) => ({ ...codex.call(at), transcript_path: transcript })
    return { ...codex, call, failure: () => null, endOfStep }
  }

  it.each([
    ['text', FAILED],
    ['blocks', [{ type: 'input_text', text: FAILED }]],
  ])('are found in its transcript, as %s', async (name, output) => {
    const server = await serveHooks('--state-dir', path.join(folder, `silent ${name}`))
    const events = session(`silent-${name}`, output)
    const told = (await play(server, checkerOf('codex'), events, single(10))).flat()
    expect(told.map((word) => word.split(' ')[0])).toEqual([
      'nudge',
      'nudge',
      'deny',
      'deny',
      'deny',
    ])
    expect(told[0]).toContain('apply_patch verification failed')
  })

  it('count once if they are parallel', async () => {
    const server = await serveHooks(
      ...['--options', options, '--state-dir', path.join(folder, 'silent-parallel')],
    )
    const three = (step: number) => [0, 1, 2].map((place) => ({ step, place }))
    const events = session('silent-parallel', FAILED)
    const told = await play(server, checkerOf('codex'), events, [1, 2, 3, 4].map(three))
    // They show when the next step begins, whose calls are the fourth.
    expect(told.slice(0, 3)).toEqual([[], [], []])
    expect(told[3]).toEqual(three(4).map(() => 'deny BLOCK 4'))
  })

  it('are not taken for commands that go on: their result is reported later', async () => {
    const server = await serveHooks('--state-dir', path.join(folder, 'running'))
    const running =
      'Chunk ID: 1d\nWall time: 10.0 seconds\nProcess running with session ID 7\nOutput:\n'
    const events = session('running', running)
    expect((await play(server, checkerOf('codex'), events, single(8))).flat()).toEqual([])
    const { send } = server
    const reported = [1, 2, 3].map((step) => codex.failure({ step, place: 0 }) ?? {})
    expect(await send(reported)).toEqual([{}, {}, {}])
  })

  it.runIf(process.platform === 'linux').each(['/dev/zero', '/nowhere', '.', ''])(
    'are not looked for in "%s"',
    async (transcript_path) => {
      const { send } = await serveHooks('--state-dir', path.join(folder, 'odd-transcript'))
      const calls = [1, 2].map((step) => ({ ...codex.call({ step, place: 0 }), transcript_path }))
      expect(await send(calls)).toEqual([{}, {}])
    },
  )
})

describe('a call that was not let run', () => {
  it.each(['denied', 'rejected'])(
    'and is reported as %s by Copilot is no failure',
    async (type) => {
      const events: HostEvents = HOST_EVENTS.copilot
      const server = await serveHooks('--state-dir', path.join(folder, type))
      const refused: HostEvents = {
        ...events,
        failure: (at) => ({
          ...events.failure(at),
          toolResult: { resultType: type, textResultForLlm: 'The user does not want this.' },
        }),
      }
      expect((await play(server, checkerOf('copilot'), refused, single(5))).flat()).toEqual([])
    },
  )
})

describe('versions of Cursor that only report some kinds of tools', () => {
  const { tool_name: _, tool_input: __, tool_use_id: ___, ...common } = HOST_EVENTS.cursor.prompt
  const named = (name: string, fields: Event): Event => ({
    ...common,
    hook_event_name: name,
    ...fields,
  })
  const kinds: readonly (readonly [string, Event, Event, string])[] = [
    [
      'ShellExecution',
      { command: 'npm test', cwd: '/' },
      { command: 'npm test', cwd: '/', output: 'Exit code 1\nError: no such table', duration: 5 },
      'Shell',
    ],
    [
      'MCPExecution',
      { tool_name: 'query', tool_input: '{"sql":"x"}' },
      { tool_name: 'query', tool_input: '{"sql":"x"}', result_json: '{"isError":true}' },
      'query',
    ],
  ]

  it.each(kinds)('%s: eight failures are refused', async (kind, before, after) => {
    const { send } = await serveHooks('--state-dir', path.join(folder, kind))
    const told: (string | null)[] = []
    for (let step = 1; step <= 8; step++) {
      const [answer = {}] = await send([named(`before${kind}`, before)])
      checkerOf('cursor')({ hook_event_name: 'preToolUse' }, answer)
      told.push(said(answer))
      if (!isRefused(answer)) expect(await send([named(`after${kind}`, after)])).toEqual([{}])
    }
    expect(told.at(-1)).toMatch(/^deny/)
  })

  it('edits between failing tests are seen', async () => {
    const { send } = await serveHooks('--state-dir', path.join(folder, 'edited'))
    for (let step = 1; step <= 8; step++) {
      const edits = [{ old_string: `line ${step}`, new_string: `line ${step + 1}` }]
      const [, before, after] = kinds[0] ?? []
      const answers = await send([
        named('beforeShellExecution', before ?? {}),
        named('afterShellExecution', after ?? {}),
        named('afterFileEdit', { file_path: '/a.ts', edits }),
      ])
      expect(answers).toEqual([{}, {}, {}])
    }
  })

  it('in newer ones, which report every call as well, they do not count again', async () => {
    const events: HostEvents = HOST_EVENTS.cursor
    const server = await serveHooks(
      ...['--options', options, '--state-dir', path.join(folder, 'both-kinds')],
    )
    const [, before, after] = kinds[0] ?? []
    const told: string[] = []
    for (const step of [1, 2, 3]) {
      const at = { step, place: 0 }
      const answers = await server.send([
        events.call(at),
        named('beforeShellExecution', before ?? {}),
        named('afterShellExecution', after ?? {}),
        events.failure(at) ?? {},
      ])
      told.push(...answers.map(said).filter((word) => word !== null))
    }
    expect(told).toEqual(['nudge NUDGE 3'])
  })
})

describe('a byte order mark', () => {
  it('before an input is not part of it', async () => {
    const state = path.join(folder, 'marked')
    const event = `\ufeff${JSON.stringify(HOST_EVENTS.codex.call({ step: 1, place: 0 }))}`
    const outcome = await loophound(['hook', '--state-dir', state], event)
    expect(outcome).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
    expect(stateIn(state).states).toHaveLength(1)
  })
})

describe('hooks of Claude Code that another host runs, too', () => {
  it.each(['cursor', 'copilot'] as const)('%s: silent', async (host) => {
    const events: HostEvents = HOST_EVENTS['claude-code']
    const server = await serveHooks(
      ...['--host', 'claude-code', '--options', options],
      ...['--state-dir', path.join(folder, `foreign-${host}`)],
    )
    const foreign = (event: Event): Event => {
      if (host === 'cursor') return { ...event, cursor_version: '2.4' }
      const { permission_mode: _, tool_use_id: __, ...rest } = event
      return { ...rest, timestamp: '2026-01-01T00:00:00.000Z' }
    }
    const told = await play(server, checkerOf('claude-code'), events, single(6), foreign)
    expect(told.flat()).toEqual([])
  })
})

describe("VS Code, which runs Claude Code's hooks and names fields in its own way", () => {
  it('gets an empty answer, and no complaint', async () => {
    const event = {
      timestamp: '2026-01-01T00:00:00.000Z',
      hookEventName: 'PreToolUse',
      sessionId: 'one',
      cwd: '/',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'npm test' },
      tool_use_id: 'call_1',
    }
    const { hookEventName: hook_event_name, sessionId: session_id, ...rest } = event
    for (const host of ['claude-code', 'copilot']) {
      for (const sent of [event, { hook_event_name, session_id, ...rest }]) {
        const outcome = await loophound(['hook', '--host', host], JSON.stringify(sent))
        expect(outcome).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
      }
    }
  })
})

describe('reasoning that Cursor reports', () => {
  it('and that repeats itself is answered with a nudge after the next call', async () => {
    const events: HostEvents = HOST_EVENTS.cursor
    const { send } = await serveHooks('--state-dir', path.join(folder, 'thought'))
    const text = 'Wait, let me check the file again. '.repeat(60)
    const thought = { ...events.prompt, hook_event_name: 'afterAgentThought', text }
    expect(await send([thought])).toEqual([{}])
    const at = { step: 1, place: 0 }
    const [, result] = await send([events.call(at), events.failure(at) ?? {}])
    expect(said(result ?? {})).toMatch(/^nudge/)
  })
})

describe('the server', () => {
  it('answers only who knows the token, on this machine, and only POST', async () => {
    const { url, token } = await serveHooks('--state-dir', path.join(folder, 'served'))
    const ask = (headers: Record<string, string>, method = 'POST') =>
      fetch(url, { method, headers, ...(method === 'POST' && { body: 'nonsense' }) })
    const authorization = `Bearer ${token}`
    expect((await ask({})).status).toBe(403)
    expect((await ask({ authorization: 'Bearer x' })).status).toBe(403)
    expect((await ask({ authorization }, 'GET')).status).toBe(405)
    const fine = await ask({ authorization })
    expect([fine.status, await fine.json()]).toEqual([200, {}])
  })

  it('keeps its token, and ends when it is told to', async () => {
    const place = ['--state-dir', path.join(folder, 'token')]
    const first = await serveHooks(...place)
    const ended = new Promise((resolve) => first.process.once('exit', resolve))
    first.process.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect((await serveHooks(...place)).token).toBe(first.token)
  })
})
