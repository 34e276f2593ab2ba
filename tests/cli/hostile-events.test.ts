/** Partial, unknown, repeated and disordered events of each host: a healthy agent is never refused. */

import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOST_EVENTS, type HostEvents, type Step } from './host-events.js'
import { type Event, temporaryFolder } from './run.js'
import { serveHooks } from './serve.js'

const folder = temporaryFolder()
type Host = keyof typeof HOST_EVENTS

/** The fields that name a session. */
const SESSION = ['session_id', 'sessionId', 'conversation_id']

const inSession = (event: Event, name: string): Event => ({
  ...event,
  ...Object.fromEntries(SESSION.filter((field) => field in event).map((field) => [field, name])),
})

/** Whether an answer refuses a call or ends the run, in the words of any host. */
const isHard = (answer: Event): boolean =>
  /"(deny|block)"|"continue":false/.test(JSON.stringify(answer))

const at = (step: number): Step => ({ step, place: 0 })

/** One event of each kind, by its name or by its fields. */
function kindsOf(events: HostEvents): Event[] {
  const all = [
    ...events.healthy,
    events.prompt,
    events.compaction,
    events.end,
    events.call(at(1)),
    events.failure(at(1)),
    ...events.endOfStep([at(1)]),
  ].filter((event) => event !== null)
  const kinds = new Map(
    all.map((event) => [String(event.hook_event_name ?? Object.keys(event)), event]),
  )
  return [...kinds.values()]
}

/** What a field may be, other than what it should be. */
const ODD: readonly unknown[] = [undefined, null, { a: [7] }, 'x'.repeat(100_000)]

describe.each(Object.keys(HOST_EVENTS) as Host[])('%s', (host) => {
  const events: HostEvents = HOST_EVENTS[host]
  let servers = 0
  const stateOf = (number: number) => path.join(folder, `${host}-${number}`)
  const serve = (...args: string[]) => serveHooks('--state-dir', stateOf(servers++), ...args)

  it('no field is needed, whatever is in its place', async () => {
    const server = await serve('--host', host)
    let sessions = 0
    for (const event of kindsOf(events)) {
      for (const field of Object.keys(event)) {
        for (const odd of ODD) {
          const known = inSession(event, `s${sessions++}`)
          const [answer = {}] = await server.send([{ ...known, [field]: odd }])
          expect(isHard(answer), `${field}: ${String(odd).slice(0, 20)}`).toBe(false)
        }
      }
    }
  })

  it('events that are not known, and fields that are new', async () => {
    const { send } = await serve('--host', host)
    const [event] = kindsOf(events)
    const unknown = { ...event, hook_event_name: 'NotYetKnown' }
    const { hook_event_name: _, ...nameless } = unknown
    for (const answer of await send([unknown, nameless, {}])) expect(isHard(answer)).toBe(false)
    const more = events.healthy.map((known) => ({ ...known, new_field: { deep: [1] } }))
    expect(await send(more)).toEqual(more.map(() => ({})))
  })

  it('inputs that are no events', async () => {
    const { url, token } = await serve('--host', host)
    const deep = '['.repeat(100_000)
    for (const body of ['', 'nonsense', 'null', '7', '"x"', '[]', '[{}]', deep, '\ufeff{}']) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(url, { method: 'POST', headers, body })
      expect([response.status, await response.json()]).toEqual([200, {}])
    }
  })

  it('a healthy session whose events come twice', async () => {
    const { send } = await serve('--host', host)
    const twice = events.healthy.flatMap((event) => [event, event])
    expect(await send(twice)).toEqual(twice.map(() => ({})))
  })

  it('a healthy session in reverse, and results without calls', async () => {
    const { send } = await serve('--host', host)
    for (const order of [events.healthy.toReversed(), events.healthy]) {
      for (const answer of await send(order)) expect(answer).toEqual({})
    }
    const results = [1, 2, 3, 4, 5, 6].flatMap((step) => {
      const result = events.failure(at(step))
      return (result ? [result] : []).map((event) => inSession(event, 'results'))
    })
    for (const answer of await send(results)) expect(isHard(answer)).toBe(false)
  })

  it('two sessions at once are apart', async () => {
    const { send } = await serve('--host', host)
    const step = (number: number, session: string) =>
      [
        events.call(at(number)),
        events.failure(at(number)),
        ...events.endOfStep([at(number)]),
      ].flatMap((event) => (event ? [inSession(event, session)] : []))
    const zip = [1, 2].flatMap((number) => {
      const [one, two] = [step(number, 'one'), step(number, 'two')]
      return one.flatMap((event, index) => [event, two[index] ?? {}])
    })
    expect(await send(zip)).toEqual(zip.map(() => ({})))
  })

  it('an output of many megabytes is answered, and not kept', async () => {
    const { send } = await serve('--host', host)
    const huge = 'All of this line is new. '.repeat(200_000)
    const filled = (value: unknown): unknown => {
      if (typeof value === 'string') return /missing\.txt|Exit code/.test(value) ? huge : value
      if (Array.isArray(value)) return value.map(filled)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          name === 'tool_input' || name === 'toolArgs' ? inner : filled(inner),
        ]),
      )
    }
    const step = [events.call(at(1)), events.failure(at(1)), ...events.endOfStep([at(1)])]
    const sent = step.flatMap((event) => (event ? [filled(event) as Event] : []))
    expect(Math.max(...sent.map((event) => JSON.stringify(event).length))).toBeGreaterThan(1e6)
    expect(await send(sent)).toEqual(sent.map(() => ({})))
    const state = stateOf(servers - 1)
    for (const name of readdirSync(state)) {
      expect(statSync(path.join(state, name)).size).toBeLessThan(200_000)
    }
  })

  it('a loop whose events come twice is found, and not sooner', async () => {
    const { send } = await serve('--host', host)
    /** The steps in which something is said, and how many refusals there are in each. */
    const told = async (session: string, times: number) => {
      const spoken: [number, number][] = []
      for (let number = 1; number <= 8; number++) {
        const repeat = (event: Event) =>
          Array.from({ length: times }, () => inSession(event, session))
        const answers = await send(repeat(events.call(at(number))))
        const isRefused = answers.some(isHard)
        const failure = events.failure(at(number))
        if (!isRefused && failure) answers.push(...(await send(repeat(failure))))
        for (const event of events.endOfStep([at(number)])) {
          answers.push(...(await send(repeat(event))))
        }
        const refusals = answers.filter(isHard).map((answer) => JSON.stringify(answer))
        if (answers.some((answer) => JSON.stringify(answer) !== '{}')) {
          spoken.push([number, new Set(refusals).size])
        }
      }
      return spoken
    }
    const [once, twice] = [await told('once', 1), await told('twice', 2)]
    expect(once.length).toBeGreaterThan(1)
    expect(twice).toEqual(once)
  })
})
